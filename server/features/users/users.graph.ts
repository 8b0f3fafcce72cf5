import * as z from 'zod/mini';
import { createUser, listUsers, updateUser } from '#contract/api/users.ts';
import { Id } from '#contract/entities/fields.ts';
import { userFields, UserRow } from '#contract/entities/user.ts';
import { existing } from '#server/db/rows.ts';
import { listPeople } from '#server/features/users/users.rows.ts';
import { usersOf } from '#server/features/users/users.service.ts';
import { asked, builder, type GraphContext, idOf, paged, paginator, signedIn } from '#server/graphql/builder.ts';
import { graphInput, graphType } from '#server/graphql/entity-types.ts';
import { read } from '#server/validation.ts';

const ChangeOfUser = z.object({ id: Id, ...z.partial(z.object(userFields)).shape });

const of = (context: GraphContext) => usersOf(context.services);

/** People: listed, read, added and changed. */
export const userGraph = () => {
  const User = graphType('User', UserRow, {
    about: {
      more_roles: 'Ours: additional job roles.',
      disabled_at: 'When they left.',
      started_on: 'Ours: YYYY-MM-DD.',
      leave_from: 'Ours: the first day on which they are not at work.',
      leave_until: 'Ours: the last one; null for until further notice.',
      has_password: 'Ours.',
    },
  });
  const Users = paginator(User);
  const CreateInput = graphInput('CreateUserInput', createUser.body);
  const UpdateInput = graphInput('UpdateUserInput', ChangeOfUser, 'A field that is left out stays as it is.');

  builder.queryFields((t) => ({
    users: t.field({
      type: Users,
      description: 'People whom the signed-in person may see. Needs permission user.search.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: async (_, args, context) => paged(await listPeople(context.services, signedIn(context, listUsers.access), asked(args))),
    }),
    user: t.field({
      type: User,
      description: 'One person: the signed-in person, or somebody whom they may see.',
      args: { id: t.arg.id({ required: true }) },
      resolve: (_, { id }, context) => of(context).get(signedIn(context), idOf(id)),
    }),
  }));
  builder.mutationFields((t) => ({
    createUser: t.field({
      type: User,
      description: 'Adds a person. They set their password through a link in the welcome e-mail. Needs permission user.create.',
      args: { input: t.arg({ type: CreateInput, required: true }) },
      resolve: (_, { input }, context) => {
        const actor = signedIn(context, createUser.access);
        return of(context).create({ actor, request: context.request }, existing(read(createUser.body, input)));
      },
    }),
    updateUser: t.field({
      type: User,
      description: 'Changes a person; each field needs the permission that it needs in PATCH /users/{id}.',
      args: { input: t.arg({ type: UpdateInput, required: true }) },
      resolve: (_, { input }, context) => {
        const actor = signedIn(context, updateUser.access);
        const { id, ...change } = existing(read(ChangeOfUser, input));
        return of(context).update({ actor, request: context.request }, id, existing(read(updateUser.body, change)));
      },
    }),
  }));
};
