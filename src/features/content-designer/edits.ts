import { designLimits } from '#contract/entities/design.ts';
import { plainText } from '#contract/rules/readability.ts';
import { blocksOf, type Edited, type EditedBlock, type EditedPage, type EditedRow } from '#src/features/content-designer/edited.ts';
import { moved } from '#src/screens/authoring/moved.ts';
import { emptyQuestion } from '#src/screens/authoring/question-draft.ts';

/** The edits of a design. Each returns the new design, or null if it is impossible. */

type Kind = EditedBlock['kind'];
export const kindNames: Record<Kind, string> = {
  ...{ text: 'Text', picture: 'Picture', cards: 'Cards', timeline: 'Timeline', scenario: 'Scenario', question: 'Question', film: 'Video' },
  ...{ acknowledgement: 'Acknowledgement', checklist: 'Checklist' },
};

const newId = () => crypto.randomUUID();
/** The id of a part within its block. */
export const newPart = () => newId().slice(0, 8);

const cut = (text: string, most = 40) => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > most ? `${line.slice(0, most - 1).replace(/[\s.,:;]+$/, '')}…` : line;
};
/** A short description of a block's content; empty if it has none. */
const ownWords = (block: EditedBlock): string => {
  switch (block.kind) {
    case 'text':
      return plainText(block.doc);
    case 'picture':
      return block.caption || block.alt;
    case 'question':
      return block.question.prompt;
    case 'acknowledgement':
      return block.text;
    default:
      return block.title;
  }
};
/** The label of a block, also for screen readers. */
export const nameOf = (block: EditedBlock): string => {
  const excerpt = cut(ownWords(block));
  return excerpt ? `${kindNames[block.kind]}: ${excerpt}` : kindNames[block.kind];
};
export const pageName = (page: EditedPage, index: number): string => page.title.trim() || `Page ${index + 1}`;

/** An empty block. */
export const emptyBlock = (kind: Kind): EditedBlock => {
  const id = newId();
  switch (kind) {
    case 'text':
      return { id, kind, doc: { type: 'doc', content: [{ type: 'paragraph' }] } };
    case 'picture':
      return { ...{ id, kind, required: false, media: null, alt: '', decorative: false, caption: '' }, spots: [] };
    case 'cards':
      return { id, kind, required: false, title: '', cards: [1, 2, 3].map(() => ({ id: newPart(), front: '', back: '' })) };
    case 'timeline':
      return { id, kind, title: '', entries: [1, 2, 3].map(() => ({ id: newPart(), when: '', title: '', text: '' })) };
    case 'scenario': {
      const [good, poor] = [newPart(), newPart()];
      const choice = (to: string) => ({ id: newPart(), text: '', feedback: '', to });
      return {
        ...{ id, kind, required: true, title: '' },
        steps: [
          { id: newPart(), text: '', end: null, choices: [choice(good), choice(poor)] },
          { id: good, text: '', end: 'good', choices: [] },
          { id: poor, text: '', end: 'poor', choices: [] },
        ],
      };
    }
    case 'question':
      return { id, kind, required: true, scored: true, question: emptyQuestion('single', id) };
    case 'film':
      return { ...{ id, kind, required: true, media: null, title: '', poster: null, transcript: '' }, captions: [], stops: [] };
    case 'acknowledgement':
      return { id, kind, required: true, text: 'I have read this and understood it.' };
    case 'checklist':
      return { id, kind, required: true, title: '', items: [1, 2, 3].map(() => ({ id: newPart(), text: '' })) };
  }
};

/** A copy of a block. Ids within a block are only unique there, so they stay. */
const blockCopy = (block: EditedBlock): EditedBlock => {
  const id = newId();
  if (block.kind === 'question') return { ...block, id, question: { ...block.question, key: id, id: undefined } };
  if (block.kind === 'film')
    return {
      ...{ ...block, id },
      stops: block.stops.map((s) => {
        const stop = newId();
        return { ...s, id: stop, question: { ...s.question, key: stop, id: undefined } };
      }),
    };
  return { ...block, id };
};
const rowOf = (...blocks: EditedBlock[]): EditedRow => ({ id: newPart(), blocks });

const withPage = (design: Edited, id: string, to: (page: EditedPage) => EditedPage): Edited => ({
  ...design,
  pages: design.pages.map((page) => (page.id === id ? to(page) : page)),
});

/** Adds an empty page after another one, or at the end. */
export const addPage = (design: Edited, after: string | null): { design: Edited; id: string } | null => {
  if (design.pages.length >= designLimits.pages) return null;
  const id = newId();
  const pageIndex = design.pages.findIndex((page) => page.id === after);
  const page: EditedPage = { id, title: `Page ${design.pages.length + 1}`, required: true, rows: [] };
  return { design: { ...design, pages: design.pages.toSpliced(pageIndex < 0 ? design.pages.length : pageIndex + 1, 0, page) }, id };
};
export const changePage = (design: Edited, id: string, change: Partial<Pick<EditedPage, 'title' | 'required'>>): Edited =>
  withPage(design, id, (page) => ({ ...page, ...change }));
export const duplicatePage = (design: Edited, id: string): { design: Edited; id: string } | null => {
  const pageIndex = design.pages.findIndex((page) => page.id === id);
  const page = design.pages[pageIndex];
  if (!page || design.pages.length >= designLimits.pages || blockCount(design) + blocksOf(page).length > designLimits.blocks) return null;
  const copy = {
    ...page,
    id: newId(),
    title: `${pageName(page, pageIndex)} (copy)`.slice(0, 200),
    rows: page.rows.map((row) => rowOf(...row.blocks.map(blockCopy))),
  };
  return { design: { ...design, pages: design.pages.toSpliced(pageIndex + 1, 0, copy) }, id: copy.id };
};
export const deletePage = (design: Edited, id: string): Edited => ({ ...design, pages: design.pages.filter((page) => page.id !== id) });
export const movePage = (design: Edited, id: string, to: number): Edited | null => {
  const from = design.pages.findIndex((page) => page.id === id);
  return from < 0 || from === to || to < 0 || to >= design.pages.length ? null : { ...design, pages: moved(design.pages, from, to) };
};

const blockCount = ({ pages }: Edited) => pages.reduce((sum, page) => sum + blocksOf(page).length, 0);

type Found = { page: EditedPage; row: number; column: number; block: EditedBlock };
export const findBlock = (design: Edited, id: string): Found | null => {
  for (const page of design.pages)
    for (const [row, { blocks }] of page.rows.entries()) {
      const column = blocks.findIndex((block) => block.id === id);
      const block = blocks[column];
      if (block) return { page, row, column, block };
    }
  return null;
};
/** The position of a block on its page, in words. */
export const whereWords = (design: Edited, id: string): string => {
  const location = findBlock(design, id);
  if (!location) return '';
  const columns = location.page.rows[location.row]?.blocks.length ?? 1;
  return `row ${location.row + 1} of ${location.page.rows.length}${columns > 1 ? `, column ${location.column + 1} of ${columns}` : ''}`;
};

/** A position on a page: in a row, before this column; or in a new row, before this row. */
export type Place = { page: string; row: number; column: number | 'new' };
/** Puts a block there; null if the row has three blocks or the page is full. */
const put = (design: Edited, block: EditedBlock, { page: id, row, column }: Place): Edited | null => {
  const page = design.pages.find((p) => p.id === id);
  const into = page?.rows[row];
  if (!page || (column === 'new' ? page.rows.length >= designLimits.rows : !into || into.blocks.length >= designLimits.columns)) return null;
  return withPage(design, id, (p) => ({
    ...p,
    rows:
      column === 'new' || !into
        ? p.rows.toSpliced(row, 0, rowOf(block))
        : p.rows.with(row, { ...into, blocks: into.blocks.toSpliced(column as number, 0, block) }),
  }));
};

export const addBlock = (design: Edited, block: EditedBlock, at: Place): Edited | null =>
  blockCount(design) >= designLimits.blocks ? null : put(design, block, at);
export const changeBlock = (design: Edited, to: EditedBlock): Edited => {
  const location = findBlock(design, to.id);
  if (!location) return design;
  return withPage(design, location.page.id, (page) => ({
    ...page,
    rows: page.rows.map((row, i) => (i === location.row ? { ...row, blocks: row.blocks.with(location.column, to) } : row)),
  }));
};
/** Removes rows without blocks. */
export const deleteBlock = (design: Edited, id: string): Edited => {
  const location = findBlock(design, id);
  if (!location) return design;
  return withPage(design, location.page.id, (page) => ({
    ...page,
    rows: page.rows
      .map((row, i) => (i === location.row ? { ...row, blocks: row.blocks.toSpliced(location.column, 1) } : row))
      .filter((row) => row.blocks.length > 0),
  }));
};
export const duplicateBlock = (design: Edited, id: string): { design: Edited; id: string } | null => {
  const location = findBlock(design, id);
  const copy = location && blockCopy(location.block);
  const next = copy && addBlock(design, copy, { page: location.page.id, row: location.row + 1, column: 'new' });
  return next ? { design: next, id: copy.id } : null;
};
/** Moves a block to a position, counted before the block is removed from its own. */
export const moveBlock = (design: Edited, id: string, to: Place): Edited | null => {
  const location = findBlock(design, id);
  if (!location) return null;
  const samePage = location.page.id === to.page;
  const alone = location.page.rows[location.row]?.blocks.length === 1;
  const same = samePage && location.row === to.row;
  if (same && (to.column === location.column || to.column === location.column + 1)) return null;
  if (samePage && alone && to.column === 'new' && (to.row === location.row || to.row === location.row + 1)) return null;
  const row = samePage && alone && location.row < to.row ? to.row - 1 : to.row;
  const column = same && to.column !== 'new' && location.column < to.column ? to.column - 1 : to.column;
  return put(deleteBlock(design, id), location.block, { page: to.page, row, column });
};

export const directions = ['up', 'down', 'left', 'right'] as const;
export type Direction = (typeof directions)[number];
/**
 * Moves a block by one position. Up and down: out of a shared row, or past the next row. Left and right: past its neighbour, or from
 * its own row to the side of the row above or below. So every layout can be reached.
 */
export const nudged = (design: Edited, id: string, direction: Direction): Edited | null => {
  const location = findBlock(design, id);
  if (!location) return null;
  const { row, column } = location;
  const page = location.page.id;
  const columns = location.page.rows[row]?.blocks.length ?? 1;
  const last = location.page.rows.length - 1;
  switch (direction) {
    case 'up':
      return columns > 1
        ? moveBlock(design, id, { page, row, column: 'new' })
        : row > 0
          ? moveBlock(design, id, { page, row: row - 1, column: 'new' })
          : null;
    case 'down':
      return columns > 1
        ? moveBlock(design, id, { page, row: row + 1, column: 'new' })
        : row < last
          ? moveBlock(design, id, { page, row: row + 2, column: 'new' })
          : null;
    case 'left':
      if (columns > 1) return column > 0 ? moveBlock(design, id, { page, row, column: column - 1 }) : null;
      return row > 0 ? moveBlock(design, id, { page, row: row - 1, column: location.page.rows[row - 1]?.blocks.length ?? 0 }) : null;
    case 'right':
      if (columns > 1) return column < columns - 1 ? moveBlock(design, id, { page, row, column: column + 2 }) : null;
      return row < last ? moveBlock(design, id, { page, row: row + 1, column: 0 }) : null;
  }
};
