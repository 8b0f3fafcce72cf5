import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Design, designBlockKinds, designLimits } from '#contract/entities/design.ts';
import {
  blocksOf,
  canBeShown,
  designOf,
  type Edited,
  type EditedBlock,
  editedOf,
  placeOfError,
  questionErrors,
  unfinishedQuestions,
} from '#src/features/content-designer/edited.ts';
import {
  addBlock,
  addPage,
  changeBlock,
  deleteBlock,
  deletePage,
  directions,
  duplicateBlock,
  duplicatePage,
  emptyBlock,
  findBlock,
  moveBlock,
  movePage,
  nudged,
  whereWords,
} from '#src/features/content-designer/edits.ts';

const none: Edited = { theme: 'plain', pass_percent: 80, max_tries: 0, pages: [] };
const made = <T>(thing: T | null): T => {
  if (thing === null) throw new Error('this could not be done');
  return thing;
};
/** One page; each row is a string with a letter for each block. */
const laidOut = (...rows: string[]) => {
  const ids: Record<string, string> = {};
  let design = made(addPage(none, null)).design;
  const page = design.pages[0]?.id ?? '';
  for (const [row, letters] of rows.entries())
    for (const [column, letter] of [...letters].entries()) {
      const block = emptyBlock('cards');
      ids[letter] = block.id;
      design = made(addBlock(design, block, { page, row, column: column === 0 ? 'new' : column }));
    }
  const layoutOf = (of: Edited) =>
    of.pages[0]?.rows.map(({ blocks }) => blocks.map((b) => Object.entries(ids).find(([, id]) => id === b.id)?.[0]).join(''));
  return { design, page, ids, layoutOf };
};

it('goes on with a text that is too long, and says where it is', () => {
  const { design, ids } = laidOut('a', 'bc');
  const block = { ...made(findBlock(design, ids.c ?? '')).block, title: 'Long '.repeat(100) } as EditedBlock;
  const long = changeBlock(design, block);
  const path = Design.safeParse(designOf(long)).error?.issues[0]?.path.join('.') ?? '';
  expect(placeOfError(long, path)?.block?.id).toBe(ids.c);
  expect(placeOfError(long, `design.${path}`)?.block?.id).toBe(ids.c);
  expect(placeOfError(long, 'design.pages.0.title')).toEqual({ page: long.pages[0], block: null });
  expect(placeOfError(long, 'rev')).toBeNull();
  expect(canBeShown(long)).toBe(true);
  expect(canBeShown({ ...long, theme: 'gone' as 'plain' })).toBe(false);
});

it('makes a design of each kind of block that can be saved, unfinished as it is', () => {
  let design = made(addPage(none, null)).design;
  const page = design.pages[0]?.id ?? '';
  for (const [row, kind] of designBlockKinds.entries()) design = made(addBlock(design, emptyBlock(kind), { page, row, column: 'new' }));
  expect(Design.safeParse(designOf(design)).error).toBeUndefined();
  expect(editedOf(designOf(design))).toEqual(design);
  const copied = made(duplicatePage(design, page));
  expect(Design.safeParse(designOf(copied.design)).error).toBeUndefined();
  expect(copied.design.pages.map((p) => blocksOf(p).map((b) => b.kind))).toEqual([designBlockKinds, designBlockKinds]);
});

it('moves a block by one place, and says where it is then', () => {
  const { design, ids, layoutOf } = laidOut('a', 'bc', 'd');
  const after = (letter: string, direction: (typeof directions)[number]) => {
    const next = nudged(design, ids[letter] ?? '', direction);
    return next && layoutOf(next);
  };
  expect(after('a', 'up')).toBeNull();
  expect(after('a', 'down')).toEqual(['bc', 'a', 'd']);
  expect(after('a', 'right')).toEqual(['abc', 'd']);
  expect(after('a', 'left')).toBeNull();
  expect(after('b', 'up')).toEqual(['a', 'b', 'c', 'd']);
  expect(after('b', 'down')).toEqual(['a', 'c', 'b', 'd']);
  expect(after('b', 'right')).toEqual(['a', 'cb', 'd']);
  expect(after('b', 'left')).toBeNull();
  expect(after('c', 'left')).toEqual(['a', 'cb', 'd']);
  expect(after('d', 'left')).toEqual(['a', 'bcd']);
  expect(after('d', 'up')).toEqual(['a', 'd', 'bc']);
  expect(after('d', 'right')).toBeNull();
  expect(whereWords(design, ids.c ?? '')).toBe('row 2 of 3, column 2 of 2');
  expect(whereWords(design, ids.d ?? '')).toBe('row 3 of 3');
  const full = laidOut('abc', 'd');
  expect(nudged(full.design, full.ids.d ?? '', 'left')).toBeNull();
});

it('moves a block to where it is dropped, counted before it has left its place', () => {
  const { design, page, ids, layoutOf } = laidOut('a', 'b', 'c');
  const to = (letter: string, row: number, column: number | 'new') => {
    const next = moveBlock(design, ids[letter] ?? '', { page, row, column });
    return next && layoutOf(next);
  };
  expect(to('a', 3, 'new')).toEqual(['b', 'c', 'a']);
  expect(to('a', 2, 1)).toEqual(['b', 'ca']);
  expect(to('c', 0, 0)).toEqual(['ca', 'b']);
  expect(to('b', 1, 'new')).toBeNull();
  expect(to('b', 2, 'new')).toBeNull();
  expect(to('b', 1, 0)).toBeNull();
  expect(to('b', 9, 0)).toBeNull();
});

it('keeps every block exactly once, no row empty or too full, and every id apart, whatever is done', () => {
  const step = fc.record({ what: fc.nat(7), which: fc.nat(40), where: fc.nat(40), kind: fc.constantFrom(...designBlockKinds) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let design = none;
      for (const { what, which, where, kind } of steps) {
        const page = design.pages[where % Math.max(1, design.pages.length)];
        const blocks = design.pages.flatMap(blocksOf);
        const block = blocks[which % Math.max(1, blocks.length)];
        const row = page ? where % (page.rows.length + 1) : 0;
        const next = [
          () => addPage(design, page?.id ?? null)?.design,
          () => page && addBlock(design, emptyBlock(kind), { page: page.id, row, column: where % 2 ? 'new' : 0 }),
          () => block && nudged(design, block.id, directions[where % 4] as 'up'),
          () => block && page && moveBlock(design, block.id, { page: page.id, row, column: where % 3 ? where % 3 : 'new' }),
          () => block && duplicateBlock(design, block.id)?.design,
          () => page && duplicatePage(design, page.id)?.design,
          () => page && movePage(design, page.id, which % design.pages.length),
          () => (block && where % 3 ? deleteBlock(design, block.id) : page && where % 7 === 0 ? deletePage(design, page.id) : undefined),
        ][what]?.();
        const count = (of: Edited) => of.pages.flatMap(blocksOf).length;
        if (next && (what === 2 || what === 3 || what === 6)) expect(count(next)).toBe(count(design));
        design = next ?? design;
      }
      for (const one of design.pages) for (const r of one.rows) expect(r.blocks.length).toBeGreaterThan(0);
      for (const one of design.pages) for (const r of one.rows) expect(r.blocks.length).toBeLessThanOrEqual(designLimits.columns);
      expect(Design.safeParse(designOf(design)).error).toBeUndefined();
    }),
    { numRuns: 60 },
  );
});

it('keeps a question that is not finished out of what is saved, and knows that it was begun', () => {
  const { design, page } = laidOut('a');
  const block = emptyBlock('question');
  if (block.kind !== 'question') throw new Error('not a question');
  const asked = made(addBlock(design, block, { page, row: 1, column: 'new' }));
  expect(unfinishedQuestions(asked)).toBe(0);
  const begun = changeBlock(asked, { ...block, question: { ...block.question, prompt: 'Where are the gloves?' } });
  expect(unfinishedQuestions(begun)).toBe(1);
  const saved = (of: Edited) => findBlock(editedOf(designOf(of)), block.id)?.block;
  expect(saved(begun)).toMatchObject({ question: { prompt: '' } });
  const options = block.question.options.map((o, i) => ({ ...o, text: `Answer ${i}`, correct: i === 1 }));
  const question = { ...block.question, prompt: 'Where are the gloves?', options };
  const whole = changeBlock(asked, { ...block, question });
  expect(unfinishedQuestions(whole)).toBe(0);
  expect(questionErrors(question)).toEqual({});
  expect(saved(whole)).toMatchObject({ question: { prompt: 'Where are the gloves?' } });
});
