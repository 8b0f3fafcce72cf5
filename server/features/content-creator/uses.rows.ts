import type { ContentUses, CourseUses, GivenPlace, Uses } from '#contract/entities/authored-content.ts';
import { existing } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { contentNeededBy, own, seen } from '#server/features/content-creator/contents.rows.ts';
import { courseOf, neededBy, ownCourse } from '#server/features/content-creator/courses.rows.ts';
import type { Actor } from '#server/actor.ts';

/** People of the actor's organisation and of those below it: counted here, not named. */
const peopleOf = (actor: Actor): Statement =>
  sql`u.disabled_at is null and ${actor.seesAll ? sql`true` : sql`u.primary_entity_id = any(${[...actor.entityIds]}::uuid[])`}`;
const ref = sql`json_build_object('id', e.id, 'name', e.name, 'slug', e.slug)`;
const named = (table: Statement, ids: Statement): Statement =>
  sql`coalesce((select json_agg(json_build_object('id', n.id, 'name', n.name) order by lower(n.name), n.id) from ${table} n where n.id = any(${ids})), '[]'::json)`;

/** The subject: a course, or one content of it. */
type UsesOf = { course: string; content: string | null };

/** The people who are taking it, and those whose job role requires its course today: one row each, with their organisation. */
const people = (actor: Actor, { course, content }: UsesOf, now: Date): Statement => sql`
  begun as (select distinct u.id, u.primary_entity_id as place from attempts a join contents c on c.id = a.content_id join users u on u.id = a.user_id
    where c.course_id = ${course} and ${content ? sql`c.id = ${content}` : sql`true`} and a.state = 'open' and ${peopleOf(actor)}),
  needing as (select distinct u.id, u.primary_entity_id as place from compliance m join held_roles h on h.role_id = m.role_id join users u on u.id = h.user_id
    join entity_names at on at.id = u.primary_entity_id
    where m.course_id = ${course} and (rule_order(m, (${now}::timestamptz at time zone at.time_zone)::date))[1] = 0 and ${peopleOf(actor)})`;

const usesOf = async (on: Db, actor: Actor, subject: UsesOf, now: Date): Promise<Omit<Uses, 'needed_by'>> => {
  const { course, content } = subject;
  const counted = (what: Statement): Statement =>
    sql`left join (select b.above, count(*)::int as n from ${what} p join entity_below b on b.below = p.place group by b.above)`;
  const assignments = content
    ? sql`entity_contents x join contents o on o.id = x.content_id`
    : sql`entity_courses x join courses o on o.id = x.course_id`;
  const another = content ? sql`entity_contents y where y.content_id = o.id` : sql`entity_courses y where y.course_id = o.id`;
  // A course is available below the organisation that made it. A content assigned by itself is available only where it was assigned.
  const owned = content ? sql`false` : sql`o.entity_id in (select entity_and_above(e.id))`;
  const organisations = await on.all<GivenPlace>(sql`with ${people(actor, subject, now)}
    select e.id, e.name, e.slug, o.entity_id = e.id as own, ${named(sql`roles`, sql`x.role_ids`)} as roles, ${named(sql`types`, sql`x.type_ids`)} as types,
      (${owned} or exists (select 1 from ${another} and y.entity_id <> e.id and y.entity_id in (select entity_and_above(e.id)))) as inherited,
      coalesce(begun.n, 0) as people_in_it, coalesce(needing.n, 0) as people_required
    from ${assignments} join entities e on e.id = x.entity_id
    ${counted(sql`begun`)} begun on begun.above = e.id ${counted(sql`needing`)} needing on needing.above = e.id
    where o.id = ${content ?? course} and ${visibleEntity(actor)} order by o.entity_id = e.id desc, e.name, e.id`);
  const roles = await on.all<CourseUses['roles'][number]>(sql`select r.id, r.name, ${ref} as entity
    from compliance m join roles r on r.id = m.role_id join entities e on e.id = r.entity_id where m.course_id = ${course} and ${visibleEntity(actor)} order by r.name, r.id`);
  const pathways = await on.all<CourseUses['pathways'][number]>(sql`select p.id, p.name from pathway_steps s join pathways p on p.id = s.pathway_id
    join entities e on e.id = p.entity_id where s.course_id = ${course} and ${visibleEntity(actor)} order by p.name, p.id`);
  const toCome = sql`s.course_id = ${course} and s.cancelled_at is null and s.date >= (${now}::timestamptz at time zone e.time_zone)::date and ${visibleEntity(actor)}`;
  const sessions = await on.all<CourseUses['sessions'][number]>(sql`select s.id, s.date, json_build_object('id', e.id, 'name', e.name) as entity
    from training_sessions s join entities e on e.id = s.entity_id
    where ${toCome} order by s.date, s.id limit 50`);
  const counts = await on.one<
    Pick<Uses, 'people_in_it' | 'people_done' | 'people_required' | 'sessions_to_come' | 'people_booked'>
  >(sql`with ${people(actor, subject, now)}
    select (select count(*)::int from begun) as people_in_it, (select count(*)::int from needing) as people_required,
      (select count(distinct u.id)::int from current_results r join users u on u.id = r.user_id
        where r.course_id = ${course} and ${content ? sql`r.content_id = ${content}` : sql`true`} and ${peopleOf(actor)}) as people_done,
      t.sessions_to_come, t.people_booked
    from (select count(*)::int as sessions_to_come, coalesce(sum(places_taken(s.id)), 0)::int as people_booked
      from training_sessions s join entities e on e.id = s.entity_id where ${toCome}) t`);
  return { organisations, roles, pathways, sessions, ...existing(counts) };
};

/** What changes if the course with this id is deleted, as far as the actor sees it. */
const goesWith = async (on: Db, actor: Actor, id: string): Promise<CourseUses['goes']> => {
  const named = JSON.stringify([id]);
  const focused = await on.all<CourseUses['goes']['focused'][number]>(
    sql`select e.id, e.name from entity_focused_courses f join entities e on e.id = f.entity_id where f.course_id = ${id} and ${visibleEntity(actor)} order by e.name, e.id`,
  );
  const { all, shared, ...counts } = existing(
    await on.one<
      Omit<CourseUses['goes'], 'focused' | 'elsewhere'> & { shared: number; all: Record<'trainers' | 'focused' | 'presets' | 'schedules', number> }
    >(sql`select
    course_goes(${id}) as all,
    (select count(*)::int from trainer_courses c join users u on u.id = c.user_id where c.course_id = ${id} and ${peopleOf(actor)}) as trainers,
    (select count(*)::int from report_presets p join entities e on e.id = p.entity_id where p.filter -> 'courses' @> ${named}::jsonb and ${visibleEntity(actor)}
      and (p.shared or p.owner_id = ${actor.user.uuid})) as presets,
    (select count(*)::int from report_presets p join entities e on e.id = p.entity_id where p.filter -> 'courses' @> ${named}::jsonb and ${visibleEntity(actor)} and p.shared) as shared,
    count(*)::int as schedules, (count(*) filter (where s.filter -> 'courses' = ${named}::jsonb))::int as schedules_of_it_alone
    from report_schedules s join entities e on e.id = s.entity_id where s.filter -> 'courses' @> ${named}::jsonb and s.stopped_why is null and ${visibleEntity(actor)}`),
  );
  // A colleague's private saved filters stay private: only shared ones are compared.
  const elsewhere = all.trainers > counts.trainers || all.focused > focused.length || all.presets > shared || all.schedules > counts.schedules;
  return { focused, ...counts, elsewhere };
};

/** Who uses the course with this id, as far as the actor sees, or 404. */
export const courseUsesOf = async (on: Db, actor: Actor, id: string, now: Date): Promise<CourseUses> => {
  const { mine } = existing(
    await on.one<{ mine: boolean }>(sql`select ${ownCourse(actor)} as mine from courses k where k.id = ${id} and ${courseOf(actor)}`),
  );
  const needed_by = mine ? await neededBy(on, actor, id) : [];
  return { ...(await usesOf(on, actor, { course: id, content: null }, now)), needed_by, goes: await goesWith(on, actor, id) };
};
/** Who uses the content with this id, as far as the actor sees, or 404. */
export const contentUsesOf = async (on: Db, actor: Actor, id: string, now: Date): Promise<ContentUses> => {
  const { course, mine } = existing(
    await on.one<{ course: string; mine: boolean }>(
      sql`select c.course_id as course, ${own(actor)} as mine from contents c where c.id = ${id} and ${seen(actor)}`,
    ),
  );
  const before = await on.all<
    ContentUses['before'][number]
  >(sql`select c.id, c.title from content_prerequisites p join contents c on c.id = p.content_id
    where p.required_content_id = ${id} and c.deleted_at is null and ${actor.seesAll ? sql`true` : sql`c.entity_id = any(${[...actor.entityIds]}::uuid[])`}
    group by c.id, c.title order by c.title, c.id`);
  return { ...(await usesOf(on, actor, { course, content: id }, now)), before, needed_by: mine ? await contentNeededBy(on, id) : [] };
};
