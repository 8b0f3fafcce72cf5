import { randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** A code for typing: 80 random bits as four groups of four unambiguous letters and digits. */
export const newTypedCode = (): string => {
  const text = [...randomBytes(16)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return (text.match(/.{4}/g) as string[]).join('-');
};
/** The normalised code: upper case, without spaces and dashes. */
export const typedCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();
