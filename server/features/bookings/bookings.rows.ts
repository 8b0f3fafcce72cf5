import type { listBookings } from '#contract/api/manage-bookings.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import { can } from '#contract/can.ts';
import type { Booking, BookingRow, CalendarMonth, CalendarSession } from '#contract/entities/booking.ts';
import { dayIn, instantOf } from '#contract/rules/days.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import type { Actor } from '#server/actor.ts';
import { among, contains, existing, orderBy, pageOf, reference } from '#server/db/rows.ts';
import { amongAll, entityAndAbove, oneByOne, visiblePerson, type Within } from '#server/db/seen.ts';
import { type Db, instant, type Statement, often, sql } from '#server/db/sql.ts';
import { type ReadSettings, readSettings } from '#server/features/training-companies/company-settings.rows.ts';
import { time, visibleSession } from '#server/features/training-sessions/registers.rows.ts';

/** The permissions to manage the bookings of an organisation. */
const manages: readonly PermissionSlug[] = ['booking.create', 'booking.manage', 'booking.update'];
const ids = (actor: Actor) => sql`${[...actor.entityIds]}::uuid[]`;
const entity = (id: Statement) => sql`(select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) from entity_names e where e.id = ${id})`;

/** Whether two organisations belong to one tree, one above the other. */
export const inOneTree = (a: Statement, b: Statement): Statement =>
  sql`exists (select 1 from entity_below x where (x.above = ${a} and x.below = ${b}) or (x.above = ${b} and x.below = ${a}))`;
const internal = inOneTree(sql`b.provider_id`, sql`b.client_id`);
/** A setting of the caller's organisation: whether its people see bookings within it and with others, and manage those with others. */
const allowed = (actor: Actor, flag: Statement): Statement => sql`exists (select 1 from entities f where f.id = ${actor.place.id} and f.${flag})`;
const flags = {
  internal: { text: 'can_view_internal_bookings', values: [] },
  external: { text: 'can_view_external_bookings', values: [] },
  manage: { text: 'can_manage_bookings', values: [] },
} satisfies Record<string, Statement>;

/**
 * The only condition under which a row of `bookings b` is visible: the actor made it; or manages the bookings of its client, or, once it is
 * confirmed, of its provider, and their organisation shows its people bookings of this kind; or trains one of its sessions.
 */
export const visibleBooking = (actor: Actor, within: Within = amongAll): Statement => {
  if (actor.seesAll) return sql`true`;
  const madeByActor = sql`b.created_by = ${actor.user.uuid}`;
  const client = can(actor.user, manages) ? within(actor, sql`b.client_id`) : sql`false`;
  const provider = can(actor.user, [...manages, 'booking.provider'])
    ? sql`(b.confirmed_at is not null and ${within(actor, sql`b.provider_id`)})`
    : sql`false`;
  const trains = actor.user.is_trainer
    ? sql`(b.confirmed_at is not null and exists (select 1 from booking_places p join training_sessions t on t.id = p.session_id where p.booking_id = b.id and t.trainer_id = ${actor.user.uuid}))`
    : sql`false`;
  const kind = sql`((${internal} and ${allowed(actor, flags.internal)}) or (not ${internal} and ${allowed(actor, flags.external)}))`;
  return sql`(${madeByActor} or ${trains} or ((${client} or ${provider}) and ${kind}))`;
};

/**
 * Whether the actor can book their people on a row of `training_sessions t`: it is of their own tree of organisations, or offered to
 * clients by a provider of their organisation or of one above it.
 */
export const bookableSession = (actor: Actor, within: Within = amongAll): Statement =>
  actor.seesAll
    ? sql`true`
    : sql`(${within(actor, sql`t.entity_id`)} or t.entity_id in (${entityAndAbove(actor.place.id)})
        or (t.available_to = 'clients' and exists (select 1 from training_clients c where c.provider_id = t.entity_id and c.ended_at is null
          and c.client_id in (${entityAndAbove(actor.place.id)}))))`;

/** Those of `training_sessions t` that the caller can book for somebody, or request. */
export const bookableBy = (actor: Actor): Statement =>
  can(actor.user, [...manages, 'booking.request', 'booking.provider']) ? bookableSession(actor) : sql`false`;

type Plan = Omit<CalendarSession, 'starts_at' | 'free' | 'open' | 'register' | 'own'> & { zone: string };
const plan = sql`'id', t.id, 'course', (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = t.course_id),
  'provider', ${entity(sql`t.entity_id`)}, 'trainer', ${reference('person_names', sql`t.trainer_id`)}, 'date', t.date::text,
  'startTime', ${time(sql`t.start_time`)}, 'endTime', ${time(sql`t.end_time`)}, 'venue', t.venue, 'room', t.room, 'cancelled', t.cancelled_at is not null,
  'maxDelegates', t.max_delegates, 'minDelegates', t.min_delegates, 'taken', places_taken(t.id), 'zone', (select e.time_zone from entity_names e where e.id = t.entity_id)`;
const plannedOf = <P extends Plan>({ zone, ...row }: P) => ({
  ...row,
  starts_at: instantOf(row.date, row.startTime, zone),
  free: row.maxDelegates === null ? null : Math.max(0, row.maxDelegates - row.taken),
});

/**
 * Whether the actor sees or can book a row of `training_sessions t`. The possible providers are determined first: a list of ids uses an
 * index, so the policy is not evaluated for the many sessions of other organisations.
 */
export const inCalendar = async (on: Db, actor: Actor): Promise<Statement> => {
  const may = sql`(${can(actor.user, seesSessions) ? visibleSession(actor) : sql`false`} or ${bookableBy(actor)})`;
  if (actor.seesAll) return may;
  const above = entityAndAbove(actor.place.id);
  const providers = await on.all<{ id: string }>(sql`select unnest(${ids(actor)}) as id union select p.id from (${above}) p (id)
    union select c.provider_id from training_clients c where c.ended_at is null and c.client_id in (${above})`);
  return sql`((t.trainer_id = ${actor.user.uuid} or t.entity_id = any(${providers.map((p) => p.id)}::uuid[])) and ${may})`;
};

type MonthChoices = Pick<CalendarMonth, 'courses' | 'trainers' | 'providers' | 'venues'>;
type MonthDay = { date: string; total: number; ids: string[] };
/**
 * For each day with sessions that are `mine` (`inCalendar`) and `chosen`: their number and the ids of the first; and over all days, their
 * courses, trainers, providers and venues.
 */
export const monthOf = async (on: Db, visibleSessions: Statement, period: Statement, chosen: Statement, perDay: number) => {
  const named = (
    ids: Statement,
    names: Statement,
  ) => sql`(select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name) order by lower(n.name), n.id), '[]'::json)
      from ${names} n where n.id in (${ids}))`;
  const row = await on.one<{ days: MonthDay[]; choices: MonthChoices }>(sql`with seen as materialized (
      select t.id, t.date, t.start_time, t.course_id, t.trainer_id, t.entity_id, t.venue, ${chosen} as chosen from training_sessions t where ${visibleSessions} and ${period}),
    placed as (select s.*, row_number() over (partition by s.date order by s.start_time, s.id) as nth from seen s where s.chosen),
    counted as (select p.date, count(*)::int as total, array_agg(p.id order by p.nth) filter (where p.nth <= ${perDay}::int) as ids from placed p group by p.date)
    select coalesce((select json_agg(json_build_object('date', c.date::text, 'total', c.total, 'ids', c.ids) order by c.date) from counted c), '[]'::json) as days,
      json_build_object('courses', ${named(sql`select s.course_id from seen s`, sql`(select k.id, k.title as name from course_titles k)`)},
        'trainers', ${named(sql`select s.trainer_id from seen s`, sql`person_names`)}, 'providers', ${named(sql`select s.entity_id from seen s`, sql`entity_names`)},
        'venues', (select coalesce(json_agg(v.venue order by lower(v.venue), v.venue), '[]'::json) from (select distinct s.venue from seen s where s.venue <> '') v)) as choices`);
  return existing(row);
};

/** The names of courses, trainers and providers `of` which there are sessions that are `mine` (`inCalendar`), at any time. */
export const namesOfChosen = (
  on: Db,
  visibleSessions: Statement,
  chosenIds: Partial<Record<'course' | 'trainer' | 'provider', string | undefined>>,
) => {
  const named = (id: string | undefined, names: Statement, column: Statement) =>
    id === undefined
      ? []
      : [
          sql`select n.id, n.name from ${names} n where n.id = ${id} and exists (select 1 from training_sessions t where ${column} = n.id and ${visibleSessions})`,
        ];
  const [first, ...more] = [
    ...named(chosenIds.course, sql`(select k.id, k.title as name from course_titles k)`, sql`t.course_id`),
    ...named(chosenIds.trainer, sql`person_names`, sql`t.trainer_id`),
    ...named(chosenIds.provider, sql`entity_names`, sql`t.entity_id`),
  ];
  return first ? on.all<{ id: string; name: string }>(more.reduce((all, one) => sql`${all} union all ${one}`, first)) : Promise.resolve([]);
};

/** Sessions that are `mine` (`inCalendar`), as the calendar shows them to the actor. */
export const calendarOf = async (
  on: Db,
  actor: Actor,
  visibleSessions: Statement,
  where: Statement,
  now: Date,
  most: number,
): Promise<CalendarSession[]> => {
  const sees = can(actor.user, seesSessions) ? visibleSession(actor) : sql`false`;
  const ownPeople = actor.seesAll ? sql`true` : sql`u.primary_entity_id = any(${ids(actor)})`;
  const rows = await on.all<{ row: Plan & { register: boolean; own: number } }>(sql`select json_build_object(${plan}, 'register', ${sees},
      'own', (select count(*)::int from session_delegates d join users u on u.id = d.user_id
        where d.session_id = t.id and d.same_as is null and d.removed_at is null and ${ownPeople})) as row
    from training_sessions t where ${visibleSessions} and ${where} order by t.date, t.start_time, t.id limit ${most}`);
  return rows.map(({ row }) => {
    const session = plannedOf(row);
    return { ...session, open: !row.cancelled && session.starts_at > now.toISOString() };
  });
};

/** `b` a booking, `p` one of its places, `d` and `w` the person's entries on the list and the waiting list of its session. */
const placesFrom = sql`booking_places p left join session_delegates d on d.session_id = p.session_id and d.user_id = p.user_id and d.booking_id = b.id and d.same_as is null
  left join session_waiting w on w.session_id = p.session_id and w.user_id = p.user_id and b.confirmed_at is not null and b.cancelled_at is null`;
const holds = sql`(d.id is not null and d.removed_at is null)`;
/** The state of somebody's place at a time. */
const placeStateAt = (
  now: Date,
): Statement => sql`case when b.confirmed_at is null then case when b.cancelled_at is null then 'requested' else 'removed' end
  when ${holds} then case when d.asked_at is null then 'booked' when d.accepted_at is not null or d.accepts_at <= ${now}::timestamptz then 'accepted' else 'asked' end
  when w.id is not null then 'waiting' when d.declined_at is not null then 'declined' else 'removed' end`;
const state = sql`case when b.cancelled_at is null then case when b.confirmed_at is null then 'requested' else 'confirmed' end
  when b.confirmed_at is null and b.cancelled_by <> b.created_by then 'declined' else 'cancelled' end`;
const header = sql`'id', b.id, 'reference', b.reference, 'trainingProviderId', b.provider_id, 'clientId', b.client_id, 'notes', b.notes, 'confirmed', b.confirmed_at is not null,
  'cancelled_at', ${instant(sql`b.cancelled_at`)}, 'cancellation_reason', b.cancellation_reason, 'provider', ${entity(sql`b.provider_id`)}, 'client', ${entity(sql`b.client_id`)},
  'state', ${state}, 'created_by', ${reference('person_names', sql`b.created_by`)}, 'created_at', ${instant(sql`b.created_at`)}, 'rev', b.rev`;

/** A page of the bookings that the actor sees. */
export const bookingPage = async (on: Db, actor: Actor, query: QueryOf<typeof listBookings>, now: Date) => {
  const today = dayIn(now, actor.user.time_zone);
  const placeState = placeStateAt(now);
  const first = sql`(select min(t.date) from booking_places p join training_sessions t on t.id = p.session_id where p.booking_id = b.id)`;
  const [client, provider] = [sql`b.client_id`, sql`b.provider_id`].map((id) => sql`(select e.name from entity_names e where e.id = ${id})`) as [
    Statement,
    Statement,
  ];
  const someone = contains([sql`n.name`, sql`k.title`], query.search);
  const found = query.search?.trim()
    ? sql`(${contains([sql`b.reference`, client, provider], query.search)} or exists (select 1 from booking_places p join training_sessions t on t.id = p.session_id
        join course_titles k on k.id = t.course_id join person_names n on n.id = p.user_id where p.booking_id = b.id and ${someone}))`
    : sql`true`;
  const has = (which: Statement) =>
    sql`exists (select 1 from booking_places p join training_sessions t on t.id = p.session_id where p.booking_id = b.id and ${which})`;
  const when =
    query.when === undefined
      ? sql`true`
      : query.when === 'coming'
        ? has(sql`t.date >= ${today}::date`)
        : sql`not ${has(sql`t.date >= ${today}::date`)}`;
  const where = sql`${visibleBooking(actor)} and ${found} and ${when} and ${query.state ? sql`${state} = ${query.state}` : sql`true`}
    and ${query.entity ? sql`(b.client_id = ${query.entity} or b.provider_id = ${query.entity})` : sql`true`}
    and ${query.course ? has(sql`t.course_id = ${query.course}`) : sql`true`}`;
  const order = orderBy(
    query.sort ?? '-created_at',
    { first_on: first, reference: sql`b.number`, created_at: sql`b.created_at`, client, provider },
    sql`b.id`,
  );
  const columns = sql`json_build_object(${header},
    'courses', (select coalesce(json_agg(distinct k.title), '[]') from booking_places p join training_sessions t on t.id = p.session_id join course_titles k on k.id = t.course_id where p.booking_id = b.id),
    'first_on', coalesce(${first}, b.created_at::date)::text, 'sessions', (select count(distinct p.session_id) from booking_places p where p.booking_id = b.id),
    'people', (select count(distinct p.user_id) from ${placesFrom} where p.booking_id = b.id and ${placeState} in ('requested', 'booked', 'asked', 'accepted', 'waiting')),
    'waiting', (select count(distinct p.user_id) from ${placesFrom} where p.booking_id = b.id and ${placeState} = 'waiting')) as row`;
  const page = await pageOf<{ row: BookingRow }>(on, '/api/bookings', query, { columns, from: sql`bookings b`, where, order });
  return { ...page, data: page.data.map((r) => r.row) };
};

/** A booking with its current state and the facts that decide who may do what with it. */
export type FoundBooking = Omit<Booking, 'sessions' | 'cancel_until' | 'may' | 'cost' | 'history'> & {
  internal: boolean;
  manages: boolean;
  sessions: (ReturnType<typeof plannedOf<Plan>> & { places: Booking['sessions'][number]['places'] })[];
};

type Change = { id: string; at: string; by: { id: string; name: string }; action: string; after: Record<string, unknown> | null };
/** The history of a booking, latest first. */
const history = (id: string) => sql`(select coalesce(json_agg(h), '[]') from (
    select l.id, ${instant(sql`l.at`)} as at, json_build_object('id', n.id, 'name', n.name) as by, l.action, l.after
    from audit_log l join person_names n on n.id = l.actor_id where l.subject_kind = 'booking' and l.subject_id = ${id} order by l.no desc limit 200) h)`;
/** Its sessions by id: with a join, row-level security would be evaluated for every session first. */
const sessionsOf = (id: string, now: Date) => sql`(select coalesce(json_agg(s.row order by s.date, s.start_time, s.id), '[]') from (
    select t.date, t.start_time, t.id, json_build_object(${plan},
      'places', (select json_agg(json_build_object('id', p.id, 'delegate_id', d.id, 'user', json_build_object('id', n.id, 'name', n.name),
          'place', coalesce((select e.name from users u join entity_names e on e.id = u.primary_entity_id where u.id = p.user_id), ''),
          'state', ${placeStateAt(now)}, 'accept_by', case when ${holds} and d.accepted_at is null then ${instant(sql`d.lapses_at`)} end, 'reason', coalesce(d.removed_why, '')) order by n.name, p.seq)
        from ${placesFrom} join person_names n on n.id = p.user_id where p.booking_id = b.id and p.session_id = t.id)) as row
    from training_sessions t where t.id = any(array(select p.session_id from booking_places p where p.booking_id = ${id}))) s)`;
type Found = { row: Omit<FoundBooking, 'sessions'>; sessions: (Plan & Pick<FoundBooking['sessions'][number], 'places'>)[] };
const found = async <More>(on: Db, actor: Actor, id: string, now: Date, more: Statement): Promise<{ booking: FoundBooking } & More> => {
  const { row, sessions, ...rest } = existing(
    await on.one<Found & More>(
      often(sql`select json_build_object(${header}, 'requested_by', ${reference('person_names', sql`b.requested_by`)},
        'confirmed_by', ${reference('person_names', sql`b.confirmed_by`)}, 'confirmed_at', ${instant(sql`b.confirmed_at`)},
        'cancelled_by', ${reference('person_names', sql`b.cancelled_by`)}, 'internal', ${internal}, 'manages', ${actor.seesAll ? sql`true` : allowed(actor, flags.manage)}) as row,
        ${sessionsOf(id, now)} as sessions${more}
      from bookings b where b.id = ${id} and ${visibleBooking(actor, oneByOne)}`),
    ),
  );
  return { ...(rest as unknown as More), booking: { ...row, sessions: sessions.map(plannedOf) } };
};

/** One booking; 404 if the actor does not see it. */
export const bookingOf = async (on: Db, actor: Actor, id: string, now: Date): Promise<FoundBooking> =>
  (await found(on, actor, id, now, sql``)).booking;
/** The same with its history. */
export const bookingWithHistory = (on: Db, actor: Actor, id: string, now: Date) =>
  found<{ history: Change[] }>(on, actor, id, now, sql`, ${history(id)} as history`);

/**
 * The choice of sessions and people: the sessions that the actor can book, with the settings of the first one's provider; the people whom
 * they see and who have not left.
 */
export const chosenOf = async (on: Db, actor: Actor, sessions: readonly string[], people: readonly string[]) =>
  existing(
    await on.one<{
      sessions: { id: string; entity_id: string; date: string; zone: string; settings: ReadSettings | null }[];
      people: { id: string; name: string }[];
    }>(
      often(sql`select (select coalesce(json_agg(json_build_object('id', t.id, 'entity_id', t.entity_id, 'date', t.date::text,
          'zone', (select e.time_zone from entity_names e where e.id = t.entity_id),
          'settings', case when t.id = ${sessions[0] ?? null}::uuid then ${readSettings(sql`t.entity_id`)} end)), '[]')
        from training_sessions t where ${among(sql`t.id`, sessions)} and ${bookableSession(actor, oneByOne)}) as sessions,
        (select coalesce(json_agg(json_build_object('id', u.id, 'name', u.name)), '[]')
        from users u where ${among(sql`u.id`, people)} and u.disabled_at is null and ${visiblePerson(actor, oneByOne)}) as people`),
    ),
  );
