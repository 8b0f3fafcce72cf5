import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrangeWidgets } from '#contract/rules/arrange-widgets.ts';

const ids = (arranged: readonly { id: string }[]) => arranged.map((w) => w.id).join('');
const saved = (...of: string[]) => of.map((id) => ({ id, hidden: false }));

describe('an arrangement', () => {
  it.each([
    ['nothing saved', [], 'abcd'],
    ['another order', saved('d', 'c', 'b', 'a'), 'dcba'],
    ['a widget that is gone', saved('x', 'b', 'a', 'c', 'd'), 'bacd'],
    ['a new one follows the one that it follows by default', saved('d', 'b', 'a'), 'dbca'],
    ['a new first one is first', saved('c', 'b', 'd'), 'acbd'],
    ['one that is named twice', saved('b', 'a', 'b', 'c', 'd'), 'bacd'],
  ])('%s', (_what, layout, expected) => expect(ids(arrangeWidgets([...'abcd'], layout))).toBe(expected));

  it('keeps what is hidden hidden, and shows what is new', () =>
    expect(arrangeWidgets(['a', 'b'], [{ id: 'a', hidden: true }])).toEqual([
      { id: 'a', hidden: true },
      { id: 'b', hidden: false },
    ]));

  it('has every widget once, whatever was saved, and arranged again it stays as it is', () => {
    const widget = fc.record({ id: fc.constantFrom(...'abcdefxy'), hidden: fc.boolean() });
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...'abcdef')), fc.array(widget), (there, layout) => {
        const arranged = arrangeWidgets(there, layout);
        expect([...ids(arranged)].sort()).toEqual([...there].sort());
        expect(arrangeWidgets(there, arranged)).toEqual(arranged);
        const known = layout.filter((w, i) => there.includes(w.id) && layout.findIndex((o) => o.id === w.id) === i);
        expect(arranged.filter((w) => known.some((k) => k.id === w.id))).toEqual(known);
      }),
    );
  });
});
