import type { entityEndpoints } from '#contract/api/entities.ts';
import { childrenOf, entityPage, topOf } from '#server/features/entities/entities.rows.ts';
import { entitiesOf, entityChanges } from '#server/features/entities/entities.service.ts';
import { scoreOf } from '#server/features/entities/scores.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

/** Organisations: seen, added and changed by those above them. */
export const entityHandlers = (services: Services): HandlersOf<typeof entityEndpoints> => {
  const { db, now, jobs } = services;
  const entities = entitiesOf(services);
  const changes = entityChanges(services);
  return {
    listEntities: ({ query, actor }) => entityPage(db, actor, query),
    ownOrganisation: async ({ actor }) => ({ data: await topOf(db, actor) }),
    getEntity: async ({ params, actor }) => ({ data: await entities.found(db, actor, params.id) }),
    entityScore: async ({ params, actor }) => {
      const score = await scoreOf({ db, now, jobs }, await entities.found(db, actor, params.id), params.x);
      return { data: score, status: score.ready ? 200 : 202 };
    },
    listChildEntities: async ({ params, actor }) => ({ data: await childrenOf(db, await entities.found(db, actor, params.id)) }),
    createEntity: async ({ body, ...by }) => ({ data: await changes.create(by, body) }),
    updateEntity: async ({ params, body, ...by }) => ({ data: await changes.update(by, params.id, body) }),
  };
};
