import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';
import { builder } from '#server/graphql/builder.ts';
import { graphType } from '#server/graphql/entity-types.ts';

const Permission = z.object({ id: z.int(), slug: z.string() });
const Me = z.object({ uuid: Id, name: z.string(), email: z.string(), permissions: z.array(Permission) });

export const accountGraph = () => {
  graphType('Permission', Permission);
  const Type = graphType('Me', Me, { description: 'The signed-in person.' });
  builder.queryField('me', (t) => t.field({ type: Type, nullable: true, resolve: (_, __, context) => context.actor?.user ?? null }));
};
