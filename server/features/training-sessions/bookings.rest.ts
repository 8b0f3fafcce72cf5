import type { bookingEndpoints } from '#contract/api/bookings.ts';
import { calendarFeedsOf } from '#server/features/training-sessions/calendar-feed.service.ts';
import { ownBookingsOf } from '#server/features/training-sessions/own-bookings.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const bookingHandlers = (services: Services): HandlersOf<typeof bookingEndpoints> => {
  const service = ownBookingsOf(services);
  const feeds = calendarFeedsOf(services);
  return {
    ownBookings: async ({ actor }) => ({ data: await service.list(actor) }),
    cancelOwnBooking: async ({ params, body, ...by }) => ({ data: await service.cancel(by, params.id, body.reason) }),
    acceptOwnBooking: async ({ params, actor }) => ({ data: await service.accept(actor, params.id) }),
    ownCalendarFeed: async ({ actor }) => ({ data: await feeds.of(actor) }),
    makeCalendarFeed: async ({ actor }) => ({ data: await feeds.make(actor) }),
    stopCalendarFeed: async ({ actor }) => ({ data: await feeds.stop(actor) }),
    calendarFeed: ({ params, request }) => feeds.file(params.secret, request.ip),
  };
};
