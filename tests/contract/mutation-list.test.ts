import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mutations } from '#tests/faults/mutation-list.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

it.each(mutations)('the source still has the place where this bug would be: $bug', ({ file, from }) => {
  expect(read(file)).toContain(from);
});

describe('the test that must catch a bug', () => {
  /** The names of a file's tests and groups. */
  const namesIn = (file: string) =>
    [...read(file).matchAll(/\b(?:it|test|describe)(?:\.each\([^)]*\))?\(\s*(['"`])((?:(?!\1).)*)\1/g)].map((m) => m[2] as string);
  const named = mutations.flatMap(({ bug, caught }) => {
    const [file, , name] = caught.slice(-3);
    return caught[0] === 'vitest' && name !== '' ? [{ bug, file: file as string, name: name as string }] : [];
  });
  it('is chosen by its name for many of them', () => {
    expect(named.length).toBeGreaterThan(10);
  });
  // A name that matches no test runs none, which passes with or without the bug.
  it.each(named)('is in $file: “$name”', ({ file, name }) => {
    expect(namesIn(file).filter((n) => n.includes(name))).not.toEqual([]);
  });
});
