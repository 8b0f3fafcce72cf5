import type { Booking, BookingPlace, CalendarSession } from '#contract/entities/booking.ts';
import { timesWords } from '#contract/rules/session-times.ts';
import { countOf } from '#src/lib/format.ts';
import { nearDay } from '#src/device/near-day.ts';
import type { Tone } from '#src/ui/badge.tsx';

type Plan = Pick<CalendarSession, 'date' | 'startTime' | 'endTime' | 'venue' | 'room' | 'trainer' | 'free' | 'maxDelegates'>;
export const whenWords = (plan: Plan): string => `${nearDay(plan.date)}, ${timesWords(plan)}`;
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
