import type { contentEndpoints } from '#contract/api/content.ts';
import { contentOf, contentPage, coursePage } from '#server/features/content-creator/contents.rows.ts';
import { contentsOf } from '#server/features/content-creator/contents.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const contentHandlers = (services: Services): HandlersOf<typeof contentEndpoints> => {
  const { db } = services;
  const contents = contentsOf(services);
  return {
    listCourses: ({ query, actor }) => coursePage(db, actor, query),
    listContent: ({ query, actor }) => contentPage(db, actor, query),
    createContent: async ({ body, ...by }) => ({ data: await contents.create(by, body) }),
    getContent: async ({ params, actor }) => ({ data: await contentOf(db, actor, params.id) }),
    updateContent: async ({ params, body, ...by }) => ({ data: await contents.update(by, params.id, body) }),
    deleteContent: ({ params, ...by }) => contents.remove(by, params.id),
  };
};
