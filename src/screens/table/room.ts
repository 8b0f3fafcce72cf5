import type { Column, View } from '#src/screens/table/columns.ts';

const narrowest = 140;
/** What the longest word of a column's head takes, with the sign of its order: heads wrap, words do not break. */
const headOf = <R>({ header, sort }: Column<R>): number => Math.max(...header.split(/[\s-]/).map((word) => word.length)) * 9 + (sort ? 36 : 16);
export const widthOf = <R>(column: Column<R>, view: View): number => view.widths[column.id] ?? Math.max(column.width ?? narrowest, headOf(column));

const cardsBelow = 640;
/**
 * Whether each row is a card: there is no room for columns, or not even for those that are never folded. Chosen widths do not count.
 * `beside`: the width that columns cannot use.
 */
export const areCards = <R>(columns: readonly Column<R>[], room: number, beside: number): boolean =>
  room < cardsBelow || columns.reduce((sum, c, i) => (i === 0 || c.keep || c.actions ? sum + (c.width ?? narrowest) : sum), beside) > room;
/** The columns that fit, and those that are folded into the first one. */
export const arrange = <R>(columns: readonly Column<R>[], view: View, room: number): { wide: Column<R>[]; folded: Column<R>[] } => {
  const wide = [...columns];
  const folded: Column<R>[] = [];
  let needed = wide.reduce((sum, c) => sum + widthOf(c, view), 0);
  for (let i = wide.length - 1; i > 0 && needed > room; i--) {
    const column = wide[i] as Column<R>;
    if (column.keep || column.actions) continue;
    needed -= widthOf(column, view);
    folded.unshift(...wide.splice(i, 1));
  }
  return { wide, folded };
};
