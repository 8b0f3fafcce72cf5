/**
 * A text with gaps, as it is typed: each gap in brackets, with everything that is accepted in it: “Wash with [soap|liquid soap].” A
 * backslash before a bracket, a bar or a backslash makes it an ordinary character.
 */
export type Segment = string | { accepted: string[] };

const escaped = (text: string): string => text.replace(/[[\]|\\]/g, '\\$&');

/** The text of these segments. */
export const gapText = (segments: readonly Segment[]): string =>
  segments.map((s) => (typeof s === 'string' ? escaped(s) : `[${s.accepted.map(escaped).join('|')}]`)).join('');

/** The segments of a text. A bracket that is not closed is an ordinary character. */
export const gapSegments = (text: string): Segment[] => {
  const segments: Segment[] = [];
  let plain = '';
  /** What was read since a bracket was opened. */
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

/** The text with what is selected as a gap. Spaces around it stay outside; a selection of a part of a gap changes nothing. */
export const withGap = (text: string, from: number, to: number): string => {
  const chosen = text.slice(from, to);
  const bare = chosen.trim();
  if (bare === '' || /[[\]]/.test(chosen)) return text;
  const before = text.slice(0, from);
  if (before.lastIndexOf('[') > before.lastIndexOf(']')) return text;
  const start = from + chosen.indexOf(bare);
  return `${text.slice(0, start)}[${bare}]${text.slice(start + bare.length)}`;
};
