import { randomBytes } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** A secret that a person types: 80 random bits as four groups of four letters and digits that are not mistaken for each other. */
export const newTypedCode = (): string => {
  const text = [...randomBytes(16)].map((byte) => alphabet[byte % alphabet.length]).join('');
  return (text.match(/.{4}/g) as string[]).join('-');
};
/** The same however it was typed: in any case, with or without spaces and dashes. */
export const typedCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();
