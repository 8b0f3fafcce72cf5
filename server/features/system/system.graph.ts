import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';
import { sql } from '#server/db/sql.ts';
import { builder, page, paginator, signedIn, slice } from '#server/graphql/builder.ts';
import { graphType } from '#server/graphql/entity-types.ts';

const HelpArticle = z.object({ id: Id, title: z.string(), url_regex: z.string(), link_suffix: z.string(), body: z.string() });

export const systemGraph = () => {
  const HelpArticles = paginator(graphType('HelpArticle', HelpArticle));
  builder.queryField('helpArticles', (t) =>
    t.field({
      type: HelpArticles,
      description: 'Help, chosen by the pattern of the route.',
      args: { first: t.arg.int(), page: t.arg.int() },
      resolve: async (_, args, context) => {
        signedIn(context);
        const { db } = context.services;
        const rows = await db.all<z.output<typeof HelpArticle>>(
          sql`select id, title, url_regex, link_suffix, body from help_articles order by title`,
        );
        return slice(rows, page(args));
      },
    }),
  );
};
