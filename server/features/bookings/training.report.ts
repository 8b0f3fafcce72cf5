import type {
  ComingSessionRow,
  evaluationReport,
  SessionsEvaluated,
  NoShow,
  noShowsReport,
  SessionUse,
  sessionUseReport,
  upcomingTrainingReport,
} from '#contract/reports/training.ts';
import { addDays } from '#contract/rules/days.ts';
import { minimumOf } from '#contract/rules/session-places.ts';
import type { Actor } from '#server/actor.ts';
import { contains, reference } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { entityAndBelow, visiblePerson } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { course, entity, off, ofCourses, ofEntities, onList, sessions } from '#server/features/bookings/attendance.rows.ts';
import { bookableSession } from '#server/features/bookings/bookings.rows.ts';
import { knownNames } from '#server/features/reports/selection.rows.ts';
import { time, visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import { dayInPeriod } from '#server/reports/period.ts';
import type { ReportSource } from '#server/reports/report-source.ts';

/** How sessions are used, by provider, venue and course, from the current registers. */
export const sessionUseSource: ReportSource<typeof sessionUseReport> = {
  names: knownNames,
  rows: async function* ({ db, actor, filter, search, at }) {
    const people = sql`exists (select 1 from ${onList(actor)})`;
    const theirs =
      filter.entities.length > 0
        ? sql`(t.entity_id in (${entityAndBelow(sql`e.id = any(${[...filter.entities]}::uuid[])`)}) or exists (select 1 from ${onList(actor)}
            and u.primary_entity_id in (${entityAndBelow(sql`e.id = any(${[...filter.entities]}::uuid[])`)})))`
        : sql`true`;
    type Found = Omit<SessionUse, 'filled'> & { limited: number };
    const rows =
      await db.all<Found>(sql`select t.entity_id || ' ' || t.course_id || ' ' || t.venue as id, ${entity(sql`t.entity_id`)} as provider, t.venue,
        json_build_object('id', t.course_id, 'name', t.title) as course, (count(*) filter (where not t.off))::int as sessions,
        (sum(t.max_delegates) filter (where t.sees and not t.off))::int as places, coalesce(sum(t.taken) filter (where not t.off), 0)::int as taken,
        coalesce(sum(t.taken) filter (where t.sees and not t.off and t.max_delegates is not null), 0)::int as limited,
        coalesce(sum(t.came), 0)::int as came, coalesce(sum(t.no_shows), 0)::int as no_shows, (count(*) filter (where t.off))::int as cancelled
      from (select t.entity_id, t.course_id, k.title, t.venue, t.max_delegates, ${off} as off, ${visibleSession(actor)} as sees, n.*, e.name as held_by
        from ${sessions} cross join lateral (select count(*) filter (where d.removed_at is null)::int as taken,
            count(*) filter (where register_counts(t.id) and delegate_presence(d.id) = 'present')::int as came,
            count(*) filter (where register_counts(t.id) and d.removed_at is null and delegate_presence(d.id) = 'absent')::int as no_shows
          from ${onList(actor)}) n
        where (${visibleSession(actor)} or ${people}) and ${dayInPeriod(sql`t.date`, sql`e.time_zone`, filter, at)} and ${ofCourses(filter)} and ${theirs}
          and ${contains([sql`e.name`, sql`t.venue`, sql`k.title`], search)}) t
      group by t.entity_id, t.held_by, t.course_id, t.title, t.venue order by lower(t.held_by), lower(t.venue), lower(t.title), 1`);
    yield rows.map(({ limited, ...row }) => ({ ...row, filled: row.places ? Math.round((100 * limited) / row.places) : null }));
  },
};

/** Who had a place and did not come. */
export const noShowsSource: ReportSource<typeof noShowsReport> = {
  names: knownNames,
  rows: async function* ({ db, actor, filter, search, at }) {
    yield await db.all<NoShow>(sql`select d.id, json_build_object('id', u.id, 'name', u.name) as user, h.name as place, ${course} as course, t.id as session_id,
        t.date::text as "on", ${time(sql`t.start_time`)} as start, t.venue, ${entity(sql`t.entity_id`)} as provider,
        ${reference('person_names', sql`coalesce(b.created_by, d.added_by)`)} as booked_by, b.id as booking_id
      from ${sessions} join session_delegates d on d.session_id = t.id join person_names n on n.id = d.user_id
        join lateral (select n.id, n.name, coalesce((select p.primary_entity_id from users p where p.id = n.id), t.entity_id) as at) u on true
        join entity_names h on h.id = u.at left join bookings b on b.id = d.booking_id
      where d.same_as is null and d.removed_at is null and register_counts(t.id) and delegate_presence(d.id) = 'absent'
        and (${visibleSession(actor)} or exists (select 1 from users u where u.id = d.user_id and ${visiblePerson(actor)}))
        and ${dayInPeriod(sql`t.date`, sql`e.time_zone`, filter, at)} and ${ofCourses(filter)} and ${ofEntities(filter, sql`u.at`)}
        and ${contains([sql`n.name`, sql`k.title`, sql`t.venue`, sql`h.name`], search)}
      order by t.date desc, t.start_time desc, lower(n.name), d.id`);
  },
};

/** Feedback of attendees on sessions, by provider, course and trainer: only for the organisation's own sessions. */
export const evaluationSource: ReportSource<typeof evaluationReport> = {
  names: knownNames,
  rows: async function* ({ db, actor, filter, search, at }) {
    yield await db.all<SessionsEvaluated>(sql`select g.id, g.provider, g.course, g.trainer, cardinality(g.sessions) as sessions, v.asked, v.answered,
        v.course as course_average, v.trainer as trainer_average
      from (select t.entity_id || ' ' || t.course_id || ' ' || n.id as id, ${entity(sql`t.entity_id`)} as provider,
          json_build_object('id', t.course_id, 'name', k.title) as course, k.title, n.name as trainer, array_agg(t.id) as sessions
        from ${sessions} cross join lateral (select case when t.external_provider then t.external_trainer else t.trainer_id::text end as id,
            case when t.external_provider then t.external_trainer else (select p.name from person_names p where p.id = t.trainer_id) end as name) n
        where ${visibleSession(actor)} and register_counts(t.id) and ${dayInPeriod(sql`t.date`, sql`e.time_zone`, filter, at)} and ${ofCourses(filter)}
          and ${ofEntities(filter, sql`t.entity_id`)} and ${contains([sql`k.title`, sql`n.name`, sql`e.name`], search)}
        group by t.entity_id, t.course_id, k.title, n.id, n.name) g cross join lateral evaluation_of(g.sessions) v
      order by lower(g.title), lower(g.trainer), g.id`);
  },
};

type Filled = { id: string; taken: number; own: number; waiting: number };
/**
 * For each of these sessions: how many have a place, how many of those are the actor's people, and how many people visible to the actor
 * wait for one.
 */
const filledOf = async (on: Db, actor: Actor, ids: readonly string[], seen: readonly string[]): Promise<ReadonlyMap<string, Filled>> => {
  // Only numbers of sessions that the actor sees: other organisations' lists are queried once, without a row-level security check per row.
  const found = await beyondScope(() =>
    on.all<Filled>(sql`select s.id, coalesce(d.taken, 0) as taken, coalesce(d.own, 0) as own, coalesce(w.waiting, 0) as waiting
      from unnest(${[...ids]}::uuid[]) s (id)
        left join (select d.session_id, count(*)::int as taken, (count(*) filter (where u.id is not null and ${visiblePerson(actor)}))::int as own
          from session_delegates d left join users u on u.id = d.user_id
          where d.session_id = any(${[...ids]}::uuid[]) and d.same_as is null and d.removed_at is null group by 1) d on d.session_id = s.id
        left join (select w.session_id, count(*)::int as waiting from session_waiting w left join users u on u.id = w.user_id
          where w.session_id = any(${[...ids]}::uuid[]) and (w.session_id = any(${[...seen]}::uuid[]) or (u.id is not null and ${visiblePerson(actor)}))
          group by 1) w on w.session_id = s.id`),
  );
  return new Map(found.map((f) => [f.id, f]));
};

/** The sessions to come that the actor holds or can book. */
export const upcomingTrainingSource: ReportSource<typeof upcomingTrainingReport> = {
  names: knownNames,
  rows: async function* ({ db, actor, filter, search, at }) {
    type Found = Omit<ComingSessionRow, 'free' | 'state' | 'taken' | 'own' | 'waiting'> & { least: number | null; today: string };
    // A day earlier than in any time zone: uses the index before visibility is evaluated for each session.
    const yesterday = addDays(at.toISOString().slice(0, 10), -1);
    const rows =
      await db.all<Found>(sql`select t.id, ${course} as course, ${entity(sql`t.entity_id`)} as provider, ${reference('person_names', sql`t.trainer_id`)} as trainer,
        t.date::text as "on", ${time(sql`t.start_time`)} as start, t.venue, t.max_delegates as places, t.min_delegates as least,
        ${visibleSession(actor)} as register, (${at}::timestamptz at time zone e.time_zone)::date::text as today
      from ${sessions}
      where t.date >= ${yesterday}::date and (${visibleSession(actor)} or ${bookableSession(actor)}) and t.cancelled_at is null and not register_counts(t.id)
        and t.date + t.start_time::time > (${at}::timestamptz at time zone e.time_zone) and ${ofCourses(filter)} and ${ofEntities(filter, sql`t.entity_id`)}
        and ${contains([sql`k.title`, sql`t.venue`, sql`e.name`], search)}
      order by t.date, t.start_time, t.id`);
    const ids = rows.map((r) => r.id);
    const filled = await filledOf(
      db,
      actor,
      ids,
      rows.flatMap((r) => (r.register ? [r.id] : [])),
    );
    yield rows.map(({ least, today, ...row }) => {
      const { taken, own, waiting } = filled.get(row.id) as Filled;
      const free = row.places === null ? null : Math.max(0, row.places - taken);
      const minimum = minimumOf({ date: row.on, delegates: taken, minDelegates: least, cancelled: null, completed: null }, today);
      const state = minimum === 'risk' || minimum === 'few' ? minimum : free === 0 ? ('full' as const) : ('free' as const);
      return { ...row, taken, own, waiting, free, state };
    });
  },
};
