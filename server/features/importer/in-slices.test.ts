import { expect, it } from 'vitest';
import { inSlices } from '#server/features/importer/in-slices.ts';

it('works through many things in order, and lets others in between', async () => {
  let others = 0;
  let over = false;
  const other = () => {
    others++;
    if (!over) setImmediate(other);
  };
  setImmediate(other);
  const busy = (n: number) => {
    for (let i = 0; i < 20_000; i++) Math.sqrt(i);
    return n * 2;
  };
  const things = Array.from({ length: 20_000 }, (_, n) => n);
  const done = await inSlices(things, busy);
  over = true;
  expect(done).toEqual(things.map((n) => n * 2));
  expect(others).toBeGreaterThan(3);
});
