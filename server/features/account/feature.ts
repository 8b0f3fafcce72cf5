import { authEndpoints } from '#contract/api/auth.ts';
import { signInEndpoints } from '#contract/api/sign-in.ts';
import { feature } from '#server/feature.ts';
import { accountGraph } from '#server/features/account/account.graph.ts';
import { accountHandlers } from '#server/features/account/account.rest.ts';
import { signInHandlers } from '#server/features/account/sign-in-ways.rest.ts';

export const account = feature(
  [...authEndpoints, ...signInEndpoints],
  (services) => ({ ...accountHandlers(services), ...signInHandlers(services) }),
  { graph: accountGraph },
);
