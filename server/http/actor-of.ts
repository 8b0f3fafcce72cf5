import type { FastifyRequest } from 'fastify';
import { protocol } from '#contract/protocol.ts';
import { sessionSecret } from '#server/http/origin-cookies.ts';
import { ProductError } from '#server/product-error.ts';
import { bearerOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/**
 * The current actor of a request; null if the session has ended. Throws `acting_as_refused` if they may no longer act for the
 * organisation they name.
 */
export const actorOf = async (services: Services, request: FastifyRequest): Promise<Actor | null> => {
  const bearer = bearerOf(request);
  const secret = bearer ?? sessionSecret(services, request).secret;
  const found = secret ? await services.sessions.resolve(secret) : null;
  const actor = found && (bearer !== undefined) === (found.kind === 'token') ? found : null;
  const place = request.headers[protocol.actingAsHeader.toLowerCase()];
  if (!actor || typeof place !== 'string') return actor;
  const acting = await services.sessions.actingFor(actor, place);
  if (!acting) throw new ProductError('acting_as_refused');
  return acting;
};
