import type { Booking, BookingPlace, CalendarSession } from '#contract/entities/booking.ts';
import { daysBetween } from '#contract/rules/days.ts';
import { countOf, dayOf } from '#src/lib/format.ts';
import { correctedNow } from '#src/offline/clock.ts';
import type { Tone } from '#src/ui/badge.tsx';

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
/** The current day in the organisation's time zone. */
export const today = (): string => dayOf(correctedNow());
/** "Today", "Tomorrow", "Mon 30 Nov", or in another year "Mon 11 Jan 2027". */
export const dayWords = (day: string): string => {
  const year = day.slice(0, 4) === today().slice(0, 4) ? '' : ` ${day.slice(0, 4)}`;
  return ['Today', 'Tomorrow'][daysBetween(today(), day)] ?? `${dayFormat.format(Date.parse(`${day}T00:00:00Z`)).replace(',', '')}${year}`;
};

type Plan = Pick<CalendarSession, 'date' | 'startTime' | 'endTime' | 'venue' | 'room' | 'trainer' | 'free' | 'maxDelegates'>;
export const whenWords = ({ date, startTime, endTime }: Plan): string => `${dayWords(date)}, ${startTime} to ${endTime}`;
export const whereWords = ({ venue, room }: Plan): string => [venue, room].filter(Boolean).join(', ');
export const freeWords = ({ free, maxDelegates }: Plan): string =>
  free === null ? 'Places free' : free === 0 ? 'Full' : `${countOf(free, 'place')} of ${maxDelegates} free`;

type Label = { words: string; tone: Tone };
export const bookingWords: Record<Booking['state'], Label> = {
  requested: { words: 'Waits for approval', tone: 'warning' },
  confirmed: { words: 'Confirmed', tone: 'ok' },
  declined: { words: 'Declined', tone: 'danger' },
  cancelled: { words: 'Cancelled', tone: 'danger' },
};
export const placeWords: Record<BookingPlace['state'], Label> = {
  requested: { words: 'Requested', tone: 'warning' },
  booked: { words: 'Booked', tone: 'ok' },
  asked: { words: 'Has not answered', tone: 'warning' },
  accepted: { words: 'Accepted', tone: 'ok' },
  waiting: { words: 'On the waiting list', tone: 'warning' },
  declined: { words: 'Declined', tone: 'danger' },
  removed: { words: 'No longer booked', tone: 'plain' },
};
