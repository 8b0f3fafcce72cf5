import { expect, it } from 'vitest';
import { moved } from '#src/screens/authoring/moved.ts';

it('moves one thing and keeps the others in their order', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd']);
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c']);
  expect(moved(['a'], 4, 0)).toEqual(['a']);
});
