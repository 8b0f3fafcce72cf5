import { withinScope } from '#server/db/scope.ts';
import type { Actor } from '#server/http/sessions.ts';

/**
 * Runs work with the actor's row-level security scope; an actor who sees every organisation has no restriction. Requests get
 * their scope only here, so handlers need not set it.
 */
export const asActor = <A extends Actor | null, T>(actor: A, work: (actor: A) => Promise<T>): Promise<T> =>
  actor && !actor.seesAll
    ? withinScope({ user: actor.user.uuid, home: actor.user.primary_entity.id, place: actor.place.id }, () => work(actor))
    : work(actor);
