import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChangeOutcome } from '#contract/commands/change.ts';
import { type ChangeOf, type CopyOf, type Kind, kinds } from '#contract/kinds.ts';
import { noteReplayed, requireActor } from '#server/http/queued-request.ts';
import type { Actor } from '#server/http/sessions.ts';
import { type Failure, throwFailure } from '#server/ledger/apply-once.ts';
import type { Services } from '#server/services.ts';

/** What became of changes: `current` is the thing as it is now, null where there is none. */
export type Taken<C> = { current: C | null; outcomes: ChangeOutcome[]; failure: Failure | null };

/**
 * The part of a kind that its feature hands in: takes a person's changes of one thing, each exactly once (apply-once.ts), and tells
 * whoever has to know. The same for what a device sends and for what comes in a sealed copy.
 */
export type Queued<K extends Kind> = (actor: Actor, id: string, changes: readonly ChangeOf<K>[]) => Promise<Taken<CopyOf<K>>>;

/** One for each kind of contract/kinds.ts: a missing one does not compile. */
export type QueuedKinds = { [K in Kind]: Queued<K> };

/** Takes a change of whatever kind; null where this release knows no such kind, or the kind no such change. */
export const takeOfKind = (queued: QueuedKinds, kind: string, change: unknown): ((actor: Actor, id: string) => Promise<Taken<unknown>>) | null => {
  if (!Object.hasOwn(kinds, kind)) return null;
  const parsed = kinds[kind as Kind].change.safeParse(change);
  return parsed.success ? (actor, id) => (queued[kind as Kind] as Queued<Kind>)(actor, id, [parsed.data]) : null;
};

type Call = { actor: Actor; request: FastifyRequest; reply: FastifyReply };

/** Answers a request that brings queued changes: the thing as it is now, with what became of each. Throws what could not be taken. */
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
