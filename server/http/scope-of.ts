import { withinScope } from '#server/db/scope.ts';
import type { Actor } from '#server/http/sessions.ts';

/**
 * Does what somebody asks for, with the database seen as theirs. Who sees every organisation sees it whole. The one place
 * where requests get their scope, so that no handler has to think of it.
 */
export const asActor = <A extends Actor | null, T>(actor: A, work: (actor: A) => Promise<T>): Promise<T> =>
  actor && !actor.seesAll
    ? withinScope({ user: actor.user.uuid, home: actor.user.primary_entity.id, place: actor.place.id }, () => work(actor))
    : work(actor);
