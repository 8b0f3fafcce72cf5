import type { authEventEndpoints } from '#contract/api/auth-events.ts';
import { activeUsersOf } from '#server/features/active-users/active-users.service.ts';
import { messagesOf } from '#server/features/messages/messages.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { keyOf } from '#server/http/queued-request.ts';
import type { Services } from '#server/services.ts';

export const activeUserHandlers = (services: Services): HandlersOf<typeof authEventEndpoints> => {
  const users = activeUsersOf(services);
  const messages = messagesOf(services);
  return {
    activeUsers: ({ query, actor }) => users.list(actor, query),
    signInMetrics: async ({ params, body, actor }) => ({ data: await users.metrics(actor, params.entity, body), status: 200 }),
    messageActive: async ({ params, body, actor, request }) => ({ data: await messages.toActive(actor, keyOf(request), params.id, body) }),
  };
};
