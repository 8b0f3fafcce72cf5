import { addDays, instantOf } from '#contract/rules/days.ts';

export type Repeat = { every_weeks: number; times: number };
/** The days of a series of sessions, on the same weekday. Bank holidays are not left out. */
export const seriesDays = (first: string, { every_weeks, times }: Repeat): string[] =>
  Array.from({ length: times }, (_, i) => addDays(first, i * 7 * every_weeks));

const dayMs = 86_400_000;
/** The days of a series before which the clocks changed: the sessions keep their local time. */
export const clockChanges = (days: readonly string[], time: string, zone: string): string[] =>
  days.filter((day, i) => {
    const before = days[i - 1];
    return before !== undefined && (Date.parse(instantOf(day, time, zone)) - Date.parse(instantOf(before, time, zone))) % dayMs !== 0;
  });
