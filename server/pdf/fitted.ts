import type { Face, Letters, Line } from '#server/pdf/letters.ts';

/** A text on one or more lines of one size; `says` is read aloud instead of its letters. */
export type Fitted = { lines: readonly Line[]; size: number; says: string | null };
type Space = { size: number; width: number; height: number };

/** Below this, a smaller size is harder to read than a second line. */
const oneLineShare = 0.6;
export const lineHeight = 1.2;
const step = 0.5;
const least = 4;

const widthOf = (line: Line, size: number) => (line.width * size) / 1000;

/** Wraps the text to this width; a word wider than a line is broken at its end. */
export const wrapped = (letters: Letters, text: string, face: Face, size: number, width: number): string[] => {
  const fits = (some: string) => widthOf(letters.line(some, face), size) <= width;
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const longer = line ? `${line} ${word}` : word;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    line = '';
    for (const letter of fits(word) ? [word] : word) {
      if (line && !fits(line + letter)) {
        lines.push(line);
        line = '';
      }
      line += letter;
    }
  }
  return line ? [...lines, line] : lines;
};

/** Sets a text as large as fits, up to this size: first smaller on one line, then on several, whatever its length. */
export const fitted = (letters: Letters, text: string, face: Face, { size, width, height }: Space): Fitted => {
  const whole = letters.line(text, face);
  const one = Math.min(size, Math.floor((width * 1000) / Math.max(whole.width, 1) / step) * step);
  if (one >= size * oneLineShare) return { lines: [whole], size: one, says: whole.says };
  for (let smaller = size * oneLineShare; ; smaller -= step) {
    const lines = wrapped(letters, text, face, smaller, width);
    if (lines.length * smaller * lineHeight <= height || smaller <= least)
      return { lines: lines.map((line) => letters.line(line, face)), size: smaller, says: text };
  }
};
