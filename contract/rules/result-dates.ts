import { addDays, addMonthsToDay, dayIn, endOfDay, instantOf } from '#contract/rules/days.ts';

/** Whether an expiry day is after the completion day. Days as YYYY-MM-DD. */
export const isExpiryAfter = ({
  completed_on,
  expiry,
  expires_on,
}: {
  completed_on?: string;
  expiry?: string;
  expires_on?: string | null;
}): boolean => expiry !== 'day' || !expires_on || !completed_on || expires_on > completed_on;

/** The instant at which something completed on a day counts as completed: noon there. */
export const completionOf = (day: string, zone: string): string => instantOf(day, '12:00', zone);

/** The instant at which something valid until a day expires: the last second of that day. */
export const endOfValidity = (day: string, zone: string): string => endOfDay(day, zone);

/** The last day on which something is valid: the inverse of `endOfValidity`, and the day of any other instant. */
export const lastValidDay = (expires_at: string, zone: string): string => dayIn(expires_at, zone);

export const renewalKinds = ['rolling', 'window', 'fixed'] as const;
/**
 * How long a completion is valid. `months` 0 or null: it does not expire. `rolling`: so many months from completion. `window`: the same, but
 * a renewal within `window` days before the expiry is valid from the old expiry. `fixed`: until a day of the year (`on`, MM-DD) that is
 * the same for everyone; a completion within `window` days before it is valid until the one after.
 */
export type Renewal = { kind: (typeof renewalKinds)[number]; months: number | null; window: number; on: string | null };

/** Whether this is a day of the year, as MM-DD. */
export const isDayOfYear = (on: string): boolean => /^\d\d-\d\d$/.test(on) && dayIn(`2024-${on}T12:00:00Z`, 'UTC').slice(5) === on;

/** A day of the year in a year; 29 February is 28 February where there is none. */
const dayOfYear = (year: number, on: string): string => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return `${String(year).padStart(4, '0')}-${on === '02-29' && !leap ? '02-28' : on}`;
};

/**
 * When a completion expires, at the end of a day; null for never. `previous` is when the one before it expires or expired. Instants in UTC; days
 * are counted in `zone`. Later completions never expire earlier under the same rule, except that a missed `window` starts again.
 */
export const expiryOf = (completed_at: string, previous: string | null, { kind, months, window, on }: Renewal, zone: string): string | null => {
  if (!months) return null;
  const day = dayIn(completed_at, zone);
  const monthsFrom = (from: string) => endOfValidity(addMonthsToDay(from, months), zone);
  if (kind === 'window' && previous !== null) {
    const last = lastValidDay(previous, zone);
    return day >= addDays(last, -window) && day <= last ? monthsFrom(last) : monthsFrom(day);
  }
  if (kind === 'fixed' && on !== null) {
    const year = Number(day.slice(0, 4));
    // The first such day after completion whose window has not opened yet; then further years according to the period.
    const first = [year, year + 1, year + 2].find((y) => addDays(dayOfYear(y, on), -window) > day) ?? year + 2;
    return endOfValidity(dayOfYear(first + Math.max(0, Math.ceil(months / 12) - 1), on), zone);
  }
  return monthsFrom(day);
};
