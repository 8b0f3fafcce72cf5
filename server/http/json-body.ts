import { ProductError } from '#server/product-error.ts';

/**
 * Limits of a request body. A device that sends 2,000 sealed entries uses 40,000 values, a course 20,000. Within these limits
 * parsing takes some tens of milliseconds; without them, a body full of brackets would block the server for seconds.
 */
export const jsonLimits = { depth: 64, values: 250_000 };

const [quote, backslash, comma] = ['"', '\\', ','].map((c) => c.charCodeAt(0)) as [number, number, number];
const [openList, closeList, openObject, closeObject] = ['[', ']', '{', '}'].map((c) => c.charCodeAt(0)) as [number, number, number, number];

/** Index of the closing quotation mark of a string begun before `from`; past the end if there is none. */
const endOfText = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
};

/** The limit that a JSON text exceeds, or null. Reads each character once and stores nothing. */
export const jsonBeyond = (text: string, limits: { depth: number; values: number }): 'depth' | 'values' | null => {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === quote) i = endOfText(text, i + 1);
    else if (c === openList || c === openObject) {
      values++;
      if (++depth > limits.depth) return 'depth';
    } else if (c === closeList || c === closeObject) depth--;
    else if (c === comma) values++;
    if (values > limits.values) return 'values';
  }
  return null;
};

/** Parses a body; undefined if empty. Throws `malformed` if it is not JSON, is nested too deeply or has too many values. */
export const parseJsonBody = (text: string): unknown => {
  if (text === '') return undefined;
  if (jsonBeyond(text, jsonLimits))
    throw new ProductError('malformed', {
      message: `A request may hold ${jsonLimits.values.toLocaleString('en-GB')} values, nested ${jsonLimits.depth} deep.`,
    });
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ProductError('malformed');
  }
};
