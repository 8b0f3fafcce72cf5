import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { Design, type DesignBlock } from '#contract/entities/design.ts';
import { draftOf, emptyQuestion, inputOf, type QuestionDraft } from '#src/screens/authoring/question-draft.ts';
import { schemaErrors } from '#src/screens/schema-errors.ts';

/** A design being edited: its questions may be unfinished, and hold the values of every kind. */

type Written<Q> = Omit<Q, 'question'> & { question: QuestionDraft };
type QuestionBlock = Extract<DesignBlock, { kind: 'question' }>;
type FilmBlock = Extract<DesignBlock, { kind: 'film' }>;
export type EditedStop = Written<FilmBlock['stops'][number]>;
export type EditedBlock =
  | Exclude<DesignBlock, QuestionBlock | FilmBlock>
  | Written<QuestionBlock>
  | (Omit<FilmBlock, 'stops'> & { stops: EditedStop[] });
export type EditedRow = { id: string; blocks: EditedBlock[] };
export type EditedPage = Omit<Design['pages'][number], 'rows'> & { rows: EditedRow[] };
export type Edited = Omit<Design, 'pages'> & { pages: EditedPage[] };
/** A block of one kind. */
export type Of<K extends EditedBlock['kind']> = Extract<EditedBlock, { kind: K }>;

const writable = (question: AuthoredQuestion | null, key: string): QuestionDraft =>
  question ? draftOf(question, key) : emptyQuestion('single', key);

/** A question in its saved form; null while it is unfinished. */
const finished = (draft: QuestionDraft): AuthoredQuestion | null => {
  const read = AuthoredQuestion.safeParse(inputOf(draft));
  return read.success ? read.data : null;
};

/** What a question still needs, in sentences. */
export const questionErrors = (draft: QuestionDraft): Partial<Record<string, string>> => {
  const read = AuthoredQuestion.safeParse(inputOf(draft));
  return read.success ? {} : schemaErrors(read.error);
};

/** Whether an unfinished question has any content: the server cannot store it yet. */
const isBegun = (draft: QuestionDraft): boolean => {
  const { key, id } = draft;
  const blank = JSON.stringify({ ...emptyQuestion(draft.kind, key), id });
  return finished(draft) === null && JSON.stringify({ ...draft, id }) !== blank;
};

const mapBlocks = <B>(pages: readonly EditedPage[], map: (block: EditedBlock) => B) =>
  pages.map((page) => ({ ...page, rows: page.rows.map((row) => ({ ...row, blocks: row.blocks.map(map) })) }));

export const editedOf = (design: Design): Edited => ({
  ...design,
  pages: design.pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) => ({
      ...row,
      blocks: row.blocks.map((block): EditedBlock => {
        if (block.kind === 'question') return { ...block, question: writable(block.question, block.id) };
        if (block.kind === 'film') return { ...block, stops: block.stops.map((s) => ({ ...s, question: writable(s.question, s.id) })) };
        return block;
      }),
    })),
  })),
});

/** Blocks are immutable, so their saved form is cached. */
const known = new WeakMap<EditedBlock, DesignBlock>();
/** A block in its saved form: without unfinished questions. */
export const savedBlock = (block: EditedBlock): DesignBlock => {
  const before = known.get(block);
  if (before) return before;
  const saved: DesignBlock =
    block.kind === 'question'
      ? { ...block, question: finished(block.question) }
      : block.kind === 'film'
        ? { ...block, stops: block.stops.map((s) => ({ ...s, question: finished(s.question) })) }
        : block;
  known.set(block, saved);
  return saved;
};
export const designOf = (edited: Edited): Design => ({ ...edited, pages: mapBlocks(edited.pages, savedBlock) });

export const blocksOf = (page: EditedPage): EditedBlock[] => page.rows.flatMap((row) => row.blocks);
/** The number of unfinished questions with content, which only this device stores. */
export const unfinishedQuestions = ({ pages }: Edited): number =>
  pages
    .flatMap(blocksOf)
    .flatMap((block) => (block.kind === 'question' ? [block.question] : block.kind === 'film' ? block.stops.map((s) => s.question) : []))
    .filter(isBegun).length;

/** Whether a stored draft can still be displayed. A text that is too long can: its author shortens it. */
export const canBeShown = (edited: Edited): boolean => {
  try {
    const read = Design.safeParse(designOf(edited));
    return read.success || read.error.issues.every((issue) => issue.code === 'too_big');
  } catch {
    return false;
  }
};

/** The page and block of an error's path (`pages.0.rows.1.blocks.0.title`). */
export const placeOfError = ({ pages }: Edited, path: string): { page: EditedPage; block: EditedBlock | null } | null => {
  const [, at, row, column] = /\bpages\.(\d+)(?:\.rows\.(\d+)\.blocks\.(\d+))?/.exec(path) ?? [];
  const page = pages[Number(at)];
  return page ? { page, block: page.rows[Number(row)]?.blocks[Number(column)] ?? null } : null;
};
