import type { Arrangement } from '#src/features/matrix/grid/matrix-view.ts';

/** The rows of the lines between two, in either direction, without group headings. */
export const rowsBetween = (lines: Int32Array, from: number, to: number): number[] =>
  [...lines.subarray(Math.min(from, to), Math.max(from, to) + 1)].filter((line) => line >= 0);

/** A selection with some people added (`isIn`) or removed. */
export const selectionWith = (selected: ReadonlySet<string>, ids: Iterable<string>, isIn: boolean): ReadonlySet<string> => {
  const next = new Set(selected);
  for (const id of ids) {
    if (isIn) next.add(id);
    else next.delete(id);
  }
  return next;
};

export const howSelected = (selected: ReadonlySet<string>, ids: readonly string[]): 'all' | 'some' | 'none' => {
  if (selected.size === 0 || ids.length === 0) return 'none';
  const count = ids.reduce((n, id) => n + Number(selected.has(id)), 0);
  return count === ids.length ? 'all' : count > 0 ? 'some' : 'none';
};

/** For each group the ids of its shown people, also while it is closed. */
export const peopleOfGroups = (
  { rows, groups }: Pick<Arrangement, 'rows' | 'groups'>,
  groupsOf: (row: number) => Iterable<number>,
  idOf: (row: number) => string,
): string[][] => {
  const ids: string[][] = groups.map(() => []);
  for (const row of rows) for (const group of groupsOf(row)) ids[group]?.push(idOf(row));
  return ids;
};
