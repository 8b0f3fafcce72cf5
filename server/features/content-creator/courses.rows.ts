import type { listCourses } from '#contract/api/courses.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import type { CourseDetail, CourseLine } from '#contract/entities/authored-content.ts';
import { contains, existing, orderBy, pageOf } from '#server/db/rows.ts';
import { entityAndAbove } from '#server/db/seen.ts';
import { type Db, type Statement, sql, word } from '#server/db/sql.ts';
import { seen } from '#server/features/content-creator/contents.rows.ts';
import type { Actor } from '#server/actor.ts';

/** A course is used by the organisations that have it, and those below them. */
export const courseOf = (actor: Actor): Statement =>
  actor.seesAll
    ? sql`true`
    : sql`(k.entity_id = ${actor.place.id} or exists (select 1 from entity_courses ec where ec.course_id = k.id and ec.entity_id in (select entity_and_above(${actor.place.id}))))`;
/** Only the organisation that it belongs to changes it. */
export const ownCourse = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`k.entity_id = ${actor.place.id}`);

const columns = (actor: Actor) => sql`k.id, k.title, k.short_title, k.published, k.renewal_months, k.rev,
  coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.place, lower(g.name)) from course_categories g
    join course_category_courses x on x.category_id = g.id where x.course_id = k.id and g.entity_id in (${entityAndAbove(actor.place.id)})), '[]'::json) as categories, ${ownCourse(actor)} as editable,
  json_build_object('id', e.id, 'name', e.name) as entity, (select count(*)::int from contents c where c.course_id = k.id and ${seen(actor)}) as content_count`;
const source = sql`courses k join entity_names e on e.id = k.entity_id`;

/** Whether it is limited to a job role or a user type, where the actor is or above. */
const limitedTo = (actor: Actor, column: 'role_ids' | 'type_ids', id: string | undefined): Statement =>
  id === undefined
    ? sql`true`
    : sql`exists (select 1 from entity_courses x where x.course_id = k.id and ${id}::uuid = any(x.${word(column)}) and x.entity_id in (${entityAndAbove(actor.place.id)}))`;
const inCategory = (id: string | undefined): Statement =>
  id === undefined ? sql`true` : sql`exists (select 1 from course_category_courses x where x.course_id = k.id and x.category_id = ${id})`;

export const coursePage = (on: Db, actor: Actor, query: QueryOf<typeof listCourses>) =>
  pageOf<CourseLine>(on, '/courses', query, {
    columns: columns(actor),
    from: source,
    where: sql`${courseOf(actor)} and ${query.ids ? sql`k.id = any(${query.ids.split(',')}::uuid[])` : sql`true`} and ${contains([sql`k.title`, sql`k.short_title`], query.search)}
      and ${inCategory(query.category_id)} and ${limitedTo(actor, 'role_ids', query.role_id)} and ${limitedTo(actor, 'type_ids', query.type_id)}`,
    order: orderBy(query.sort ?? 'title', { title: sql`k.title` }, sql`k.id`),
  });

type Need = 'contents' | 'begun' | 'results' | 'events' | 'roles' | 'pathways' | 'sessions' | 'items' | 'orders' | 'prices' | 'links' | 'own_links';
const needWords: readonly [Need, one: string, many: string][] = [
  ['contents', 'content belongs to it', 'contents belong to it'],
  ['begun', 'deleted content of it was begun by somebody', 'deleted contents of it were begun by somebody'],
  ['results', 'person has a result of it', 'people have a result of it'],
  ['events', 'record for several people is of it', 'records for several people are of it'],
  ['roles', 'job role requires it', 'job roles require it'],
  ['pathways', 'pathway has it as a step', 'pathways have it as a step'],
  ['sessions', 'training session is of it', 'training sessions are of it'],
  ['items', 'item of the marketplace is of it', 'items of the marketplace are of it'],
  ['orders', 'order has it', 'orders have it'],
  ['prices', 'price list names it', 'price lists name it'],
  ['links', 'rule of another course names it', 'rules of other courses name it'],
  ['own_links', 'rule of it names another course', 'rules of it name other courses'],
];
/** What depends on a course, in words: nothing if it can be deleted. Counts what the actor sees; of anything else it says only that it exists. */
export const neededBy = async (on: Db, actor: Actor, id: string): Promise<string[]> => {
  const isVisible = (column: Statement): Statement => (actor.seesAll ? sql`true` : sql`${column} = any(${[...actor.entityIds]}::uuid[])`);
  const person = sql`join users u on u.id = x.user_id where ${isVisible(sql`u.primary_entity_id`)}`;
  const begun = sql`exists (select 1 from attempts x ${person} and x.content_id = c.id)`;
  const { all, ...counts } = existing(
    await on.one<Record<Need, number> & { all: Partial<Record<Need, number>> }>(sql`select course_needs(${id}) as all,
      (select count(*)::int from contents c where c.course_id = ${id} and c.deleted_at is null and ${isVisible(sql`c.entity_id`)}) as contents,
      (select count(*)::int from contents c where c.course_id = ${id} and c.deleted_at is not null and ${isVisible(sql`c.entity_id`)} and ${begun}) as begun,
      (select count(distinct x.user_id)::int from results x ${person} and x.course_id = ${id}) as results,
      (select count(*)::int from bulk_events x where x.course_id = ${id} and ${isVisible(sql`x.entity_id`)}) as events,
      (select count(*)::int from compliance x join roles r on r.id = x.role_id where x.course_id = ${id} and ${isVisible(sql`r.entity_id`)}) as roles,
      (select count(distinct p.id)::int from pathway_steps x join pathways p on p.id = x.pathway_id where x.course_id = ${id} and ${isVisible(sql`p.entity_id`)}) as pathways,
      (select count(*)::int from training_sessions x where x.course_id = ${id} and ${isVisible(sql`x.entity_id`)}) as sessions,
      (select count(*)::int from marketplace_items x where x.course_id = ${id} and ${isVisible(sql`x.entity_id`)}) as items,
      (select count(distinct o.id)::int from training_order_lines x join training_orders o on o.id = x.order_id
        where x.course_id = ${id} and (${isVisible(sql`o.entity_id`)} or o.approved_at is not null and ${isVisible(sql`o.provider_id`)})) as orders,
      (select count(distinct x.entity_id)::int from training_prices x where x.course_id = ${id} and ${isVisible(sql`x.entity_id`)}) as prices,
      (select count(*)::int from course_links x where x.other_id = ${id} and x.course_id <> ${id} and ${isVisible(sql`x.entity_id`)}) as links,
      (select count(*)::int from course_links x where x.course_id = ${id} and ${isVisible(sql`x.entity_id`)}) as own_links`),
  );
  // The total also includes deleted contents, and rules of both courses.
  const seen = { ...counts, contents: counts.contents + counts.begun, links: counts.links + counts.own_links };
  const elsewhere = needWords.some(([what]) => (all[what] ?? 0) > seen[what]);
  return [
    ...needWords.flatMap(([what, one, many]) => (counts[what] === 0 ? [] : [`${counts[what]} ${counts[what] === 1 ? one : many}`])),
    ...(elsewhere ? ['other organisations use it'] : []),
  ];
};

/** The course with this id, as authors see it, or 404. */
export const courseDetail = async (on: Db, actor: Actor, id: string): Promise<CourseDetail> => {
  const line = existing(await on.one<CourseLine>(sql`select ${columns(actor)} from ${source} where k.id = ${id} and ${courseOf(actor)}`));
  const contents = await on.all<CourseDetail['contents'][number]>(
    sql`select c.id, c.title, c.type, c.published, c.designed from contents c where c.course_id = ${id} and ${seen(actor)} order by c.title, c.id`,
  );
  const lessons = await on.all<CourseDetail['lessons'][number]>(sql`select l.id, l.title from contents c join content_lessons x on x.content_id = c.id
    join lessons l on l.id = x.lesson_id where c.course_id = ${id} and ${seen(actor)} group by l.id, l.title order by l.title, l.id`);
  const topics = await on.all<CourseDetail['topics'][number]>(sql`select t.id, t.title from contents c join content_lessons x on x.content_id = c.id
    join lesson_topics y on y.lesson_id = x.lesson_id join topics t on t.id = y.topic_id where c.course_id = ${id} and ${seen(actor)}
    group by t.id, t.title order by t.title, t.id`);
  return { ...line, contents, lessons, topics };
};
