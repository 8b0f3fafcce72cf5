import type { listContent, listCourses } from '#contract/api/content.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import type { Content, Course } from '#contract/entities/authored-content.ts';
import { contains, existing, orderBy, pageOf } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { givenTo } from '#server/features/learning/contents.rows.ts';
import type { Actor } from '#server/actor.ts';

/** A content is changed by the organisation that made it. */
export const own = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`c.entity_id = ${actor.place.id}`);
const seen = (actor: Actor): Statement =>
  sql`c.deleted_at is null and (${own(actor)} or c.published and ${givenTo(sql`select entity_and_above(${actor.place.id})`)})`;
/** A course is used by the organisations that have it, and those below them. */
export const courseOf = (actor: Actor): Statement =>
  actor.seesAll
    ? sql`true`
    : sql`(k.entity_id = ${actor.place.id} or exists (select 1 from entity_courses ec where ec.course_id = k.id and ec.entity_id in (select entity_and_above(${actor.place.id}))))`;

const columns = (actor: Actor) => sql`c.id, c.title, c.type, c.published, c.current_version as version, ${own(actor)} as editable,
  json_build_object('id', k.id, 'title', k.title) as course, json_build_object('id', e.id, 'name', e.name) as entity,
  v.document -> 'image' as image, coalesce((v.document ->> 'estimated_duration')::int, 0) as estimated_duration, coalesce(v.document ->> 'aims', '') as aims,
  coalesce(v.document -> 'outcomes', '[]'::jsonb) as outcomes, coalesce((v.document ->> 'cpd_accredited')::boolean, false) as cpd_accredited,
  case when c.type = 'scorm' then coalesce(v.document -> 'package' ->> 'completion', 'reported') end as completion,
  case when p.id is not null then json_build_object('id', p.id, 'tree', p.tree, 'bytes', p.bytes, 'files', p.files, 'manifest', p.manifest, 'warnings', p.warnings, 'created_at', ${instant(sql`p.created_at`)}) end as package,
  ${instant(sql`c.created_at`)} as created_at, ${instant(sql`c.updated_at`)} as updated_at`;
const source = sql`contents c join courses k on k.id = c.course_id join entity_names e on e.id = c.entity_id
  left join content_versions v on v.content_id = c.id and v.version = c.current_version
  left join packages p on p.id = (v.document -> 'package' ->> 'id')::uuid`;

/** The content of this id, as its authors see it, or 404. */
export const contentOf = async (on: Db, actor: Actor, id: string): Promise<Content> =>
  existing(await on.one<Content>(sql`select ${columns(actor)} from ${source} where c.id = ${id} and ${seen(actor)}`));

export const contentPage = (on: Db, actor: Actor, query: QueryOf<typeof listContent>) => {
  const where = sql`c.type = ${query.type} and ${seen(actor)} and ${contains([sql`c.title`, sql`k.title`], query.search)}`;
  const order = orderBy(query.sort ?? '-updated_at', { updated_at: sql`c.updated_at`, title: sql`c.title`, course: sql`k.title` }, sql`c.id`);
  return pageOf<Content>(on, '/content', query, { columns: columns(actor), from: source, where, order });
};
export const coursePage = (on: Db, actor: Actor, query: QueryOf<typeof listCourses>) =>
  pageOf<Course>(on, '/courses', query, {
    columns: sql`k.id, k.title, k.short_title, k.published`,
    from: sql`courses k`,
    where: sql`${courseOf(actor)} and ${query.ids ? sql`k.id = any(${query.ids.split(',')}::uuid[])` : sql`true`} and ${contains([sql`k.title`, sql`k.short_title`], query.search)}`,
    order: sql`k.title, k.id`,
  });
