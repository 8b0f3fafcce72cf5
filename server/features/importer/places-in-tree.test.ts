import { expect, it } from 'vitest';
import { placesInTree, roundTheRing } from '#server/features/importer/places-in-tree.ts';

const placesOf = (above: Record<string, string>, things = Object.keys(above)) => {
  const placeOf = placesInTree(things, (thing) => above[thing]);
  return Object.fromEntries(
    things.map((thing) => {
      const { ring, depth } = placeOf(thing);
      return [thing, ring ? roundTheRing(ring, 20).join('') : depth];
    }),
  );
};

it('counts what stands above each thing, in whatever order they come', () => {
  const above = { c: 'b', b: 'a', d: 'a', e: 'c' };
  expect(placesOf(above, ['e', 'd', 'c', 'b', 'a'])).toEqual({ a: 0, b: 1, c: 2, d: 1, e: 3 });
  expect(placesOf(above, ['a', 'b', 'c', 'd', 'e'])).toEqual({ a: 0, b: 1, c: 2, d: 1, e: 3 });
});

it('names the ring of what would stand above itself, from each of its members, and no others', () => {
  expect(placesOf({ a: 'b', b: 'c', c: 'a', d: 'a', e: 'd', f: 'f' })).toEqual({ a: 'abca', b: 'bcab', c: 'cabc', d: 1, e: 2, f: 'ff' });
});

it('looks at each of 50,000 things in one chain once', () => {
  let looks = 0;
  const things = Array.from({ length: 50_000 }, (_, n) => n);
  const placeOf = placesInTree(things.toReversed(), (n) => {
    looks++;
    return n === 0 ? undefined : n - 1;
  });
  expect([placeOf(0).depth, placeOf(49_999).depth]).toEqual([0, 49_999]);
  expect(looks).toBe(50_000);
});

it('names the beginning of a long ring, and the end', () => {
  const things = Array.from({ length: 50_000 }, (_, n) => n);
  const placeOf = placesInTree(things, (n) => (n + 1) % things.length);
  expect(roundTheRing(placeOf(7).ring as never, 3)).toEqual([7, 8, 9, 7]);
  expect(things.every((n) => placeOf(n).ring !== null)).toBe(true);
});
