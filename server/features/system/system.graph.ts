import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';
import { helpArticles } from '#server/features/system/help-articles.rows.ts';
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
        return slice(await helpArticles(context.services.db), page(args));
      },
    }),
  );
};
