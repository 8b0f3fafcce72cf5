import { listRoles, listTypes } from '#contract/api/groups.ts';
import { Role, UserType } from '#contract/entities/group.ts';
import { groupsOf } from '#server/features/groups/groups.service.ts';
import { builder, page, paginator, signedIn, slice } from '#server/graphql/builder.ts';
import { graphType } from '#server/graphql/entity-types.ts';

/** The job roles and user types that an organisation can use. */
export const groupGraph = () => {
  const shared = {
    entity: 'Ours: the organisation that it belongs to.',
    editable: 'Ours: whether the caller may change it.',
    people: 'Ours: people in the requested organisation and below who have it.',
  };
  const Roles = paginator(graphType('Role', Role, { about: { ...shared, courses: 'Ours: how many courses it requires.' } }));
  const Types = paginator(graphType('UserType', UserType, { about: { ...shared, permissions: 'Ours: the ids of its permissions.' } }));
  builder.queryFields((t) => {
    const args = {
      first: t.arg.int(),
      page: t.arg.int(),
      entity: t.arg.string({ description: 'Ours: the slug of the organisation; that of the caller where it is left out.' }),
    };
    return {
      roles: t.field({
        type: Roles,
        description: 'The job roles available to an organisation: its own and those of the organisations above it, by name.',
        args,
        resolve: async (_, { entity, ...at }, { services, ...context }) => {
          const actor = signedIn({ services, ...context }, listRoles.access);
          return slice(await groupsOf<Role>('role', services).list(services.db, actor, entity ?? actor.place.slug), page(at));
        },
      }),
      types: t.field({
        type: Types,
        description: 'The user types available to an organisation: its own and those of the organisations above it, by name.',
        args,
        resolve: async (_, { entity, ...at }, { services, ...context }) => {
          const actor = signedIn({ services, ...context }, listTypes.access);
          return slice(await groupsOf<UserType>('type', services).list(services.db, actor, entity ?? actor.place.slug), page(at));
        },
      }),
    };
  });
};
