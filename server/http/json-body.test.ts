import { describe, expect, it } from 'vitest';
import { jsonLimits, parseJsonBody } from '#server/http/json-body.ts';

const parsed = (text: string): unknown => {
  try {
    return parseJsonBody(text);
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
};

describe('the body of a request', () => {
  it('may be any JSON, or empty', () => {
    const values = [null, 0, 'a "quoted" \\ text with ] and , and {', '\\', '"', { a: [1, { 'b"': [] }], '': '\u0000\\"' }, []];
    for (const value of values) expect(parsed(JSON.stringify(value))).toEqual(value);
    expect(parsed('')).toBeUndefined();
    for (const text of ['{', '"', '"\\', '[1,', '\\"', ']', 'x']) expect(parsed(text)).toMatch(/^malformed: /);
  });

  it('is refused before parsing if it is nested too deeply', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parsed(nested(jsonLimits.depth))).toEqual(JSON.parse(nested(jsonLimits.depth)));
    expect(parsed(nested(jsonLimits.depth + 1))).toMatch(/nested 64 deep/);
    expect(parsed('{"a":'.repeat(1_000_000))).toMatch(/nested 64 deep/);
    // Brackets within a string do not count.
    expect(parsed(JSON.stringify('['.repeat(1000)))).toBe('['.repeat(1000));
  });

  it('is refused if it has too many values', () => {
    const many = (count: number) => `[${Array.from({ length: count }, () => '[]').join()}]`;
    expect(parsed(many(10))).toHaveLength(10);
    expect(parsed(many(jsonLimits.values))).toMatch(/250,000 values/);
  });
});
