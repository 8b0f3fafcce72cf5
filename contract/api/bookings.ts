import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
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
    'Says that the caller does not come to a session that has not begun: their place is free, and whoever booked them is told why. Saying it again changes nothing.',
});
export const agreeToMove = endpoint({
  ...{ id: 'agreeToMove', method: 'POST', path: '/bookings/own/{id}/agreement', ours: true, access: ['booking.own'], offline: 'online-only' },
  ...{ params: z.object({ id: Id }), response: OwnBooking, status: 201, errors: ['not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] },
  summary:
    'Says that the caller can come to a session that was moved after they were booked. Saying it again changes nothing. Who cannot come gives up their place.',
});
export const bookingEndpoints = [ownBookings, cancelOwnBooking, agreeToMove] as const;
