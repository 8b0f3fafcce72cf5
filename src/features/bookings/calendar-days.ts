import { addDays } from '#contract/rules/days.ts';

export const calendarViews = ['month', 'week', 'agenda'] as const;
export type CalendarView = (typeof calendarViews)[number];
const agendaDays = 30;

/** The Monday of a day's week. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
const firstOf = (day: string) => `${day.slice(0, 7)}-01`;

/** The days that a view shows: the whole weeks of a month, a week from Monday, or 30 days. */
export const daysOf = (view: CalendarView, day: string): string[] => {
  const from = view === 'agenda' ? day : mondayOf(view === 'month' ? firstOf(day) : day);
  const daysFrom = (n: number) => Array.from({ length: n }, (_, i) => addDays(from, i));
  if (view !== 'month') return daysFrom(view === 'week' ? 7 : agendaDays);
  return daysFrom(42).filter((d, i, all) => d.slice(0, 7) === day.slice(0, 7) || all[i - (i % 7)]?.slice(0, 7) === day.slice(0, 7) || i < 7);
};

/** The day that the previous or next page of a view is about. */
export const turnPage = (view: CalendarView, day: string, direction: 1 | -1): string => {
  if (view === 'week') return addDays(mondayOf(day), 7 * direction);
  if (view === 'agenda') return addDays(day, agendaDays * direction);
  const first = firstOf(day);
  return firstOf(addDays(first, direction === 1 ? 32 : -1));
};
