import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Id } from '#contract/entities/fields.ts';
import { protocol } from '#contract/protocol.ts';
import { type Db, often, sql } from '#server/db/sql.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';

const headerOf = (request: FastifyRequest, name: string) => {
  const value = request.headers[name.toLowerCase()];
  return typeof value === 'string' ? value : undefined;
};

/** Throws `actor_mismatch` if the request names another person than the session's. */
export const requireActor = (request: FastifyRequest, actor: Actor): void => {
  const sent = headerOf(request, protocol.actorHeader);
  if (sent !== undefined && sent !== actor.user.uuid) throw new ProductError('actor_mismatch');
};

/** The id of the change: the idempotency key, or a new one. */
export const keyOf = (request: FastifyRequest): string => {
  const key = headerOf(request, protocol.idempotencyHeader);
  if (key === undefined) return randomUUID();
  if (!Id.safeParse(key).success) throw invalid(protocol.idempotencyHeader, 'This is not a valid id.');
  return key;
};

/** Marks the answer as replayed if all changes were already applied. */
export const noteReplayed = async (db: Db, actor: Actor, ids: readonly string[], reply: FastifyReply): Promise<void> => {
  const known = await db.one<{ n: number }>(
    often(sql`select count(*)::int as n from ledger where user_id = ${actor.user.uuid} and entry_id = any(${[...ids]}::uuid[])`),
  );
  if ((known?.n ?? 0) === ids.length) reply.header(protocol.replayedHeader, 'true');
};
