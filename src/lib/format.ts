const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: '2-digit', year: 'numeric' });
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hour12: false });

/** 21/11/2026 */
export const formatDay = (instant: string): string => day.format(new Date(instant));
/** 14:03 */
export const formatTime = (instant: string): string => time.format(new Date(instant));
/** 21/11/2026, 14:03 */
export const formatMoment = (instant: string): string => `${formatDay(instant)}, ${formatTime(instant)}`;

/** 2.4 MB, never less than 0.1 MB; from a thousand of them 1.2 GB. */
export const formatMegabytes = (bytes: number): string =>
  bytes >= 1_000_000_000 ? `${(bytes / 1_000_000_000).toFixed(1)} GB` : `${Math.max(bytes / 1_000_000, 0.1).toFixed(1)} MB`;

/** 1 course, 2 courses */
export const countOf = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

/** How far a day is from now, in words: today, in 3 days, 2 weeks ago. */
export const fromNow = (instant: string, now = Date.now()): string => {
  const days = Math.round((Date.parse(instant) - now) / 86_400_000);
  const size = Math.abs(days);
  if (size === 0) return 'today';
  const text = size < 14 ? countOf(size, 'day') : size < 60 ? countOf(Math.round(size / 7), 'week') : countOf(Math.round(size / 30), 'month');
  return days > 0 ? `in ${text}` : `${text} ago`;
};
