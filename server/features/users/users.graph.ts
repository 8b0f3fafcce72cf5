import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';
import { listedPerson } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { builder, page, paginator, searched, signedIn } from '#server/graphql/builder.ts';
import { graphType } from '#server/graphql/entity-types.ts';
import { contains, countOf } from '#server/db/rows.ts';

const Person = z.object({ uuid: Id, name: z.string(), email: z.string() });

export const userGraph = () => {
  const Users = paginator(graphType('User', Person));

  builder.queryFields((t) => ({
    users: t.field({
      type: Users,
      description: 'People whom the signed-in person may see. Needs permission user.search.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string() },
      resolve: async (_, args, context) => {
        const { db } = context.services;
        const at = page(args);
        const where = sql`${listedPerson(signedIn(context, 'user.search'))} and ${contains([sql`u.name`], searched(args.search))}`;
        const total = await countOf(db, sql`users u where ${where}`);
        const data = await db.all<z.output<typeof Person>>(
          sql`select u.id as uuid, u.name, u.email from users u where ${where} order by u.name, u.id limit ${at.first} offset ${(at.page - 1) * at.first}`,
        );
        return { data, total, ...at };
      },
    }),
  }));
};
