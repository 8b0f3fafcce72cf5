import { expect, it } from 'vitest';
import { widthOf } from '#src/screens/table/room.ts';

const view = { shown: {}, widths: {}, dense: false };

it('gives a column the room that the longest word of its head takes, unless somebody chose a width', () => {
  const column = { id: 'answered', header: 'Answered', width: 80, sort: true as const, value: () => '' };
  expect(widthOf(column, view)).toBe(8 * 9 + 36);
  expect(widthOf({ ...column, header: 'No-shows' }, view)).toBe(5 * 9 + 36);
  expect(widthOf({ ...column, width: 200 }, view)).toBe(200);
  expect(widthOf(column, { ...view, widths: { answered: 60 } })).toBe(60);
});
