import { addDays, dayIn, dayWords, daysBetween, defaultTimeZone, instantOf, timeIn } from '#contract/rules/days.ts';

let zone = defaultTimeZone;
/** Says whose days and clock are shown: those of the organisation of who is signed in, wherever the tablet believes to be. */
export const showTimesOf = (timeZone: string | undefined): void => {
  zone = timeZone ?? defaultTimeZone;
};

/** The day of an instant where the organisation is, YYYY-MM-DD. What is a day already stays it. */
export const dayOf = (instant: string | Date): string => (typeof instant === 'string' && instant.length === 10 ? instant : dayIn(instant, zone));
/** The day some days from a time. */
export const dayFrom = (now: Date, days: number): string => addDays(dayOf(now), days);
/** When it is that day and time where the organisation is. */
export const instantAt = (day: string, time = '00:00'): string => instantOf(day, time, zone);
/** 21/11/2026 */
export const formatDay = (instant: string): string => dayWords(dayOf(instant));
/** 14:03 */
export const formatTime = (instant: string): string => timeIn(instant, zone);
/** 21/11/2026, 14:03 */
export const formatMoment = (instant: string): string => `${formatDay(instant)}, ${formatTime(instant)}`;

/** 2.4 MB, never less than 0.1 MB; from a thousand of them 1.2 GB. */
export const formatMegabytes = (bytes: number): string =>
  bytes >= 1_000_000_000 ? `${(bytes / 1_000_000_000).toFixed(1)} GB` : `${Math.max(bytes / 1_000_000, 0.1).toFixed(1)} MB`;

/** 1 course, 2 courses */
export const countOf = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** How far a day is from now, in words: today, in 3 days, 2 weeks ago. */
export const fromNow = (instant: string, now = Date.now()): string => {
  const days = daysBetween(dayOf(new Date(now)), dayOf(instant));
  const size = Math.abs(days);
  if (size === 0) return 'today';
  const text = size < 14 ? countOf(size, 'day') : size < 60 ? countOf(Math.round(size / 7), 'week') : countOf(Math.round(size / 30), 'month');
  return days > 0 ? `in ${text}` : `${text} ago`;
};
