/** Parses yes or no in the forms that people and programs use; undefined if neither. */
export const yesOrNo = (text: string): boolean | undefined =>
  /^(1|y|yes|true|t|x|on)$/i.test(text) ? true : /^(0|n|no|false|f|off|-)$/i.test(text) ? false : undefined;

const twoDigits = (n: number) => String(n).padStart(2, '0');

/**
 * Parses a date as YYYY-MM-DD: 2026-11-30 (optionally followed by a time) or, in British order, 30/11/2026, 30.11.2026 or
 * 30-11-2026; undefined if it is not a valid date.
 */
export const dayOf = (text: string): string | undefined => {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})([T ].*)?$/.exec(text);
  const british = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text);
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]].map(Number) : british ? [british[3], british[2], british[1]].map(Number) : [];
  if (!year || !month || !day || year < 1900 || year > 2099) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? `${year}-${twoDigits(month)}-${twoDigits(day)}` : undefined;
};

/** Normalises a column name for comparison: lower-case letters and digits only. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
