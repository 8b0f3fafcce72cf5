import type { reportedTypes, starterFilters } from '#contract/reports/filter.ts';
import { dayOfNumber, type MatrixCell } from '#contract/matrix/sheet.ts';
import type { ComplianceStatus } from '#contract/rules/compliance-status.ts';
import { dayWords } from '#contract/rules/days.ts';

export const statusWords: Record<ComplianceStatus, string> = {
  in_date: 'In date',
  expiring: 'Expires soon',
  expired: 'Expired',
  starter: 'New starter',
  missing: 'Missing',
  lapsed: 'No longer required',
  not_required: 'Not required',
};

/** A day of a sheet as 12/03/2027; empty where there is none. */
export const dayText = (day: number): string => {
  const date = dayOfNumber(day);
  return date === null ? '' : dayWords(date);
};
const short = new Map<number, string>();
/** A day of a sheet as 12/03/27. */
export const shortDay = (day: number): string => {
  const known = short.get(day);
  if (known !== undefined) return known;
  const text = dayText(day).replace(/\d\d(\d\d)$/, '$1');
  short.set(day, text);
  return text;
};

/** The words in a wide cell: when it expires, or its status. */
export const briefWords = ({ status, exempt, done, expires }: MatrixCell): string => {
  if (status === 'missing') return 'Missing';
  if (status === 'starter') return 'Starter';
  if (!done) return '';
  if (expires > 0) return shortDay(expires);
  return exempt ? 'Exempt' : 'No expiry';
};

/** The organisation's terms for its two kinds of requirement. */
export type KindWords = Record<'primary' | 'secondary', string>;
/** A person's status in a course, in full: status, dates, and how it counts, each in words of its own. */
export const cellParts = ({ status, type, exempt, other, done, completed, expires }: MatrixCell, kinds: KindWords): string[] => {
  const day = dayText(expires);
  return [
    exempt && done ? `exempt, ${statusWords[status].toLowerCase()}` : statusWords[status].toLowerCase(),
    done && (day === '' ? 'does not expire' : status === 'expired' || status === 'lapsed' ? `expired ${day}` : `expires ${day}`),
    done && completed > 0 && !exempt && `completed ${dayText(completed)}`,
    other && 'by another course',
    type === 'secondary' && kinds.secondary.toLowerCase(),
    type === 'none' && done && status !== 'lapsed' && 'not required',
  ].filter((part) => typeof part === 'string');
};
/** The same as a sentence. */
export const cellWords = (cell: MatrixCell, kinds: KindWords): string => cellParts(cell, kinds).join(', ');

/** 87 %; a dash if nothing is required. */
export const percentWords = (percent: number | null): string => (percent === null ? '–' : `${percent} %`);
/** The score with its numbers, in full. */
export const shareWords = (percent: number | null, inDate: number, required: number): string =>
  percent === null ? 'nothing required' : `${percent} % in date, ${inDate.toLocaleString('en-GB')} of ${required.toLocaleString('en-GB')}`;

/** The kind of requirements of a report, and how it treats new starters. */
export const requirementWords: Record<(typeof reportedTypes)[number], string> = {
  primary: 'Primary requirements',
  secondary: 'Secondary requirements',
  all: 'All requirements',
};
export const starterWords: Record<(typeof starterFilters)[number], string> = {
  include_new_starters: 'Everybody',
  exclude_new_starters: 'Without new starters',
  new_starters_only: 'New starters only',
};
