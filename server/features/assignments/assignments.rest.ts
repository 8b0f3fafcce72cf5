import type { assignmentEndpoints } from '#contract/api/assignments.ts';
import type { EntityContent } from '#contract/entities/assignment.ts';
import { contains, countOf, orderBy, pagePart, pagesOf } from '#server/db/rows.ts';
import { entityAt, hasCourse, visibleEntity } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import {
  availableCourses,
  availableTraining,
  categoryRows,
  contentRows,
  courseRows,
  tagRows,
} from '#server/features/assignments/assignments.rows.ts';
import { assignmentsOf } from '#server/features/assignments/assignments.service.ts';
import { headingsOf } from '#server/features/assignments/headings.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

/** What organisations have to learn from, for whom, under which headings; and the tags by which things are found. */
export const assignmentHandlers = ({ db, now }: Services): HandlersOf<typeof assignmentEndpoints> => {
  const assignments = assignmentsOf({ now });
  const headings = headingsOf({ now });
  return {
    listEntityCourses: async ({ params, query, actor }) => {
      const entity = await entityAt(db, actor, params.slug);
      const where = contains([sql`k.title`], query.search);
      const total = await countOf(db, sql`courses k where ${hasCourse(entity.id)} and ${where}`);
      const order = orderBy(query.sort ?? 'title', { title: sql`k.title` }, sql`k.id`);
      const data = await courseRows(db, entity, sql`${where} order by ${order} ${pagePart(query)}`);
      return { data, ...pagesOf(`/entities/${params.slug}/courses`, query, total) };
    },
    giveCourse: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await assignments.giveCourse(tx, by, params.slug, body) })),
    updateGivenCourse: ({ params, body, ...by }) =>
      db.tx(async (tx) => ({ data: await assignments.updateCourse(tx, by, params.slug, params.courseId, body) })),
    takeCourse: ({ params, ...by }) => db.tx((tx) => assignments.takeCourse(tx, by, params.slug, params.courseId)),
    coursesOfEntities: async ({ query, actor }) => ({
      data: await db.all<{ entity_id: string; courses: { id: string; title: string }[] }>(sql`select e.id as entity_id,
          coalesce((select json_agg(json_build_object('id', k.id, 'title', k.title) order by k.title, k.id) from courses k where ${hasCourse(sql`e.id`)}), '[]') as courses
        from entities e where e.id::text = any(${query.entityIds.split(',')}::text[]) and ${visibleEntity(actor)} order by e.name, e.id`),
    }),

    listEntityContents: async ({ params, query, actor }) => {
      const entity = await entityAt(db, actor, params.slug);
      const where = contains([sql`c.title`], query.search);
      const all = await contentRows(db, entity, sql`${where} order by ${orderBy(query.sort ?? 'title', { title: sql`c.title` }, sql`c.id`)}`);
      return {
        data: all.slice((query.page - 1) * query.per_page, query.page * query.per_page),
        ...pagesOf(`/entities/${params.slug}/content`, query, all.length),
      };
    },
    giveContent: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await assignments.giveContent(tx, by, params.slug, body) })),
    updateGivenContents: ({ params, body: { content_ids: ids, ...forWhom }, ...by }) =>
      db.tx(async (tx) => ({ data: await assignments.updateContents(tx, by, params.slug, ids, forWhom) })),
    updateGivenContent: ({ params, body, ...by }) =>
      db.tx(async (tx) => ({ data: (await assignments.updateContents(tx, by, params.slug, [params.contentId], body))[0] as EntityContent })),
    takeContent: ({ params, ...by }) => db.tx((tx) => assignments.takeContent(tx, by, params.slug, params.contentId)),
    giveContents: ({ body, ...by }) => db.tx(async (tx) => ({ data: await assignments.giveContents(tx, by, body) })),

    listCategories: async ({ params, actor }) => ({ data: await categoryRows(db, actor, await entityAt(db, actor, params.slug), sql`true`) }),
    createCategory: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.createCategory(tx, by, params.slug, body.name) })),
    updateCategory: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.updateCategory(tx, by, params.slug, params.id, body) })),
    deleteCategory: ({ params, ...by }) => db.tx((tx) => headings.deleteCategory(tx, by, params.slug, params.id)),

    listTags: async ({ params, actor }) => ({ data: await tagRows(db, actor, await entityAt(db, actor, params.slug), sql`true`) }),
    createTag: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.createTag(tx, by, params.slug, body.name) })),
    updateTag: ({ params, body, ...by }) => db.tx(async (tx) => ({ data: await headings.updateTag(tx, by, params.slug, params.id, body) })),
    deleteTag: ({ params, ...by }) => db.tx((tx) => headings.deleteTag(tx, by, params.slug, params.id)),

    availableCourses: async ({ params, actor }) => ({ data: await availableCourses(db, actor, params.id, sql`true`) }),
    availableTraining: async ({ params, actor }) => ({ data: await availableTraining(db, actor, params.id) }),
    personalDevelopmentCourses: async ({ params, actor }) => ({ data: await availableCourses(db, actor, params.id, sql`q.id is null`) }),
  };
};
