/** A yes or a no, as people and programs write it; undefined where it is neither. */
export const yesOrNo = (text: string): boolean | undefined =>
  /^(1|y|yes|true|t|x|on)$/i.test(text) ? true : /^(0|n|no|false|f|off|-)$/i.test(text) ? false : undefined;

const twoDigits = (n: number) => String(n).padStart(2, '0');

/**
 * A day as YYYY-MM-DD from 2026-11-30 (also with a time behind it) or, as it is written in Britain, 30/11/2026, 30.11.2026 or
 * 30-11-2026; undefined where it is no day that there is.
 */
export const dayOf = (text: string): string | undefined => {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})([T ].*)?$/.exec(text);
  const british = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text);
  const [year, month, day] = iso ? [iso[1], iso[2], iso[3]].map(Number) : british ? [british[3], british[2], british[1]].map(Number) : [];
  if (!year || !month || !day || year < 1900 || year > 2099) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? `${year}-${twoDigits(month)}-${twoDigits(day)}` : undefined;
};

/** How a name of a column is compared: small letters and digits. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
