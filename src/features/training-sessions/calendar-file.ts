import calendar, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import { pathTo } from '#contract/site-map.ts';

type Entry = Pick<
  OwnBooking,
  'session_id' | 'course' | 'trainer' | 'starts_at' | 'ends_at' | 'venue' | 'room' | 'address' | 'aim' | 'state' | 'rev' | 'joining_link'
>;

/** When nothing is said of it, a calendar reminds of training the day before. */
const remindsBefore = 24 * 60 * 60;

/**
 * A booking as a calendar file (RFC 5545), with times in UTC. Its name and number stay the same, so that a calendar that has it already
 * changes its entry, and takes out one that is not on any more. `origin`: of the app. `made`: now.
 */
export const calendarFile = (
  { session_id, course, trainer, starts_at, ends_at, aim, state, rev, joining_link, ...place }: Entry,
  origin: string,
  made: Date,
): string => {
  const off = state !== 'booked';
  const file = calendar({
    prodId: { company: 'Lantern', product: 'Training', language: 'EN' },
    method: off ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  });
  const event = file.createEvent({
    ...{ id: `session-${session_id}@${new URL(origin).hostname}`, sequence: rev, stamp: made, start: new Date(starts_at), end: new Date(ends_at) },
    ...{ summary: course.name, location: [place.venue, place.room, place.address].filter(Boolean).join(', ') },
    description: [`Trainer: ${trainer.name}`, aim, joining_link && `Join: ${joining_link}`].filter(Boolean).join('\n\n'),
    url: `${origin}${pathTo('your-bookings')}`,
    status: off ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  });
  if (!off) event.createAlarm({ trigger: remindsBefore });
  return file.toString();
};
