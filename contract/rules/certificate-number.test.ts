import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certificateNumberWords, readCertificateNumber } from '#contract/rules/certificate-number.ts';

const letters = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
/** Every number that begins so; exactly one of 32 checks. */
const numbers = fc
  .array(fc.constantFrom(...letters), { minLength: 11, maxLength: 11 })
  .map((first) => letters.map((last) => [...first, last].join('')).filter((n) => readCertificateNumber(n) !== null))
  .map((found) => {
    expect(found).toHaveLength(1);
    return found[0] as string;
  });

describe('a certificate number', () => {
  it('is read however it is typed', () => {
    const looksLike: Record<string, string[]> = { '0': ['0', 'O', 'o'], '1': ['1', 'I', 'i', 'L', 'l'] };
    fc.assert(
      fc.property(numbers, fc.infiniteStream(fc.nat(59)), fc.constantFrom('', ' ', '-', '–', '\u00a0', '\t '), (number, choices, between) => {
        const typed = [...number]
          .map((letter) => {
            const ways = looksLike[letter] ?? [letter, letter.toLowerCase()];
            const choice = choices.next().value as number;
            return `${ways[choice % ways.length]}${choice % 4 === 0 ? between : ''}`;
          })
          .join('');
        expect(readCertificateNumber(` ${typed} `)).toBe(number);
        expect(readCertificateNumber(certificateNumberWords(number))).toBe(number);
      }),
    );
    expect(certificateNumberWords('ABCDEFGHJKMN')).toBe('ABCD-EFGH-JKMN');
  });
  it('with one wrong character, or with two that changed places, is recognised as none', () => {
    fc.assert(
      fc.property(numbers, fc.nat(11), fc.nat(11), fc.constantFrom(...letters), (number, a, b, letter) => {
        const wrong = number.slice(0, a) + letter + number.slice(a + 1);
        expect(readCertificateNumber(wrong)).toBe(letter === number[a] ? number : null);
        const swapped = [...number];
        [swapped[a], swapped[b]] = [number[b] as string, number[a] as string];
        expect(readCertificateNumber(swapped.join(''))).toBe(number[a] === number[b] ? number : null);
      }),
    );
  });
  it('has 12 characters and none beside those letters and digits', () => {
    fc.assert(
      fc.property(numbers, fc.string({ minLength: 1 }), (number, more) => {
        for (const typed of [number.slice(1), `${number}${number}`, number.replace(/.$/, 'U')]) expect(readCertificateNumber(typed)).toBeNull();
        const read = readCertificateNumber(number + more);
        expect(read === null || read === number).toBe(true);
      }),
    );
    expect(readCertificateNumber('')).toBeNull();
  });
});
