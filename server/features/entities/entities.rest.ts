import type { entityEndpoints } from '#contract/api/entities.ts';
import { childrenOf, entityPage, topOf } from '#server/features/entities/entities.rows.ts';
import { entitiesOf } from '#server/features/entities/entities.service.ts';
import { scoreOf } from '#server/features/entities/scores.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

/** Organisations: seen, added and changed by those above them. */
export const entityHandlers = ({ db, now, sessions, jobs }: Services): HandlersOf<typeof entityEndpoints> => {
  const entities = entitiesOf({ now });
  return {
    listEntities: ({ query, actor }) => entityPage(db, actor, query),
    ownOrganisation: async ({ actor }) => ({ data: await topOf(db, actor) }),
    getEntity: async ({ params, actor }) => ({ data: await entities.found(db, actor, params.id) }),
    entityScore: async ({ params, actor }) => {
      const score = await scoreOf({ db, now, jobs }, await entities.found(db, actor, params.id), params.x);
      return { data: score, status: score.ready ? 200 : 202 };
    },
    listChildEntities: async ({ params, actor }) => ({ data: await childrenOf(db, await entities.found(db, actor, params.id)) }),
    // People who see the organisations below get the change at their next request.
    createEntity: ({ body, ...by }) => db.tx(async (tx) => ({ data: await entities.create(tx, by, body) })).finally(sessions.forgetAll),
    updateEntity: ({ params, body, ...by }) =>
      db.tx(async (tx) => ({ data: await entities.update(tx, by, params.id, body) })).finally(sessions.forgetAll),
  };
};
