import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Ids, pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import {
  Booking,
  BookingApproval,
  BookingCost,
  BookingNotes,
  BookingReason,
  BookingRow,
  bookingStates,
  CalendarMonth,
  CalendarSession,
  Eligibility,
  NewBooking,
  PlaceChange,
} from '#contract/entities/booking.ts';
import { Day, Id } from '#contract/entities/fields.ts';
import type { PermissionSlug } from '#contract/permissions.ts';

/** The longest period of the calendar that one request reads. */
export const mostDays = 92;
export const mostShown = 2000;
/** The most sessions of one day that a month's answer contains. */
const mostOfDay = 20;

/** Bookings for those who make and manage them. The calls are ours. */
/** Who can open the booking area: people who manage bookings, and people who may request them. */
const managesBookings = ['booking.create', 'booking.manage', 'booking.update', 'booking.provider', 'booking.own'] as const satisfies PermissionSlug[];
export const seesBookings: readonly PermissionSlug[] = [...managesBookings, 'booking.request'];
export const books: readonly PermissionSlug[] = ['booking.create', 'booking.request'];
const seesCalendar: readonly PermissionSlug[] = [
  ...(['booking.create', 'booking.manage', 'booking.update', 'booking.provider', 'booking.request', 'delegate.mark'] as const),
];
const byId = z.object({ id: Id });
const refusals = ['invalid_input', 'not_found', 'forbidden', 'session_over', 'already_decided', 'unauthenticated', 'csrf_mismatch'] as const;

export const listBookings = endpoint({
  ...{ id: 'listBookings', method: 'GET', path: '/bookings', ours: true, access: seesBookings, offline: 'online-only' },
  query: z.object({
    ...pageQuery,
    ...sortQuery(sorts.bookings),
    state: z.optional(z.enum(bookingStates)),
    when: z.optional(z.enum(['coming', 'past'])),
    entity: z.optional(Id),
    course: z.optional(Id),
  }),
  ...{ response: z.array(BookingRow), errors: ['invalid_input', 'forbidden', 'unauthenticated'] },
  summary:
    'Lists bookings in pages: those of the caller’s organisation and below it, those made with it, and the caller’s own. `entity`: of this client or provider.',
});
const days = { from: Day, until: Day };
const chosen = { trainer: z.optional(Id), course: z.optional(Id), provider: z.optional(Id) };
export const bookingCalendar = endpoint({
  ...{ id: 'bookingCalendar', method: 'GET', path: '/bookings/calendar', ours: true, access: seesCalendar, offline: 'online-only' },
  query: z.object({
    ...days,
    ...chosen,
    venue: z.optional(z.string().check(z.maxLength(200))),
    /** Only those that can be booked. */
    open: z.optional(z.stringbool()),
  }),
  ...{ response: z.array(CalendarSession), errors: ['invalid_input', 'forbidden', 'unauthenticated'] },
  summary: `Lists the training sessions from one day to another that the caller sees or can book for their people, in order of time: at most ${mostShown.toLocaleString('en-GB')} of at most ${mostDays} days.`,
});
export const bookingMonth = endpoint({
  ...{ id: 'bookingMonth', method: 'GET', path: '/bookings/calendar/month', ours: true, access: seesCalendar, offline: 'online-only' },
  query: z.object({
    ...days,
    ...chosen,
    /** Only this one. */
    venue: z.optional(z.string().check(z.maxLength(200))),
    per_day: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(mostOfDay)), 3),
  }),
  ...{ response: CalendarMonth, errors: ['invalid_input', 'forbidden', 'unauthenticated'] },
  summary: `Answers the same sessions day by day: how many each day has, and the first \`per_day\` of them; with the courses, trainers, venues and providers of all of these days, and in \`chosen\` the names of those asked for, where the caller sees or can book any session of theirs. At most ${mostDays} days.`,
});
export const bookingEligibility = endpoint({
  ...{ id: 'bookingEligibility', method: 'GET', path: '/bookings/eligibility', ours: true, access: books, offline: 'online-only' },
  query: z.object({ sessions: Ids, people: Ids }),
  ...{ response: z.array(Eligibility), errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'] },
  summary:
    'Says what is to be considered before people are booked on sessions: leave, prerequisites, training that is in date, another session on that day, also among these.',
});
export const getBooking = endpoint({
  ...{ id: 'getBooking', method: 'GET', path: '/bookings/{id}', ours: true, params: byId, access: seesBookings, offline: 'online-only' },
  ...{ response: Booking, errors: ['not_found', 'forbidden', 'unauthenticated'] },
  summary: 'Returns a booking with its sessions, its people and its history.',
});
/** The most places for which a cost can be requested: as many people as one booking can have. */
const mostAsked = 200;
export const bookingEstimate = endpoint({
  ...{ id: 'bookingEstimate', method: 'GET', path: '/bookings/estimate', ours: true, access: books, offline: 'online-only' },
  query: z.object({ sessions: Ids, places: z.coerce.number().check(z.int(), z.gte(1), z.lte(mostAsked)) }),
  ...{ response: z.nullable(BookingCost), errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'] },
  summary:
    'Says what it would cost to book so many people on sessions of one provider, by its price list and the places bought before. Null where nothing is paid: within one tree of organisations.',
});
export const bookingInvoice = endpoint({
  ...{ id: 'bookingInvoice', method: 'GET', path: '/bookings/{id}/invoice', ours: true, params: byId, access: seesBookings, offline: 'online-only' },
  query: z.object({ format: z._default(z.enum(['pdf', 'csv']), 'pdf') }),
  ...{ file: 'application/octet-stream', errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated'] },
  summary: 'The lines of a booking for accounts, as PDF or CSV: of its sessions that were held, with net, VAT and gross.',
});
export const createBooking = endpoint({
  ...{ id: 'createBooking', method: 'POST', path: '/bookings', ours: true, access: books, status: 201, offline: 'online-only' },
  ...{ body: NewBooking, response: Booking, errors: [...refusals, 'price_changed', 'idempotency_mismatch'] },
  summary:
    'Books people on sessions of one provider. People who may only request bookings make a request, which holds no place until somebody approves it. No session is ever overbooked. `shown` is the price that the form displayed: if the price has changed since, the booking is refused (409, with `shown` and the current `cost`). Idempotent by Idempotency-Key: sending the same request again answers the existing booking.',
});
export const changeBooking = endpoint({
  ...{ id: 'changeBooking', method: 'PATCH', path: '/bookings/{id}', ours: true, params: byId, access: seesBookings, offline: 'online-only' },
  ...{ body: z.object({ notes: BookingNotes }), response: Booking, errors: refusals },
  summary: 'Changes the notes of a booking.',
});
export const approveBooking = endpoint({
  ...{
    id: 'approveBooking',
    method: 'POST',
    path: '/bookings/{id}/approval',
    ours: true,
    params: byId,
    access: ['booking.create', 'booking.manage'],
  },
  ...{ body: BookingApproval, response: Booking, status: 201, offline: 'online-only', errors: [...refusals, 'price_changed'] },
  summary: 'Confirms a booking request, by the rules of `createBooking`, including `shown`. The person who requested it is notified.',
});
export const declineBooking = endpoint({
  ...{ id: 'declineBooking', method: 'POST', path: '/bookings/{id}/refusal', ours: true, params: byId, access: ['booking.create', 'booking.manage'] },
  ...{ body: z.object({ reason: BookingReason }), response: Booking, status: 201, offline: 'online-only', errors: refusals },
  summary: 'Declines a booking request; the person who made it is told why.',
});
export const cancelBooking = endpoint({
  ...{ id: 'cancelBooking', method: 'POST', path: '/bookings/{id}/cancellation', ours: true, params: byId, access: seesBookings },
  ...{ body: z.object({ reason: BookingReason }), response: Booking, status: 201, offline: 'online-only', errors: refusals },
  summary:
    'Cancels a booking, of which the places on sessions to come are free again; all concerned are told why. After the time that the provider allows, only the provider can.',
});
export const changePlace = endpoint({
  ...{ id: 'changePlace', method: 'PATCH', path: '/bookings/{id}/places/{place}', ours: true, access: seesBookings, offline: 'online-only' },
  ...{ params: z.object({ id: Id, place: Id }), body: PlaceChange, response: Booking, errors: refusals },
  summary:
    'Takes a person off a session of a booking with a reason, books them again, or books somebody else in their place. After the provider’s cut-off only the provider can take people off.',
});
export const managedBookingEndpoints = [
  listBookings,
  bookingCalendar,
  bookingMonth,
  bookingEligibility,
  bookingEstimate,
  bookingInvoice,
  getBooking,
  createBooking,
  changeBooking,
  approveBooking,
  declineBooking,
  cancelBooking,
  changePlace,
] as const;
