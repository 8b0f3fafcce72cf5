/**
 * Text that PostgreSQL can store: it refuses U+0000, and its JSON unpaired surrogates. In a person's text they are a validation
 * error; a package's text is encoded without loss: `mark` and the text, with each such character and U+001A itself as U+001A and
 * four hexadecimal digits. Encoding is idempotent.
 */
const escapeChar = '\u001a';
const mark = `${escapeChar}text:`;
const unholdable = /\0|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const all = new RegExp(`${unholdable.source}|${escapeChar}`, 'g');

export const isHoldable = (text: string): boolean => !unholdable.test(text);

export const encodeText = (text: string): string =>
  isHoldable(text) ? text : mark + text.replace(all, (c) => escapeChar + c.charCodeAt(0).toString(16).padStart(4, '0'));

/** The original text. */
export const decodeText = (text: string): string =>
  text.startsWith(mark)
    ? text
        .slice(mark.length)
        .replace(new RegExp(`${escapeChar}([0-9a-f]{4})`, 'g'), (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

/** Applies `change` to every string of a value, including keys, at any depth. */
const withTexts = (value: unknown, change: (text: string) => string): unknown => {
  const root: unknown[] = [value];
  const waiting: [Record<string, unknown> | unknown[], string | number][] = [[root, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [holder, key] = next as [Record<string | number, unknown>, string | number];
    const now = holder[key];
    if (typeof now === 'string') holder[key] = change(now);
    else if (Array.isArray(now)) {
      const copy = [...now];
      holder[key] = copy;
      copy.forEach((_, i) => {
        waiting.push([copy, i]);
      });
    } else if (now !== null && typeof now === 'object') {
      const copy: Record<string, unknown> = Object.fromEntries(Object.entries(now).map(([k, v]) => [change(k), v]));
      holder[key] = copy;
      for (const k of Object.keys(copy)) waiting.push([copy, k]);
    }
  }
  return root[0];
};
export const encodeTexts = <T>(value: T): T => withTexts(value, encodeText) as T;
export const decodeTexts = <T>(value: T): T => withTexts(value, decodeText) as T;

/** Paths (with dots) of strings that cannot be stored, and of values nested deeper than `deepest`. */
export const unholdableIn = (value: unknown, deepest: number): { path: string; why: 'text' | 'depth' }[] => {
  const found: { path: string; why: 'text' | 'depth' }[] = [];
  const waiting: { value: unknown; path: readonly string[] }[] = [{ value, path: [] }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: now, path } = next;
    if (typeof now === 'string') {
      if (!isHoldable(now)) found.push({ path: path.join('.'), why: 'text' });
    } else if (now !== null && typeof now === 'object') {
      if (path.length >= deepest) {
        found.push({ path: path.join('.'), why: 'depth' });
        continue;
      }
      for (const [key, inner] of Object.entries(now)) {
        if (!isHoldable(key)) found.push({ path: path.join('.'), why: 'text' });
        waiting.push({ value: inner, path: [...path, key] });
      }
    }
  }
  return found;
};
