/** Encodings of uploaded tables, with the languages that use them. The first is the default. */
export const tableEncodings = {
  'windows-1252': 'Western European (Windows)',
  'windows-1250': 'Central European (Windows): Polish, Czech, Slovak, Hungarian, Romanian',
  'windows-1254': 'Turkish (Windows)',
  'windows-1257': 'Baltic (Windows): Lithuanian, Latvian, Estonian',
  'windows-1251': 'Cyrillic (Windows)',
  macintosh: 'Western European (older Macs)',
} as const;
export type TableEncoding = keyof typeof tableEncodings;
export const tableEncodingNames = Object.keys(tableEncodings) as [TableEncoding, ...TableEncoding[]];

/** Letters common in names in this encoding; its other letters are rare. */
const usual: Record<TableEncoding, string> = {
  'windows-1252': 'àáâãäåæçèéêëìíîïñòóôöøœßùúüÿ',
  'windows-1250': 'ąćęłńóśźżáčďéěíňřšťúůýžäöüőűăâîşţșțľĺŕôëç',
  'windows-1254': 'çğıöşüâîûéèáà',
  'windows-1257': 'ąčęėįšųūžāēģīķļņõäöü',
  'windows-1251': '',
  macintosh: 'àáâãäåæçèéêëìíîïñòóôõöøœßùúûü',
};

const quotesAndDashes = /[‘’‚“”„–—…€£°·•™®©§«»\u00A0]/;
const isLetter = (c: string | undefined): boolean => c !== undefined && /\p{L}/u.test(c) && !/[ªºµ]/.test(c);
const isSmall = (c: string | undefined) => c !== undefined && /\p{Ll}/u.test(c);

/** Scores how much a text resembles names and words: letters count for it; symbols, and capitals within words, against it. */
const resemblance = (text: string, encoding: TableEncoding): number => {
  let score = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const c = text[at] as string;
    if (c < '\u0080') {
      run = 0;
      continue;
    }
    const [before, after] = [text[at - 1], text[at + 1]];
    if (/[\u0080-\u009F\uFFFD]/.test(c)) score -= 5;
    else if (isLetter(c)) {
      run++;
      const cyrillic = /\p{Script=Cyrillic}/u.test(c);
      score += cyrillic || usual[encoding].includes(c.toLowerCase()) ? 1 : 0.2;
      if (!isSmall(c) && isSmall(before)) score -= 2;
      // Words of only such letters indicate another script.
      if (!cyrillic && run >= 3) score -= 1.5;
      // A single letter of another script within a word is unlikely.
      if (cyrillic && (/[a-z]/i.test(before ?? '') || /[a-z]/i.test(after ?? ''))) score -= 3;
    } else {
      run = 0;
      if (!quotesAndDashes.test(c) && (isLetter(before) || isLetter(after))) score -= 2;
    }
  }
  return score;
};

export type FoundEncoding = { encoding: 'utf-8' | 'utf-16le' | 'utf-16be'; sure: true } | { encoding: TableEncoding; sure: false };

const decodes = (bytes: Uint8Array, encoding: string, cut: boolean): boolean => {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cut });
    return true;
  } catch {
    return false;
  }
};
const looked = 300_000;

/**
 * A table's encoding. It is certain from a byte order mark, zero bytes or valid UTF-8; otherwise it is the most plausible one and
 * should be confirmed by a person. Null if the bytes are not text. `cut`: the data continues.
 */
export const encodingOf = (bytes: Uint8Array, cut = false): FoundEncoding | null => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { encoding: 'utf-16le', sure: true };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { encoding: 'utf-16be', sure: true };
  const head = bytes.subarray(0, looked);
  if (head.includes(0)) {
    const zeros = [0, 0];
    for (let at = 0; at < head.length; at++) if (head[at] === 0) zeros[at % 2] = (zeros[at % 2] as number) + 1;
    const [even, odd] = zeros as [number, number];
    // Latin text in UTF-16 without a byte order mark: every other byte is zero.
    if (odd > head.length * 0.3 && even < head.length * 0.02) return { encoding: 'utf-16le', sure: true };
    if (even > head.length * 0.3 && odd < head.length * 0.02) return { encoding: 'utf-16be', sure: true };
    return null;
  }
  if (decodes(bytes, 'utf-8', cut)) return { encoding: 'utf-8', sure: true };
  const scored = tableEncodingNames.map((encoding) => ({ encoding, score: resemblance(new TextDecoder(encoding).decode(head), encoding) }));
  const best = scored.reduce((a, b) => (b.score > a.score ? b : a));
  return { encoding: best.encoding, sure: false };
};

/** Lines with non-English letters, from which a person can tell whether an encoding is right. */
export const sampleLines = (text: string, most = 5): string[] =>
  text
    .split(/\r\n|\r|\n/)
    .filter((line) => /[^\0-\x7F]/.test(line))
    .slice(0, most)
    .map((line) => line.slice(0, 200));
