import type { assignmentEndpoints } from '#contract/api/assignments.ts';
import type { EntityContent } from '#contract/entities/assignment.ts';
import { entityAt } from '#server/db/seen.ts';
import {
  availableCourses,
  availableTraining,
  categoryRows,
  contentPage,
  coursePage,
  coursesOf,
  personalDevelopmentCourses,
  tagRows,
} from '#server/features/assignments/assignments.rows.ts';
import { assignmentsOf } from '#server/features/assignments/assignments.service.ts';
import { headingsOf } from '#server/features/assignments/headings.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

/** Which courses and contents organisations have, for whom, under which categories; and tags. */
export const assignmentHandlers = ({ db, now }: Services): HandlersOf<typeof assignmentEndpoints> => {
  const assignments = assignmentsOf({ now });
  const headings = headingsOf({ now });
  return {
    listEntityCourses: ({ params, query, actor }) => coursePage(db, actor, params.slug, query),
    giveCourse: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await assignments.giveCourse(tx, by, params.slug, body) })),
    updateGivenCourse: ({ params, body, ...by }) =>
      db.tx(async (tx) => ({ data: await assignments.updateCourse(tx, by, params.slug, params.courseId, body) })),
    takeCourse: ({ params, ...by }) => db.tx((tx) => assignments.takeCourse(tx, by, params.slug, params.courseId)),
    coursesOfEntities: async ({ query, actor }) => ({ data: await coursesOf(db, actor, query.entityIds.split(',')) }),
    giveCourses: ({ body, ...by }) => db.tx(async (tx) => ({ data: await assignments.giveCourses(tx, by, body) })),

    listEntityContents: ({ params, query, actor }) => contentPage(db, actor, params.slug, query),
    giveContent: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await assignments.giveContent(tx, by, params.slug, body) })),
    updateGivenContents: ({ params, body: { content_ids: ids, ...forWhom }, ...by }) =>
      db.tx(async (tx) => ({ data: await assignments.updateContents(tx, by, params.slug, ids, forWhom) })),
    updateGivenContent: ({ params, body, ...by }) =>
      db.tx(async (tx) => ({ data: (await assignments.updateContents(tx, by, params.slug, [params.contentId], body))[0] as EntityContent })),
    takeContent: ({ params, ...by }) => db.tx((tx) => assignments.takeContent(tx, by, params.slug, params.contentId)),
    giveContents: ({ body, ...by }) => db.tx(async (tx) => ({ data: await assignments.giveContents(tx, by, body) })),

    listCategories: async ({ params, actor }) => ({ data: await categoryRows(db, actor, await entityAt(db, actor, params.slug)) }),
    createCategory: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.createCategory(tx, by, params.slug, body.name) })),
    updateCategory: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.updateCategory(tx, by, params.slug, params.id, body) })),
    deleteCategory: ({ params, ...by }) => db.tx((tx) => headings.deleteCategory(tx, by, params.slug, params.id)),

    listTags: async ({ params, actor }) => ({ data: await tagRows(db, actor, await entityAt(db, actor, params.slug)) }),
    createTag: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.createTag(tx, by, params.slug, body.name) })),
    updateTag: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.updateTag(tx, by, params.slug, params.id, body) })),
    deleteTag: ({ params, ...by }) => db.tx((tx) => headings.deleteTag(tx, by, params.slug, params.id)),

    availableCourses: async ({ params, actor }) => ({ data: await availableCourses(db, actor, params.id, now()) }),
    availableTraining: async ({ params, actor }) => ({ data: await availableTraining(db, actor, params.id, now()) }),
    personalDevelopmentCourses: async ({ params, actor }) => ({ data: await personalDevelopmentCourses(db, actor, params.id, now()) }),
  };
};
