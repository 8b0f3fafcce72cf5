import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gapSegments, gapText, withGap } from '#src/screens/authoring/gap-text.ts';

describe('a text with gaps', () => {
  it('has each gap in brackets, with all that is accepted', () => {
    expect(gapSegments('Wash with [soap| liquid soap] for [20] seconds.')).toEqual([
      'Wash with ',
      { accepted: ['soap', 'liquid soap'] },
      ' for ',
      { accepted: ['20'] },
      ' seconds.',
    ]);
    expect(gapSegments('Nothing')).toEqual(['Nothing']);
    expect(gapSegments('')).toEqual([]);
  });
  it('keeps an empty gap, for which nothing is accepted yet', () => {
    expect(gapSegments('a [ ] b')).toEqual(['a ', { accepted: [] }, ' b']);
  });
  it('takes a bracket that is not closed, and one after a backslash, as a character', () => {
    expect(gapSegments('a [b')).toEqual(['a [b']);
    expect(gapSegments('a \\[b\\] c')).toEqual(['a [b] c']);
    expect(gapSegments('a ] b')).toEqual(['a ] b']);
    expect(gapSegments('[a[b]')).toEqual([{ accepted: ['a[b'] }]);
  });
  it('comes back as it was, whatever is in it', () => {
    const word = fc
      .string({ minLength: 1 })
      .map((s) => s.trim())
      .filter((s) => s !== '');
    const gap = fc.record({ accepted: fc.array(word, { minLength: 1, maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ minLength: 1 }), gap)), fc.string(), (parts, end) => {
        const segments = [...parts.flat(), ...(end ? [end] : [])];
        expect(gapSegments(gapText(segments))).toEqual(segments);
      }),
    );
  });
  it('gets a gap from what is selected, without the spaces around it', () => {
    expect(withGap('Wash with soap today', 9, 15)).toBe('Wash with [soap] today');
    expect(withGap('a [b c] d', 3, 4)).toBe('a [b c] d');
    expect(withGap('a [b] d', 0, 5)).toBe('a [b] d');
    expect(withGap('a b', 1, 2)).toBe('a b');
  });
});
