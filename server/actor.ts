import type { EntityRef } from '#contract/entities/entity.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { withinScope } from '#server/db/scope.ts';

/** Who makes a call: the person, how they signed in, and the organisations they can see (their own and all below). */
export type Actor = {
  user: AuthUser;
  sessionHash: string;
  kind: 'web' | 'token';
  entityIds: readonly string[];
  /** The organisation they act for: their own, or one they have chosen to act for. */
  place: EntityRef;
  /** The same, but null if it is their own. */
  actingAs: EntityRef | null;
  /** Sees every organisation: a super administrator who is not acting for one. */
  seesAll: boolean;
  /** The session was started with the access password of a restricted organisation. */
  accessPasswordGiven: boolean;
};

/**
 * Runs work with the actor's row-level security scope; an actor who sees every organisation has no restriction. Requests get
 * their scope only here, so handlers need not set it.
 */
export const asActor = <A extends Actor | null, T>(actor: A, work: (actor: A) => Promise<T>): Promise<T> =>
  actor && !actor.seesAll
    ? withinScope({ user: actor.user.uuid, home: actor.user.primary_entity.id, place: actor.place.id }, () => work(actor))
    : work(actor);
