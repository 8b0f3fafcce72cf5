import { describe, expect, it } from 'vitest';
import { Line, Name } from '#contract/entities/fields.ts';

describe('a name', () => {
  it('is a single line, so that it cannot pass for further text of an e-mail or list', () => {
    for (const name of ['Ann\nOpen http://evil.test', 'Ann\r\nBcc: x@y.test', 'Ann\tB', 'Ann\u2028B', 'Ann\u0000', 'Ann \u202enna', 'Ann\u0085B'])
      expect([name, Name.safeParse(name).error?.issues[0]?.message]).toEqual([name, 'Use a single line, without line breaks or control characters.']);
    for (const name of ['Ann', 'Zoë O’Brien-Ní Bhriain', '李 小龙', 'محمد', '  Ann  ', 'Ann\n'])
      expect([name, Name.safeParse(name).data]).toEqual([name, name.trim()]);
  });
  it('is optional where no line is required', () => {
    expect(Line(5).safeParse('').success).toBe(true);
    expect(Line(5).safeParse('123456').success).toBe(false);
  });
});
