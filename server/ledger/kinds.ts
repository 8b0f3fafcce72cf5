import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeOutcome } from '#contract/commands/change.ts';
import { type ChangeOf, type CopyOf, type Kind, kinds } from '#contract/kinds.ts';
import { noteReplayed, requireActor } from '#server/http/queued-request.ts';
import type { Actor } from '#server/actor.ts';
import { type Failure, throwFailure } from '#server/ledger/apply-once.ts';
import type { Services } from '#server/services.ts';

/** The outcomes of changes: `current` is the present state, or null if there is none. */
export type Taken<C> = { current: C | null; outcomes: ChangeOutcome[]; failure: Failure | null };

/**
 * A feature's handler for one kind: applies a person's changes to one thing, each exactly once (apply-once.ts), and notifies
 * others. Used for requests of devices and for sealed copies.
 */
export type Queued<K extends Kind> = (actor: Actor, id: string, changes: readonly ChangeOf<K>[]) => Promise<Taken<CopyOf<K>>>;

/** A handler for each kind of contract/kinds.ts; a missing one does not compile. */
export type QueuedKinds = { [K in Kind]: Queued<K> };

/** The handler for a change; null if this release does not know its kind or command. */
export const takeOfKind = (queued: QueuedKinds, kind: string, change: unknown): ((actor: Actor, id: string) => Promise<Taken<unknown>>) | null => {
  if (!Object.hasOwn(kinds, kind)) return null;
  const parsed = kinds[kind as Kind].change.safeParse(change);
  return parsed.success ? (actor, id) => (queued[kind as Kind] as Queued<Kind>)(actor, id, [parsed.data]) : null;
};

type Call = { actor: Actor; request: FastifyRequest; reply: FastifyReply };

/** Answers a request with queued changes: the present state and the outcome of each. Throws the failure, if any. */
export const receive = async <C, T extends Taken<C>>(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { actor, request, reply }: Call,
  changes: readonly { id: string }[],
  take: () => Promise<T & Taken<C>>,
): Promise<{ data: C; meta: object; headers: Record<string, string>; taken: T }> => {
  requireActor(request, actor);
  await noteReplayed(
    db,
    actor,
    changes.map((c) => c.id),
    reply,
  );
  const taken = await take();
  const { current, outcomes, failure } = taken;
  const rev = current !== null && typeof current === 'object' && 'rev' in current ? Number(current.rev) : null;
  if (failure || current === null) return throwFailure(failure, rev === null ? null : (current as { rev: number }), outcomes, now());
  return { data: current, meta: { outcomes, server_time: now().toISOString() }, headers: rev === null ? {} : { ETag: `"${rev}"` }, taken };
};
