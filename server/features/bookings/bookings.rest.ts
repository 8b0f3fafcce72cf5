import type { managedBookingEndpoints } from '#contract/api/manage-bookings.ts';
import { bookingsOf } from '#server/features/bookings/bookings.service.ts';
import { bookingCostsOf } from '#server/features/bookings/costs.service.ts';
import { sessionsToBookOf } from '#server/features/bookings/sessions-to-book.service.ts';
import { keyOf } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const bookingHandlers = (services: Services): HandlersOf<typeof managedBookingEndpoints> => {
  const bookings = bookingsOf(services);
  const sessions = sessionsToBookOf(services);
  const costs = bookingCostsOf(services);
  return {
    listBookings: ({ query, actor }) => bookings.list(actor, query),
    bookingCalendar: async ({ query, actor }) => ({ data: await sessions.calendar(actor, query) }),
    bookingMonth: async ({ query, actor }) => ({ data: await sessions.month(actor, query) }),
    bookingEligibility: async ({ query, actor }) => ({ data: await sessions.eligibility(actor, query.sessions.split(','), query.people.split(',')) }),
    bookingEstimate: async ({ query, actor }) => ({ data: await costs.estimate(actor, query.sessions.split(','), query.places) }),
    bookingInvoice: ({ params, query, actor }) => costs.invoice(actor, params.id, query.format),
    getBooking: async ({ params, actor }) => ({ data: await bookings.one(actor, params.id) }),
    createBooking: async ({ body, ...by }) => ({ data: await bookings.create(by, body, {}, keyOf(by.request)) }),
    changeBooking: async ({ params, body, ...by }) => ({ data: await bookings.changeNotes(by, params.id, body.notes) }),
    approveBooking: async ({ params, body, ...by }) => ({ data: await bookings.approve(by, params.id, body) }),
    declineBooking: async ({ params, body, ...by }) => ({ data: await bookings.decline(by, params.id, body.reason) }),
    changePlace: async ({ params, body, ...by }) => ({ data: await bookings.changePlace(by, params.id, params.place, body) }),
    cancelBooking: async ({ params, body, ...by }) => ({ data: await bookings.cancel(by, params.id, body.reason) }),
  };
};
