import { authEventEndpoints } from '#contract/api/auth-events.ts';
import { feature } from '#server/feature.ts';
import { activeUserHandlers } from '#server/features/active-users/active-users.rest.ts';

export const activeUsers = feature(authEventEndpoints, activeUserHandlers);
