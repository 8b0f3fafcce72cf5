/**
 * The number of a certificate: 12 letters and digits without lookalikes (I, L, O, U). The last is a check digit that detects
 * any one wrong character and any two transposed ones. Migration 0057 generates them. Pure.
 */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const written = /^[0-9A-HJKMNP-TV-Z]{12}$/;

/** The remainder of the number as a polynomial over the field of 32 elements (x⁵ = x² + 1), at its generator; 0 for a right one. */
const remainderOf = (number: string): number =>
  [...number].reduce((sum, letter) => ((sum << 1) & 31) ^ (sum >= 16 ? 5 : 0) ^ letters.indexOf(letter), 0);

/** The number that somebody typed: lower case, spaces or hyphens, O for 0, I or L for 1 are accepted. Null if no certificate can have it. */
export const readCertificateNumber = (typed: string): string | null => {
  const number = typed
    .toUpperCase()
    .replace(/[\s\p{Pd}]/gu, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1');
  return written.test(number) && remainderOf(number) === 0 ? number : null;
};

/** As printed: 7K3M-9QXB-2F4D. */
export const certificateNumberWords = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1-');
