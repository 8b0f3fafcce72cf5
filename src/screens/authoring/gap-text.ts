/**
 * A text with gaps as typed: each gap in brackets, with all accepted answers: “Wash with [soap|liquid soap].” A
 * backslash escapes a bracket, a bar or a backslash.
 */
export type Segment = string | { accepted: string[] };

const escaped = (text: string): string => text.replace(/[[\]|\\]/g, '\\$&');

/** The text of these segments. */
export const gapText = (segments: readonly Segment[]): string =>
  segments.map((s) => (typeof s === 'string' ? escaped(s) : `[${s.accepted.map(escaped).join('|')}]`)).join('');

/** The segments of a text. An unclosed bracket is an ordinary character. */
export const gapSegments = (text: string): Segment[] => {
  const segments: Segment[] = [];
  let plain = '';
  /** What was read since the opening bracket. */
  let gap: { raw: string; accepted: string[] } | null = null;
  const literal = (char: string) => {
    if (gap) gap.accepted[gap.accepted.length - 1] += char;
    else plain += char;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    const next = text[i + 1];
    const isEscape = char === '\\' && next !== undefined && '[]|\\'.includes(next);
    if (isEscape) {
      literal(next);
      if (gap) gap.raw += next;
      i++;
    } else if (char === '[' && !gap) gap = { raw: '', accepted: [''] };
    else if (char === ']' && gap) {
      if (plain !== '') segments.push(plain);
      plain = '';
      segments.push({ accepted: gap.accepted.map((a) => a.trim()).filter((a) => a !== '') });
      gap = null;
    } else {
      if (char === '|' && gap) gap.accepted.push('');
      else literal(char);
      if (gap) gap.raw += char;
    }
  }
  if (gap) plain += `[${gap.raw}`;
  if (plain !== '') segments.push(plain);
  return segments;
};

/** The text with the selection turned into a gap. Surrounding spaces stay outside; selecting part of a gap changes nothing. */
export const withGap = (text: string, from: number, to: number): string => {
  const chosen = text.slice(from, to);
  const bare = chosen.trim();
  if (bare === '' || /[[\]]/.test(chosen)) return text;
  const before = text.slice(0, from);
  if (before.lastIndexOf('[') > before.lastIndexOf(']')) return text;
  const start = from + chosen.indexOf(bare);
  return `${text.slice(0, start)}[${bare}]${text.slice(start + bare.length)}`;
};
