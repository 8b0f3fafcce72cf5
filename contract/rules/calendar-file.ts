import calendar, { ICalCalendarMethod, ICalEventStatus, ICalEventTransparency } from 'ical-generator';
import { answerState, momentWords } from '#contract/rules/delegate-answer.ts';
import { defaultTimeZone } from '#contract/rules/days.ts';
import type { OwnBooking } from '#contract/entities/own-booking.ts';
import { pathTo } from '#contract/site-map.ts';

type Entry = Pick<
  OwnBooking,
  | 'session_id'
  | 'course'
  | 'trainer'
  | 'external_trainer'
  | 'starts_at'
  | 'ends_at'
  | 'venue'
  | 'room'
  | 'address'
  | 'aim'
  | 'bring'
  | 'state'
  | 'rev'
  | 'joining_link'
  | 'answer'
  | 'zone'
>;

/** The default reminder: the day before. */
const remindsBefore = 24 * 60 * 60;
/** The refresh interval of a subscribed calendar, in seconds. */
const looksAgainAfter = 60 * 60;
const prodId = { company: 'Lantern', product: 'Training', language: 'EN' } as const;

/** A place as an entry. Its UID and sequence stay the same in every calendar file, so that calendars update the entry they have. */
const eventOf = (booking: Omit<Entry, 'state' | 'trainer' | 'external_trainer'>, origin: string, made: Date) => {
  const { session_id, course, starts_at, ends_at, rev, venue, room, address } = booking;
  return {
    ...{ id: `session-${session_id}@${new URL(origin).hostname}`, sequence: rev, stamp: made, start: new Date(starts_at), end: new Date(ends_at) },
    ...{ summary: course.name, location: [venue, room, address].filter(Boolean).join(', '), url: `${origin}${pathTo('your-bookings')}` },
  };
};
const paragraphs = (...parts: string[]) => parts.filter(Boolean).join('\n\n');
const bringWords = (bring: string | undefined) => (bring ? `What to bring: ${bring}` : '');
/** A place that has to be accepted by a deadline is tentative. */
const isOpen = ({ state, answer }: Pick<Entry, 'state' | 'answer'>, now: Date): boolean =>
  state === 'booked' && !!answer?.lapses_at && answerState(answer, now.toISOString()) !== 'accepted';
const acceptWords = (booking: Pick<Entry, 'state' | 'answer' | 'zone'>, now: Date): string =>
  isOpen(booking, now) && booking.answer?.lapses_at
    ? `Not accepted yet: accept the place under Your bookings by ${momentWords(booking.answer.lapses_at, booking.zone ?? defaultTimeZone)}.`
    : '';
const joinWords = (link: string) => link && `Join: ${link}`;

/**
 * A booking as a calendar file (RFC 5545), with times in UTC. Its UID stays the same, so that a calendar that has it already
 * updates its entry, or removes a cancelled one. `origin`: of the app. `made`: now.
 */
export const calendarFile = (booking: Entry, origin: string, made: Date): string => {
  const off = booking.state !== 'booked';
  const file = calendar({ prodId, method: off ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH });
  const event = file.createEvent({
    ...eventOf(booking, origin, made),
    description: paragraphs(
      acceptWords(booking, made),
      `Trainer: ${booking.external_trainer || booking.trainer.name}`,
      booking.aim,
      bringWords(booking.bring),
      joinWords(booking.joining_link),
    ),
    status: off ? ICalEventStatus.CANCELLED : isOpen(booking, made) ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
  });
  if (!off) event.createAlarm({ trigger: remindsBefore });
  return file.toString();
};

const statuses: Record<OwnBooking['state'], ICalEventStatus> = {
  ...{ booked: ICalEventStatus.CONFIRMED, recorded: ICalEventStatus.CONFIRMED, past: ICalEventStatus.CONFIRMED, waiting: ICalEventStatus.TENTATIVE },
  ...{ cancelled: ICalEventStatus.CANCELLED, not_coming: ICalEventStatus.CANCELLED, removed: ICalEventStatus.CANCELLED },
};

/**
 * Somebody's bookings as one calendar to subscribe to. It names no other person, because anyone who has its address can read it. Entries are
 * those of `calendarFile`; a cancelled one stays in it as cancelled, and a place on a waiting list is tentative and does not block time.
 */
export const calendarFeed = (bookings: readonly Omit<Entry, 'trainer' | 'external_trainer'>[], origin: string, made: Date): string => {
  const feed = calendar({ prodId, method: ICalCalendarMethod.PUBLISH, name: 'Training', ttl: looksAgainAfter });
  for (const booking of bookings) {
    const waits = booking.state === 'waiting';
    const event = feed.createEvent({
      ...eventOf(booking, origin, made),
      ...(waits ? { summary: `Waiting list: ${booking.course.name}` } : {}),
      description: paragraphs(acceptWords(booking, made), booking.aim, bringWords(booking.bring), joinWords(booking.joining_link)),
      status: isOpen(booking, made) ? ICalEventStatus.TENTATIVE : statuses[booking.state],
      transparency: booking.state === 'booked' ? ICalEventTransparency.OPAQUE : ICalEventTransparency.TRANSPARENT,
    });
    if (booking.state === 'booked') event.createAlarm({ trigger: remindsBefore });
  }
  return feed.toString();
};
