import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { mutations } from '#tests/faults/mutation-list.ts';

it.each(mutations)('the source still has the place where this bug would be: $bug', ({ file, from }) => {
  expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(from);
});
