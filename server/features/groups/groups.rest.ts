import type { roleEndpoints, typeEndpoints } from '#contract/api/groups.ts';
import type { Role, UserType } from '#contract/entities/group.ts';
import type { By } from '#server/note-change.ts';
import { groupsOf, requiredOf } from '#server/features/groups/groups.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** The calls shared by job roles and user types. */
const handlersOf = <G extends Role | UserType>(kind: 'role' | 'type', services: Services) => {
  const { db, sessions } = services;
  const groups = groupsOf<G>(kind, services);
  return {
    list: async (actor: Actor, slug: string) => ({ data: await groups.list(db, actor, slug) }),
    stats: async (actor: Actor, slug: string) => ({
      data: (await groups.list(db, actor, slug)).map(({ id, name, people }) => ({ id, name, people })),
    }),
    get: async (actor: Actor, slug: string, id: string) => ({ data: await groups.get(db, actor, slug, id) }),
    create: (by: By, slug: string, body: { name: string; inspectable?: boolean }) =>
      db.tx(async (tx) => ({ data: await groups.create(tx, by, slug, body) })),
    update: (by: By, slug: string, id: string, body: Parameters<typeof groups.update>[4]) =>
      db.tx(async (tx) => ({ data: await groups.update(tx, by, slug, id, body) })).finally(sessions.forgetAll),
    remove: (by: By, slug: string, id: string) => db.tx((tx) => groups.remove(tx, by, slug, id)),
  };
};

export const roleHandlers = (services: Services): HandlersOf<typeof roleEndpoints> => {
  const roles = handlersOf<Role>('role', services);
  return {
    listRoles: ({ params, actor }) => roles.list(actor, params.slug),
    createRole: ({ params, body, ...by }) => roles.create(by, params.slug, body),
    roleStats: ({ params, actor }) => roles.stats(actor, params.slug),
    getRole: ({ params, actor }) => roles.get(actor, params.slug, params.id),
    updateRole: ({ params, body, ...by }) => roles.update(by, params.slug, params.id, body),
    deleteRole: ({ params, ...by }) => roles.remove(by, params.slug, params.id),
    roleDetails: async ({ params, actor }) => {
      const { data } = await roles.get(actor, params.slug, params.id);
      return { data: { ...data, required: await requiredOf(services.db, data.id) } };
    },
  };
};

export const typeHandlers = (services: Services): HandlersOf<typeof typeEndpoints> => {
  const types = handlersOf<UserType>('type', services);
  return {
    listTypes: ({ params, actor }) => types.list(actor, params.slug),
    createType: ({ params, body, ...by }) => types.create(by, params.slug, body),
    typeStats: ({ params, actor }) => types.stats(actor, params.slug),
    getType: ({ params, actor }) => types.get(actor, params.slug, params.id),
    updateType: ({ params, body, ...by }) => types.update(by, params.slug, params.id, body),
    deleteType: ({ params, ...by }) => types.remove(by, params.slug, params.id),
    typeDetails: ({ params, actor }) => types.get(actor, params.slug, params.id),
  };
};
