import { countOf } from '#src/lib/format.ts';

const minuteMs = 60_000;
/** A clock error in words: 5 minutes, 26 hours, 3 days. Null if it is less than half a minute. */
export const clockError = (ms: number): string | null => {
  const minutes = Math.round(Math.abs(ms) / minuteMs);
  if (minutes === 0) return null;
  if (minutes < 60) return countOf(minutes, 'minute');
  return minutes < 2880 ? countOf(Math.round(minutes / 60), 'hour') : countOf(Math.round(minutes / 1440), 'day');
};

/** States that the clock jumped while the device had no connection, so that nobody knows whether a time is right. */
export const clockOffWords = (ms: number): string =>
  `The clock of the device was ${clockError(ms) ?? 'a moment'} ${ms > 0 ? 'behind' : 'ahead'} when it was next connected: this time may be wrong by that.`;
