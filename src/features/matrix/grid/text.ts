/** Texts that were cut or broken are kept, up to this many. */
const kept = 4000;
let known = new Map<string, Map<string, string>>();
let count = 0;

const keep = (kind: string, text: string, make: () => string): string => {
  let own = known.get(kind);
  const found = own?.get(text);
  if (found !== undefined) return found;
  if (count >= kept) {
    known = new Map();
    count = 0;
    own = undefined;
  }
  if (!own) {
    own = new Map();
    known.set(kind, own);
  }
  const made = make();
  own.set(text, made);
  count++;
  return made;
};

type Pen = Pick<CanvasRenderingContext2D, 'font' | 'measureText'>;
const cut = (pen: Pen, text: string, width: number): string => {
  const whole = pen.measureText(text).width;
  if (whole <= width) return text;
  const until = (end: number) => `${text.slice(0, end).trimEnd()}…`;
  // Begun where it would end if all letters were of one width: measuring is what takes the time.
  let end = Math.floor((text.length * width) / whole);
  while (end > 0 && pen.measureText(until(end)).width > width) end--;
  while (end < text.length - 1 && pen.measureText(until(end + 1)).width <= width) end++;
  return until(end);
};

/** A text in the pen's font, cut with an ellipsis where it is wider than there is room. */
export const fitted = (pen: Pen, text: string, width: number): string => keep(`${pen.font} ${Math.floor(width)}`, text, () => cut(pen, text, width));

/** A text in lines of at most a width, at most so many; the last is cut where there is more. */
export const wrap = (pen: Pen, text: string, width: number, most: number): readonly string[] => {
  const broken = keep(`${pen.font} ${Math.floor(width)} ${most}`, text, () => {
    const lines: string[] = [];
    let line = '';
    const words = text.split(/\s+/).filter(Boolean);
    for (const [i, word] of words.entries()) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line === '' || pen.measureText(longer).width <= width) {
        line = longer;
        continue;
      }
      if (lines.length === most - 1) {
        line = [line, ...words.slice(i)].join(' ');
        break;
      }
      lines.push(line);
      line = word;
    }
    return [...lines, line].map((one) => cut(pen, one, width)).join('\n');
  });
  return broken.split('\n');
};

/** Call where texts have other widths than before. */
export const forgetTexts = (): void => {
  known = new Map();
  count = 0;
};
