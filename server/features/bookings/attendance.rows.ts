import type { ReportFilter } from '#contract/reports/filter.ts';
import type { TrainingMonth } from '#contract/reports/training.ts';
import type { Actor } from '#server/actor.ts';
import { contains } from '#server/db/rows.ts';
import { entityAndBelow, visiblePerson } from '#server/db/seen.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import { dayInPeriod } from '#server/reports/period.ts';
import type { ReportAsked } from '#server/reports/report-source.ts';

/** An organisation, by its id. */
export const entity = (placeId: Statement) =>
  sql`(select json_build_object('id', x.id, 'name', x.name, 'slug', x.slug) from entity_names x where x.id = ${placeId})`;
/** The course `k` of a session. */
export const course = sql`json_build_object('id', k.id, 'name', k.title)`;
/** A session `t` with its course `k` and its organisation `e`. */
export const sessions = sql`training_sessions t join course_titles k on k.id = t.course_id join entity_names e on e.id = t.entity_id`;
/** Whether it was cancelled for good: a cancelled session with a register may have been held. */
export const off = sql`(t.cancelled_at is not null and t.held is not true)`;
/** The list of a session, as far as the actor sees it: all of it, or their own people. */
export const onList = (actor: Actor): Statement => sql`session_delegates d left join users u on u.id = d.user_id
  where d.session_id = t.id and d.same_as is null and (${visibleSession(actor)} or (u.id is not null and ${visiblePerson(actor)}))`;
/** Limits to the chosen courses. */
export const ofCourses = ({ courses }: ReportFilter): Statement => (courses.length > 0 ? sql`t.course_id = any(${[...courses]}::uuid[])` : sql`true`);
/** Limits to these organisations and those below them, as provider or as employer of listed people. */
export const ofEntities = ({ entities }: ReportFilter, people: Statement): Statement => {
  if (entities.length === 0) return sql`true`;
  const below = sql`(${entityAndBelow(sql`e.id = any(${[...entities]}::uuid[])`)})`;
  return sql`(t.entity_id in ${below} or ${people} in ${below})`;
};

type Attended = Omit<TrainingMonth, 'id' | 'net_pence'>;
/**
 * By month, provider and organisation: how many sessions its people were on, had a place, attended and missed. Clients' people whom the
 * actor does not otherwise see are grouped by the client that booked them.
 */
export const monthlyAttendance = ({ db, actor, filter, search, at }: ReportAsked<ReportFilter>): Promise<Attended[]> => {
  const whose = sql`coalesce(u.primary_entity_id, (select b.client_id from bookings b where b.id = d.booking_id), t.entity_id)`;
  return db.all<Attended>(sql`select g.month, ${entity(sql`g.provider_id`)} as provider, json_build_object('id', h.id, 'name', h.name, 'slug', h.slug) as entity,
      g.sessions, g.places, g.came, g.no_shows
    from (select to_char(t.date, 'YYYY-MM') as month, t.entity_id as provider_id, e.name as provider_name, ${whose} as entity_id,
        (count(distinct t.id) filter (where d.removed_at is null or d.came))::int as sessions, (count(*) filter (where d.removed_at is null))::int as places,
        (count(*) filter (where d.came))::int as came, (count(*) filter (where d.removed_at is null and d.absent))::int as no_shows
      from ${sessions} cross join lateral (select d.*, register_counts(t.id) and delegate_presence(d.id) = 'present' as came,
          register_counts(t.id) and delegate_presence(d.id) = 'absent' as absent from session_delegates d where d.session_id = t.id and d.same_as is null) d
        left join users u on u.id = d.user_id
      where not ${off} and (${visibleSession(actor)} or (u.id is not null and ${visiblePerson(actor)}))
        and ${dayInPeriod(sql`t.date`, sql`e.time_zone`, filter, at)} and ${ofCourses(filter)} and ${ofEntities(filter, whose)}
      group by 1, 2, 3, 4) g join entity_names h on h.id = g.entity_id
    where g.sessions > 0 and ${contains([sql`g.provider_name`, sql`h.name`], search)}`);
};
