import { describe, expect, it } from 'vitest';
import { decodeText, decodeTexts, encodeText, encodeTexts, isHoldable, unholdableIn } from '#contract/rules/holdable-text.ts';

const nul = String.fromCharCode(0);
const high = String.fromCharCode(0xd800);
const low = String.fromCharCode(0xdc00);

describe('text that the database can store', () => {
  it('is unchanged', () => {
    for (const text of ['', 'plain', 'ž 😀', 'a\u001a0000b']) {
      expect(isHoldable(text)).toBe(true);
      expect(encodeText(text)).toBe(text);
      expect(decodeText(text)).toBe(text);
    }
  });
  it('is made from any text without loss, and only once', () => {
    const pieces = [nul, high, low, high + low, '\u001a', '0000', 'a', '\ud83d\ude00', '\uffff'];
    for (let n = 0; n < 3000; n++) {
      const text = Array.from({ length: 1 + (n % 7) }, (_, i) => pieces[(n * 31 + i * 17 + (n >> 3)) % pieces.length]).join('');
      const kept = encodeText(text);
      expect(isHoldable(kept)).toBe(true);
      expect(encodeText(kept)).toBe(kept);
      expect(decodeText(kept)).toBe(text);
    }
  });
  it('is made throughout a value, including keys, at any depth', () => {
    const value = { [`k${nul}`]: ['x', `${high}`, { n: 1, none: null }] };
    expect(unholdableIn(encodeTexts(value), 100)).toEqual([]);
    expect(decodeTexts(encodeTexts(value))).toEqual(value);
    let deep: unknown = nul;
    for (let i = 0; i < 50_000; i++) deep = [deep];
    expect(() => encodeTexts(deep)).not.toThrow();
  });
  it('is reported by its path where it cannot be stored', () => {
    expect(unholdableIn({ a: [{ b: `x${nul}` }], c: 'fine' }, 100)).toEqual([{ path: 'a.0.b', why: 'text' }]);
    expect(unholdableIn({ a: { b: {} } }, 2)).toEqual([{ path: 'a.b', why: 'depth' }]);
  });
});
