import * as z from 'zod/mini';
import { listContent } from '#contract/api/content.ts';
import { ContentLine, ContentType } from '#contract/entities/authored-content.ts';
import { contentPage } from '#server/features/content-creator/contents.rows.ts';
import { asked, builder, paged, paginator, signedIn } from '#server/graphql/builder.ts';
import { graphEnum, graphType } from '#server/graphql/entity-types.ts';

/** What courses are made of. */
export const contentGraph = () => {
  const Type = graphEnum('ContentType', ContentType);
  graphType('CourseRef', ContentLine.shape.course);
  const Contents = paginator(
    graphType('Content', z.omit(ContentLine, { image: true, completion: true, package: true }), {
      about: { estimated_duration: 'Minutes.', designed: 'Ours.', version: 'Ours: the version that is played; 0 before the first.' },
    }),
  );
  builder.queryField('contents', (t) =>
    t.field({
      type: Contents,
      description: 'The contents that the caller’s organisation has created or been assigned, newest first. Needs permission content.creator.',
      args: { first: t.arg.int(), page: t.arg.int(), search: t.arg.string(), type: t.arg({ type: Type }) },
      resolve: async (_, { type, ...args }, context) => {
        const actor = signedIn(context, listContent.access);
        return paged(await contentPage(context.services.db, actor, { ...asked(args), ...(type ? { type } : {}) }));
      },
    }),
  );
};
