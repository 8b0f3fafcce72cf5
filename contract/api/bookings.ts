import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { CalendarFeed, feedReadsAnHour, NewCalendarFeed } from '#contract/entities/calendar-feed.ts';
import { Id } from '#contract/entities/fields.ts';
import { OwnBooking } from '#contract/entities/own-booking.ts';

/** Bookings of training. The calls are ours. */
export const ownBookings = endpoint({
  ...{ id: 'ownBookings', method: 'GET', path: '/bookings/own', ours: true, access: ['booking.own'], offline: 'cached' },
  ...{ response: z.array(OwnBooking), errors: ['forbidden', 'unauthenticated'] },
  summary:
    'Lists the training sessions that the caller is or was on the list of: those from today on, next first, then those of the last twelve months, latest first.',
});
export const cancelOwnBooking = endpoint({
  ...{ id: 'cancelOwnBooking', method: 'POST', path: '/bookings/own/{id}/cancellation', ours: true, access: ['booking.own'], offline: 'online-only' },
  params: z.object({ id: Id }),
  body: z.object({ reason: z.string().check(z.trim(), z.minLength(1, 'Enter a reason.'), z.maxLength(500, 'Use no more than 500 characters.')) }),
  ...{ response: OwnBooking, status: 201 },
  errors: ['invalid_input', 'not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Says that the caller does not come to a session that has not begun: their place is free, and the person who booked them is told why. Saying it again changes nothing.',
});
export const acceptOwnBooking = endpoint({
  ...{ id: 'acceptOwnBooking', method: 'POST', path: '/bookings/own/{id}/agreement', ours: true, access: ['booking.own'], offline: 'online-only' },
  ...{ params: z.object({ id: Id }), response: OwnBooking, status: 201 },
  errors: ['not_found', 'forbidden', 'session_over', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Says that the caller comes to a session: their place is accepted, also where the session was moved after they were booked. Saying it again changes nothing. Who cannot come gives up their place.',
});
const feed = { path: '/bookings/own/calendar-feed', ours: true, access: ['booking.own'], offline: 'online-only' } as const;
const feedErrors = ['forbidden', 'unauthenticated', 'csrf_mismatch'] as const;
export const ownCalendarFeed = endpoint({
  ...{ ...feed, id: 'ownCalendarFeed', method: 'GET', response: CalendarFeed, errors: ['forbidden', 'unauthenticated'] },
  summary: 'Returns since when the caller’s calendar feed has existed, and when it was last read.',
});
export const makeCalendarFeed = endpoint({
  ...{
    ...feed,
    id: 'makeCalendarFeed',
    method: 'POST',
    response: NewCalendarFeed,
    errors: [...feedErrors, 'not_while_acting'],
    notWhileActing: true,
  },
  summary: 'Makes a new address for the calendar of the caller’s own training, which is answered this once. The address before works no longer.',
});
export const stopCalendarFeed = endpoint({
  ...{ ...feed, id: 'stopCalendarFeed', method: 'DELETE', response: CalendarFeed, errors: [...feedErrors, 'not_while_acting'], notWhileActing: true },
  summary: 'Ends the calendar of the caller’s own training: its address works no longer.',
});
export const calendarFeed = endpoint({
  ...{ id: 'calendarFeed', method: 'GET', path: '/calendar-feeds/{secret}/training.ics', ours: true, access: 'public', offline: 'online-only' },
  ...{ params: z.object({ secret: z.string().check(z.maxLength(100)) }), file: 'text/calendar', errors: ['not_found', 'too_many_attempts'] },
  summary: `Returns a person’s training sessions, those to come and those of the last twelve months, as a calendar (RFC 5545) to subscribe to, without other people’s names. Anyone who knows the secret can read it, at most ${feedReadsAnHour} times an hour. Answers 404 for an address that was replaced or stopped, and for that of somebody who has left.`,
});
export const bookingEndpoints = [
  ownBookings,
  cancelOwnBooking,
  acceptOwnBooking,
  ownCalendarFeed,
  makeCalendarFeed,
  stopCalendarFeed,
  calendarFeed,
] as const;
