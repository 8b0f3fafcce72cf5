import type { bookingEndpoints } from '#contract/api/bookings.ts';
import { ownBookingsOf } from '#server/features/training-sessions/own-bookings.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const bookingHandlers = (services: Services): HandlersOf<typeof bookingEndpoints> => {
  const own = ownBookingsOf(services);
  return {
    ownBookings: async ({ actor }) => ({ data: await own.list(actor) }),
    cancelOwnBooking: async ({ params, body, ...by }) => ({ data: await own.cancel(by, params.id, body.reason) }),
    agreeToMove: async ({ params, actor }) => ({ data: await own.agree(actor, params.id) }),
  };
};
