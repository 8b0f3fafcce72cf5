import { expect, it } from 'vitest';
import type { Column } from '#src/screens/table/columns.ts';
import { areCards } from '#src/screens/table/room.ts';
import { gridOf } from '#src/screens/table/row.tsx';

const column = (id: string, width: number, grow: number): Column<unknown> => ({ id, header: id, width, grow, value: () => id });
const wide = [column('number', 110, 0), column('about', 240, 1.6), column('state', 190, 0.3)];
const grid = (folded: boolean, chosen: Record<string, number> = {}) => gridOf(wide, (c) => chosen[c.id] ?? c.width ?? 0, chosen, true, folded);

it('gives most of what is left to the first column where it carries others', () => {
  expect(grid(false)).toBe('44px 110px minmax(240px, 1.6fr) minmax(190px, 0.3fr)');
  expect(grid(true)).toBe('44px minmax(110px, 2fr) minmax(240px, 1.6fr) minmax(190px, 0.3fr)');
  // A chosen width is kept.
  expect(grid(true, { number: 150 })).toBe('44px 150px minmax(240px, 1.6fr) minmax(190px, 0.3fr)');
});

it('makes cards of rows where not even the columns that stay have room', () => {
  const kept = [
    column('name', 200, 1),
    column('about', 240, 1),
    { ...column('state', 120, 0), keep: true as const },
    { ...column('do', 352, 0), actions: true as const },
  ];
  expect(areCards(kept, 690, 18)).toBe(false);
  expect(areCards(kept, 689, 18)).toBe(true);
  // Folded columns need no width.
  expect(areCards(kept.slice(0, 3), 640, 18)).toBe(false);
  expect(areCards(kept.slice(0, 3), 639, 18)).toBe(true);
});
