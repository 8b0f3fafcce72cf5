import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import bidiFactory from 'bidi-js';
import { type Font, type Glyph, openSync, type Subset } from 'fontkit';
import { typeface } from '#server/pdf/typeface.ts';

export type Face = keyof typeof typeface;
/** A font of a document is the object with this number and the ones that follow. */
export const objectsOfFont = 5;

const opened = new Map<Face, Font>();
const fontOf = (face: Face): Font => {
  const font = opened.get(face) ?? (openSync(typeface[face]) as Font);
  opened.set(face, font);
  return font;
};

/** The replacement for a character that the typeface lacks. */
const box = '□';
const controls = /[\p{Cc}\p{Cs}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const faces: readonly Face[] = ['regular', 'bold'];
const hasLetter = (letter: string) => faces.every((face) => fontOf(face).hasGlyphForCodePoint(letter.codePointAt(0) as number));

/** A text as it can be printed: on one line, each character that the typeface lacks as an empty box, without combining marks. */
export const printable = (text: string): string => {
  const clean = text.normalize('NFC').replace(controls, ' ').replace(/\s+/g, ' ').trim();
  return [...clean]
    .map((letter) => {
      if (hasLetter(letter)) return letter;
      const parts = [...letter.normalize('NFD')];
      if (parts.length > 1 && parts.every(hasLetter)) return parts.join('');
      return /^[\p{M}\p{Cf}]$/u.test(letter) ? '' : box;
    })
    .join('');
};
/** Whether the typeface lacks a character of this text. */
export const lacksLetters = (text: string): boolean => printable(text).includes(box) && !text.includes(box);

const bidi = bidiFactory();
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Splits a text into runs of one direction, in visual order. */
const piecesOf = (text: string): { text: string; direction: 'ltr' | 'rtl' }[] => {
  if (!rightToLeft.test(text)) return [{ text, direction: 'ltr' }];
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text);
  const pieces: { text: string; level: number }[] = [];
  for (let i = 0; i < text.length; i++) {
    const level = levels[i] ?? paragraphs[0]?.level ?? 0;
    const last = pieces.at(-1);
    const letter = (level & 1 && bidi.getMirroredCharacter(text.charAt(i))) || text.charAt(i);
    if (last?.level === level) last.text += letter;
    else pieces.push({ text: letter, level });
  }
  const most = Math.max(...pieces.map((p) => p.level));
  for (let level = most; level > 0; level--)
    for (let from = 0; from < pieces.length; from++) {
      let end = from;
      while (end < pieces.length && (pieces[end] as { level: number }).level >= level) end++;
      if (end - from > 1) pieces.splice(from, end - from, ...pieces.slice(from, end).reverse());
      if (end > from) from = end;
    }
  return pieces.map(({ text: t, level }) => ({ text: t, direction: level & 1 ? 'rtl' : 'ltr' }));
};

/** A shaped text: `show` is the operand of TJ, `width` is in thousandths of its size. */
export type Line = {
  face: Face;
  show: string;
  width: number;
  /** The actual text, if it cannot be extracted from the glyphs: for right-to-left runs or missing characters. */
  says: string | null;
};

const hex = (n: number) => n.toString(16).padStart(4, '0');
/** A text for a dictionary, in UTF-16. */
export const pdfText = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

/** The glyphs of one face that a batch needs, collected as they are used. */
const createFace = (face: Face) => {
  const font = fontOf(face);
  const scale = 1000 / font.unitsPerEm;
  const subset: Subset = font.createSubset();
  const widths: number[] = [font.getGlyph(0).advanceWidth * scale];
  const letters: string[] = [''];
  const idOf = (glyph: Glyph): number => {
    // Returns the number of the glyph in the subset, contrary to its type.
    const id = subset.includeGlyph(glyph.id as never) as unknown as number;
    if (widths[id] === undefined) {
      widths[id] = glyph.advanceWidth * scale;
      letters[id] = String.fromCodePoint(...glyph.codePoints);
    }
    return id;
  };
  const shape = (text: string): Line => {
    const printed = printable(text);
    const shown: string[] = [];
    let held = '';
    let width = 0;
    const move = (distance: number) => {
      if (Math.abs(distance) < 0.05) return;
      if (held) shown.push(`<${held}>`);
      held = '';
      shown.push(String(Math.round(distance * 10) / 10));
    };
    for (const piece of piecesOf(printed)) {
      const { glyphs, positions } = font.layout(piece.text, undefined, undefined, undefined, piece.direction);
      for (const [i, glyph] of glyphs.entries()) {
        const position = positions[i] as { xAdvance: number; xOffset: number; yOffset: number };
        const id = idOf(glyph);
        const [offset, advance, own] = [position.xOffset * scale, position.xAdvance * scale, widths[id] as number];
        move(-offset);
        held += hex(id);
        move(own - advance + offset);
        width += advance;
      }
    }
    if (held) shown.push(`<${held}>`);
    const plain = !rightToLeft.test(printed) && !lacksLetters(text);
    return { face, show: `[${shown.join('')}]`, width, says: plain ? null : text.replace(controls, ' ') };
  };

  let encoded: Buffer | null = null;
  /** The font file with the used glyphs. */
  const encode = (): Buffer => {
    encoded ??= Buffer.from(subset.encode());
    return encoded;
  };
  /** The objects of the font, from this number on. */
  const objects = (first: number, tag: string): (string | { dict: string; bytes: Buffer })[] => {
    const file = encode();
    const packed = deflateSync(file);
    const name = `${tag}+${font.postscriptName}`;
    const blocks: string[] = [];
    const meant = letters.map((l, id) => [id, l] as const).filter(([id, l]) => id > 0 && l);
    for (let i = 0; i < meant.length; i += 100) {
      const some = meant.slice(i, i + 100);
      const lines = some.map(([id, l]) => `<${hex(id)}> <${Buffer.from(l, 'utf16le').swap16().toString('hex')}>`);
      blocks.push(`${some.length} beginbfchar\n${lines.join('\n')}\nendbfchar`);
    }
    const map = deflateSync(
      `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n${blocks.join('\n')}\nendcmap\nCMapName currentdict /CMap defineresource pop\nend\nend`,
    );
    const scaled = (n: number) => Math.round(n * scale);
    const { minX, minY, maxX, maxY } = font.bbox;
    const advances = widths.map((w) => Math.round(w * 10) / 10).join(' ');
    return [
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${first + 1} 0 R] /ToUnicode ${first + 4} 0 R >>`,
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${first + 2} 0 R /CIDToGIDMap /Identity /DW 0 /W [0 [${advances}]] >>`,
      `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${scaled(minX)} ${scaled(minY)} ${scaled(maxX)} ${scaled(maxY)}] /ItalicAngle 0 /Ascent ${scaled(font.ascent)} /Descent ${scaled(font.descent)} /CapHeight 729 /StemV ${face === 'bold' ? 140 : 80} /FontFile2 ${first + 3} 0 R >>`,
      { dict: `/Length1 ${file.length} /Filter /FlateDecode`, bytes: packed },
      { dict: '/Filter /FlateDecode', bytes: map },
    ];
  };
  return { shape, encode, objects };
};

/** The typeface of a batch of documents: texts are shaped with it, and afterwards the used glyphs are embedded. */
export const createLetters = () => {
  const chosen = { regular: createFace('regular'), bold: createFace('bold') };
  const set = new Map<string, Line>();
  /** Lines shared by a batch are shaped once. */
  const line = (text: string, face: Face): Line => {
    const key = `${face} ${text}`;
    const known = set.get(key) ?? chosen[face].shape(text);
    set.set(key, known);
    return known;
  };
  return {
    line,
    /** Prepares the fonts, one per event-loop turn: each takes about 10 ms. No text can be shaped afterwards. */
    close: async () => {
      for (const face of faces) {
        await nextTurn();
        chosen[face].encode();
      }
      await nextTurn();
    },
    /** The two fonts, `/regular` and `/bold`, as objects from this number on. No text can be shaped afterwards. */
    objects: (first: number) => [...chosen.regular.objects(first, 'LANTRN'), ...chosen.bold.objects(first + objectsOfFont, 'LANTRB')],
  };
};
export type Letters = ReturnType<typeof createLetters>;
