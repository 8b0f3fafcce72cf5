import { addDays, dayIn, dayWords, daysBetween, defaultTimeZone, instantOf, timeIn } from '#contract/rules/days.ts';

let zone = defaultTimeZone;
/** Sets the time zone for dates and times: that of the signed-in person's organisation, whatever the device's setting. */
export const showTimesOf = (timeZone: string | undefined): void => {
  zone = timeZone ?? defaultTimeZone;
};

/** The date of an instant in the organisation's time zone, YYYY-MM-DD. Dates are returned unchanged. */
export const dayOf = (instant: string | Date): string => (typeof instant === 'string' && instant.length === 10 ? instant : dayIn(instant, zone));
/** The date a number of days after a time. */
export const dayFrom = (now: Date, days: number): string => addDays(dayOf(now), days);
/** The instant of a date and time in the organisation's time zone. */
export const instantAt = (day: string, time = '00:00'): string => instantOf(day, time, zone);
/** 21/11/2026 */
export const formatDay = (instant: string): string => dayWords(dayOf(instant));
/** 14:03 */
export const formatTime = (instant: string): string => timeIn(instant, zone);
/** 21/11/2026, 14:03 */
export const formatMoment = (instant: string): string => `${formatDay(instant)}, ${formatTime(instant)}`;

/** 2.4 MB, at least 0.1 MB; from 1,000 MB as 1.2 GB. */
export const formatMegabytes = (bytes: number): string =>
  bytes >= 1_000_000_000 ? `${(bytes / 1_000_000_000).toFixed(1)} GB` : `${Math.max(bytes / 1_000_000, 0.1).toFixed(1)} MB`;

/** 1 course, 2 courses */
export const countOf = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`;

/** A date relative to now: today, in 3 days, 2 weeks ago. */
export const fromNow = (instant: string, now = Date.now()): string => {
  const days = daysBetween(dayOf(new Date(now)), dayOf(instant));
  const size = Math.abs(days);
  if (size === 0) return 'today';
  const text = size < 14 ? countOf(size, 'day') : size < 60 ? countOf(Math.round(size / 7), 'week') : countOf(Math.round(size / 30), 'month');
  return days > 0 ? `in ${text}` : `${text} ago`;
};

/** When somebody starts (YYYY-MM-DD), in the words of today: Started 21/11/2026, or Starts 25/12/2026 before that day. */
export const startWords = (started_on: string, now = new Date()): string =>
  `${started_on > dayOf(now) ? 'Starts' : 'Started'} ${formatDay(started_on)}`;
