import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';
import { peopleNames } from '#server/features/users/users.rows.ts';
import { builder, page, paginator, searched, signedIn } from '#server/graphql/builder.ts';
import { graphType } from '#server/graphql/entity-types.ts';

const Person = z.object({ uuid: Id, name: z.string(), email: z.string() });

export const userGraph = () => {
  const Users = paginator(graphType('User', Person));

  builder.queryFields((t) => ({
    users: t.field({
      type: Users,
      description: 'People whom the signed-in person may see. Needs permission user.search.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: (_, args, context) =>
        peopleNames<z.output<typeof Person>>(context.services.db, signedIn(context, 'user.search'), searched(args.search), page(args)),
    }),
  }));
};
