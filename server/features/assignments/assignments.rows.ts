import { bestFirst } from '#server/features/results/results.rows.ts';
import type { coursesOfEntities, listEntityContents, listEntityCourses } from '#contract/api/assignments.ts';
import type { QueryOf, ResponseOf } from '#contract/api/endpoint.ts';
import type { AvailableCourse, AvailableTraining, CourseCategory, EntityContent, EntityCourse, Tag } from '#contract/entities/assignment.ts';
import { contains, countOf, existing, orderBy, pagePart, pagesOf } from '#server/db/rows.ts';
import { entityAndAbove, entityAt, hasCourse, listedPerson, personAt, visibleEntity } from '#server/db/seen.ts';
import { type Db, instant, type Statement, often, sql } from '#server/db/sql.ts';
import { givenTo, mayTake } from '#server/features/learning/contents.rows.ts';
import type { Actor } from '#server/actor.ts';

export type Entity = { id: string; name: string; slug: string };

const ref = (row: Statement) => sql`json_build_object('id', ${row}.id, 'name', ${row}.name, 'slug', ${row}.slug)`;
const named = (table: Statement, ids: Statement) =>
  sql`coalesce((select json_agg(json_build_object('id', n.id, 'name', n.name) order by lower(n.name), n.id) from ${table} n where n.id = any(${ids})), '[]')`;

export const courseRows = (on: Db, entity: Entity, more: Statement): Promise<EntityCourse[]> =>
  on.all<EntityCourse>(sql`select k.id, k.title, k.published, json_build_object('id', o.id, 'name', o.name) as owner, ${ref(sql`f`)} as "from",
      coalesce(ec.entity_id = ${entity.id}, false) as given_here, ${named(sql`roles`, sql`coalesce(ec.role_ids, '{}')`)} as roles, ${named(sql`types`, sql`coalesce(ec.type_ids, '{}')`)} as types,
      coalesce((select json_agg(json_build_object('id', g.id, 'name', g.name) order by g.place, lower(g.name)) from course_categories g join course_category_courses x on x.category_id = g.id
        where x.course_id = k.id and g.entity_id in (${entityAndAbove(entity.id)})), '[]') as categories,
      (select count(*)::int from contents c where c.course_id = k.id and c.published and c.deleted_at is null and ${givenTo(entityAndAbove(entity.id))}) as contents,
      ${instant(sql`ec.added_at`)} as added_at
    from courses k join entity_names o on o.id = k.entity_id
    left join lateral (select * from entity_courses x where x.course_id = k.id and x.entity_id in (${entityAndAbove(entity.id)}) order by x.entity_id = ${entity.id} desc limit 1) ec on true
    join entity_names f on f.id = coalesce(ec.entity_id, k.entity_id)
    where (ec.course_id is not null or k.entity_id in (${entityAndAbove(entity.id)})) and ${more}`);
export const oneCourse = async (on: Db, entity: Entity, courseId: string): Promise<EntityCourse> =>
  existing((await courseRows(on, entity, sql`k.id = ${courseId}`))[0]);
/** A page of the courses that an organisation has. */
export const coursePage = async (on: Db, actor: Actor, slug: string, query: QueryOf<typeof listEntityCourses>) => {
  const entity = await entityAt(on, actor, slug);
  const where = contains([sql`k.title`], query.search);
  const total = await countOf(on, sql`courses k where ${hasCourse(entity.id)} and ${where}`);
  const order = orderBy(query.sort ?? 'title', { title: sql`k.title` }, sql`k.id`);
  const data = await courseRows(on, entity, sql`${where} order by ${order} ${pagePart(query)}`);
  return { data, ...pagesOf(`/entities/${slug}/courses`, query, total) };
};
/** The courses of each of these organisations that the actor sees. */
export const coursesOf = (on: Db, actor: Actor, entityIds: readonly string[]): Promise<ResponseOf<typeof coursesOfEntities>> =>
  on.all(sql`select e.id as entity_id,
      coalesce((select json_agg(json_build_object('id', k.id, 'title', k.title) order by k.title, k.id) from courses k where ${hasCourse(sql`e.id`)}), '[]') as courses
    from entities e where e.id::text = any(${[...entityIds]}::text[]) and ${visibleEntity(actor)} order by e.name, e.id`);
const contentRows = (on: Db, entity: Entity, more: Statement): Promise<EntityContent[]> =>
  on.all<EntityContent>(sql`select c.id, c.title, c.published, json_build_object('id', k.id, 'title', k.title) as course, json_build_object('id', o.id, 'name', o.name) as owner,
      ${ref(sql`f`)} as "from", x.entity_id = ${entity.id} as given_here, ${named(sql`roles`, sql`x.role_ids`)} as roles, ${named(sql`types`, sql`x.type_ids`)} as types, ${instant(sql`x.added_at`)} as added_at
    from contents c join courses k on k.id = c.course_id join entity_names o on o.id = c.entity_id
    join lateral (select * from entity_contents y where y.content_id = c.id and y.entity_id in (${entityAndAbove(entity.id)}) order by y.entity_id = ${entity.id} desc limit 1) x on true
    join entities f on f.id = x.entity_id
    where c.deleted_at is null and ${more}`);
export const oneContent = async (on: Db, entity: Entity, contentId: string): Promise<EntityContent> =>
  existing((await contentRows(on, entity, sql`c.id = ${contentId}`))[0]);
/** A page of the contents assigned to an organisation. */
export const contentPage = async (on: Db, actor: Actor, slug: string, query: QueryOf<typeof listEntityContents>) => {
  const entity = await entityAt(on, actor, slug);
  const order = orderBy(query.sort ?? 'title', { title: sql`c.title` }, sql`c.id`);
  const all = await contentRows(on, entity, sql`${contains([sql`c.title`], query.search)} order by ${order}`);
  return {
    data: all.slice((query.page - 1) * query.per_page, query.page * query.per_page),
    ...pagesOf(`/entities/${slug}/content`, query, all.length),
  };
};

export const categoryRows = (on: Db, actor: Actor, entity: Entity, more: Statement = sql`true`): Promise<CourseCategory[]> =>
  on.all<CourseCategory>(sql`select g.id, g.name, ${ref(sql`e`)} as entity, ${visibleEntity(actor)} as editable,
      coalesce((select json_agg(json_build_object('id', k.id, 'name', k.title) order by k.title, k.id) from course_category_courses x join courses k on k.id = x.course_id where x.category_id = g.id), '[]') as courses
    from course_categories g join entities e on e.id = g.entity_id where g.entity_id in (${entityAndAbove(entity.id)}) and ${more} order by g.place, lower(g.name), g.id`);
export const tagRows = (on: Db, actor: Actor, entity: Entity, more: Statement = sql`true`): Promise<Tag[]> =>
  on.all<Tag>(sql`select g.id, g.name, ${ref(sql`o`)} as entity, ${actor.seesAll ? sql`true` : sql`o.id = any(${[...actor.entityIds]}::uuid[])`} as editable,
      coalesce((select json_agg(json_build_object('id', e.id, 'name', e.name) order by e.name, e.id) from tag_entities x join entities e on e.id = x.entity_id where x.tag_id = g.id and ${visibleEntity(actor)}), '[]') as entities,
      coalesce((select json_agg(json_build_object('id', u.id, 'name', u.name) order by u.name, u.id) from tag_users x join users u on u.id = x.user_id where x.tag_id = g.id and ${listedPerson(actor)}), '[]') as people
    from tags g join entities o on o.id = g.entity_id where g.entity_id in (${entityAndAbove(entity.id)}) and ${more} order by lower(g.name), g.id`);

/** The e-learning that a person may take or must take. */
export const availableCourses = async (on: Db, actor: Actor, id: string, now: Date, more = sql`true`): Promise<AvailableCourse[]> => {
  const person = await personAt(on, actor, id);
  return on.all<AvailableCourse>(
    often(sql`select k.id, k.title, ct.id as content_id, ct.minutes as estimated_duration, q.id is not null as required,
        ${instant(sql`r.completed_at`)} as completed_at, ${instant(sql`r.expires_at`)} as expires_at,
        coalesce((select json_agg(g.name order by g.place, lower(g.name)) from course_categories g join course_category_courses x on x.category_id = g.id where x.course_id = k.id and g.entity_id in (${entityAndAbove(person.place)})), '[]') as categories
      from courses k left join required_of(${person.id}, ${now}::timestamptz) q on q.course_id = k.id and q.asked
      left join lateral (select r.completed_at, r.expires_at from current_results r where r.user_id = ${id} and r.course_id = k.id order by ${bestFirst} limit 1) r on true
      left join lateral (select c.id, (v.document ->> 'estimated_duration')::int as minutes from contents c join content_versions v on v.content_id = c.id and v.version = c.current_version
        where c.course_id = k.id and c.type in ('elearning', 'scorm') and c.published and not c.admin_only and c.deleted_at is null and ${mayTake(entityAndAbove(person.place), person)} order by c.created_at desc, c.id limit 1) ct on true
      where k.published and (ct.id is not null or q.id is not null) and ${more} order by k.title, k.id limit 1000`),
  );
};
/** The e-learning that a person may take and need not. */
export const personalDevelopmentCourses = (on: Db, actor: Actor, id: string, now: Date) => availableCourses(on, actor, id, now, sql`q.id is null`);
/** The face-to-face training that a person may take or must take. */
export const availableTraining = async (on: Db, actor: Actor, id: string, now: Date): Promise<AvailableTraining[]> => {
  const person = await personAt(on, actor, id);
  return on.all<AvailableTraining>(
    often(sql`select c.id, c.title, json_build_object('id', k.id, 'name', k.title) as course, q.id is not null as required,
            ${instant(sql`r.completed_at`)} as completed_at, ${instant(sql`r.expires_at`)} as expires_at
          from contents c join courses k on k.id = c.course_id left join required_of(${person.id}, ${now}::timestamptz) q on q.course_id = k.id and q.asked
          left join lateral (select r.completed_at, r.expires_at from current_results r where r.user_id = ${person.id} and r.course_id = k.id order by ${bestFirst} limit 1) r on true
          where c.type = 'face2face' and c.published and not c.admin_only and c.deleted_at is null and k.published and ${mayTake(entityAndAbove(person.place), person)} order by c.title, c.id limit 1000`),
  );
};
