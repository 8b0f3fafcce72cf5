import { addDays, dayIn, instantOf } from '#contract/rules/days.ts';

export const frequencies = ['daily', 'weekly', 'monthly'] as const;
/** A recurring schedule, in an organisation's time zone. */
export type Rhythm = {
  frequency: (typeof frequencies)[number];
  /** For weekly schedules: 1 is Monday. */
  weekday: number | null;
  /** For monthly schedules: in a shorter month, its last day. */
  month_day: number | null;
  /** HH:MM. */
  send_at: string;
};

const lastOfMonth = (day: string): number => new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();
const isOn = ({ frequency, weekday, month_day }: Rhythm, day: string): boolean => {
  if (frequency === 'daily') return true;
  if (frequency === 'weekly') return (new Date(`${day}T00:00:00Z`).getUTCDay() || 7) === weekday;
  return Number(day.slice(8)) === Math.min(month_day ?? 1, lastOfMonth(day));
};

/**
 * The first run after an instant, as an instant: once on each scheduled day, at the same local time across clock changes. A skipped time moves
 * forward by the length of the gap; of a repeated time the first counts. Pure.
 */
export const nextRun = (rhythm: Rhythm, after: string | Date, zone: string): string => {
  const from = typeof after === 'string' ? after : after.toISOString();
  // From the day before, because the local day may differ; 32 days contain each day of a month.
  for (let day = addDays(dayIn(from, zone), -1), n = 0; n <= 33; day = addDays(day, 1), n++) {
    if (!isOn(rhythm, day)) continue;
    const sendAt = instantOf(day, rhythm.send_at, zone);
    if (sendAt > from) return sendAt;
  }
  throw new Error('a rhythm without a day');
};

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const weekdayWords = (weekday: number): string => weekdays[weekday - 1] ?? '';
const ordinal = (n: number): string =>
  `${n}${n % 10 === 1 && n !== 11 ? 'st' : n % 10 === 2 && n !== 12 ? 'nd' : n % 10 === 3 && n !== 13 ? 'rd' : 'th'}`;
/** The schedule as part of a sentence: “every Monday at 07:00”. */
export const rhythmWords = ({ frequency, weekday, month_day, send_at }: Rhythm): string => {
  const day = month_day ?? 1;
  const on =
    frequency === 'daily'
      ? 'every day'
      : frequency === 'weekly'
        ? `every ${weekdayWords(weekday ?? 1)}`
        : `on the ${ordinal(day)} of each month${day > 28 ? ', or its last day' : ''}`;
  return `${on} at ${send_at}`;
};
