/** Cut and wrapped texts are cached, because measuring is slow. */
const cacheLimit = 4000;
let cache = new Map<string, Map<string, string>>();
let cacheSize = 0;

const cached = (kind: string, text: string, make: () => string): string => {
  let texts = cache.get(kind);
  const found = texts?.get(text);
  if (found !== undefined) return found;
  if (cacheSize >= cacheLimit) {
    cache = new Map();
    cacheSize = 0;
    texts = undefined;
  }
  if (!texts) {
    texts = new Map();
    cache.set(kind, texts);
  }
  const result = make();
  texts.set(text, result);
  cacheSize++;
  return result;
};

type Pen = Pick<CanvasRenderingContext2D, 'font' | 'measureText'>;
const cut = (pen: Pen, text: string, width: number): string => {
  const whole = pen.measureText(text).width;
  if (whole <= width) return text;
  const shortened = (end: number) => `${text.slice(0, end).trimEnd()}…`;
  // Starts where the text would end if all letters had the same width, to measure as little as possible.
  let end = Math.floor((text.length * width) / whole);
  while (end > 0 && pen.measureText(shortened(end)).width > width) end--;
  while (end < text.length - 1 && pen.measureText(shortened(end + 1)).width <= width) end++;
  return shortened(end);
};

/** A text in the pen's font, cut with an ellipsis if it is wider than `width`. */
export const fitText = (pen: Pen, text: string, width: number): string =>
  cached(`${pen.font} ${Math.floor(width)}`, text, () => cut(pen, text, width));

/** A text in the pen's font in at most `maxLines` lines; the last is cut with an ellipsis if there is more. */
export const wrapText = (pen: Pen, text: string, width: number, maxLines: number): readonly string[] => {
  const wrapped = cached(`${pen.font} ${Math.floor(width)} ${maxLines}`, text, () => {
    const lines: string[] = [];
    let line = '';
    const words = text.split(/\s+/).filter(Boolean);
    for (const [i, word] of words.entries()) {
      const longer = line === '' ? word : `${line} ${word}`;
      if (line === '' || pen.measureText(longer).width <= width) {
        line = longer;
        continue;
      }
      if (lines.length === maxLines - 1) {
        line = [line, ...words.slice(i)].join(' ');
        break;
      }
      lines.push(line);
      line = word;
    }
    return [...lines, line].map((one) => cut(pen, one, width)).join('\n');
  });
  return wrapped.split('\n');
};

/** Clears the cache. To be called when a font has loaded. */
export const forgetTexts = (): void => {
  cache = new Map();
  cacheSize = 0;
};
