import { daysBetween } from '#contract/rules/days.ts';
import { dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';

const inWords = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
/** The current day in the organisation's time zone. */
export const today = (at = correctedNow()): string => dayOf(at);

/** Today, Tomorrow, Yesterday, Mon 30 Nov, or, in another year, Mon 11 Jan 2027. */
export const nearDay = (day: string): string => {
  const year = day.slice(0, 4) === today().slice(0, 4) ? '' : ` ${day.slice(0, 4)}`;
  const named = ['Yesterday', 'Today', 'Tomorrow'][daysBetween(today(), day) + 1];
  return named ?? `${inWords.format(Date.parse(`${day}T00:00:00Z`)).replace(',', '')}${year}`;
};
