import { expect, it } from 'vitest';
import { isWithinDepth } from '#server/graphql/within-depth.ts';

it('counts brackets where they stand for something, and not in texts and comments', () => {
  const brackets = '['.repeat(100);
  for (const query of [
    '{ me { name } }',
    '',
    '{a}'.repeat(1000),
    `{ a(b: "${brackets}") }`,
    `{ a(b: "\\"${brackets}") }`,
    `{ a(b: """ \\""" ${brackets} "" """) }`,
    `# ${brackets}\n{ me { name } }`,
    `{ a(b: "" c: """""" d: "\\\\") }`,
  ])
    expect(isWithinDepth(query)).toBe(true);
  for (const query of [
    brackets,
    `{ a(b: ${brackets}) }`,
    `{ a(b: "") c(d: ${brackets}`,
    `{ a(b: "\\\\") c(d: ${brackets}`,
    `{ a(b: """ " """) c(d: ${brackets}`,
    `# a\n${brackets}`,
    `"\n${brackets}`,
    '{a'.repeat(60_000),
  ])
    expect(isWithinDepth(query)).toBe(false);
});
