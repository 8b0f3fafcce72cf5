import type { QueryOf } from '#contract/api/endpoint.ts';
import type { listTrainingSessions } from '#contract/api/training-sessions.ts';
import { type Delegate, mostRegisters, type Register, registersAheadDays, type SessionRow } from '#contract/entities/training-session.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { among, contains, existing, orderBy, pageOf, reference } from '#server/db/rows.ts';
import { type Db, instant, often, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

const person = (id: Statement) => reference('person_names', id);
export const time = (column: Statement) => sql`to_char(${column}, 'HH24:MI')`;

/** The only condition under which a row of `training_sessions t` is visible: the actor is its trainer, or it is of their organisation or below it. */
export const visibleSession = (actor: Actor): Statement =>
  actor.seesAll ? sql`true` : sql`(t.trainer_id = ${actor.user.uuid} or t.entity_id = any(${[...actor.entityIds]}::uuid[]))`;

const header = sql`'id', t.id, 'course', (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = t.course_id),
  'entity', (select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) from entity_names e where e.id = t.entity_id), 'trainer', ${person(sql`t.trainer_id`)},
  'date', t.date::text, 'startTime', ${time(sql`t.start_time`)}, 'endTime', ${time(sql`t.end_time`)}, 'venue', t.venue, 'room', t.room, 'venue_id', t.venue_id, 'room_id', t.room_id, 'aim', t.aim,
  'contentId', t.content_id, 'learningOutcomes', t.learning_outcomes, 'contentCovered', t.content_covered, 'bring', t.bring, 'minDelegates', t.min_delegates, 'pass_mark', t.pass_mark,
  'availableTo', t.available_to, 'area', t.area, 'external_provider', t.external_provider, 'external_trainer', t.external_trainer, 'virtual', t.virtual, 'joining_link', t.joining_link, 'maxDelegates', t.max_delegates, 'grading_method', t.grading_method,
  'cancelled', case when t.cancelled_at is not null then json_build_object('at', ${instant(sql`t.cancelled_at`)}, 'by', ${person(sql`t.cancelled_by`)}, 'reason_id', t.cancellation_reason_id, 'notes', t.cancellation_notes) end,
  'held', t.held, 'taken_on', t.taken_on::text,
  'completed', (select json_build_object('id', c.id, 'at', ${instant(sql`c.at`)}, 'by', ${person(sql`c.by_id`)}, 'note', c.note)
    from current_completions c where c.session_id = t.id order by c.received_at desc, c.id limit 1),
  'incomplete', (select json_build_object('at', ${instant(sql`o.at`)}, 'by', ${person(sql`o.by_id`)}, 'reason', o.reason) from register_reopenings o
    where o.session_id = t.id and not exists (select 1 from current_completions c where c.session_id = t.id) order by o.at desc, o.id limit 1),
  'series', case when t.series_id is not null then json_build_object('id', t.series_id, 'of', (select count(*) from training_sessions s where s.series_id = t.series_id),
    'no', (select count(*) from training_sessions s where s.series_id = t.series_id and (s.date, s.id) <= (t.date, t.id))) end,
  'certificates_withheld', t.certificates_withheld`;
/** The answer of somebody on a list `d`, or when silence counts as acceptance; null if nobody asked. */
export const answerJson = sql`case when d.asked_at is not null then json_build_object('at', ${instant(sql`d.accepted_at`)}, 'counts_at', ${instant(sql`d.accepts_at`)}, 'lapses_at', ${instant(sql`d.lapses_at`)}) end`;
const markJson = sql`json_build_object('id', m.id, 'presence', m.presence, 'arrived', ${time(sql`m.arrived`)}, 'left', ${time(sql`m.left_at`)}, 'outcome', m.outcome, 'score', m.score, 'theory', m.theory,
  'note', m.note, 'by', ${person(sql`m.by_id`)}, 'at', ${instant(sql`m.at`)}, 'clock_off_ms', m.clock_off_ms)`;
const delegates = sql`coalesce((select json_agg(json_build_object(
    'id', d.id, 'also', coalesce((select json_agg(a.id) from session_delegates a where a.same_as = d.id), '[]'), 'user', ${person(sql`d.user_id`)},
    'name', coalesce((select p.name from person_names p where p.id = d.user_id), d.name),
    'place', coalesce((select e.name from users u join entity_names e on e.id = u.primary_entity_id where u.id = d.user_id), ''), 'note', d.note, 'walk_in', d.walk_in,
    'removed', case when d.removed_at is not null then json_build_object('at', ${instant(sql`d.removed_at`)}, 'by', ${person(sql`d.removed_by`)}, 'declined', d.declined_at is not null, 'lapsed', d.lapsed_at is not null, 'why', d.removed_why) end,
    'marks', coalesce((select json_agg(${markJson} order by m.seq) from register_marks m join session_delegates x on x.id = m.delegate_id where m.session_id = d.session_id and coalesce(x.same_as, x.id) = d.id), '[]'),
    'signature', (select json_build_object('id', s.id, 'mark_id', s.mark_id, 'method', s.method, 'drawing', s.drawing, 'at', ${instant(sql`s.at`)})
      from register_signatures s join register_marks m on m.id = s.mark_id join session_delegates x on x.id = m.delegate_id
      where m.session_id = d.session_id and coalesce(x.same_as, x.id) = d.id order by s.received_at desc, s.id limit 1),
    'recorded', exists (select 1 from recorded_delegates r where r.delegate_id = d.id),
    'move', case when d.move_asked_at is null then null when d.move_agreed_at is null then 'asked' else 'agreed' end,
    'answer', ${answerJson}, 'checked_in', (select json_build_object('at', ${instant(sql`c.at`)}, 'late', c.late, 'clock_off_ms', c.clock_off_ms) from check_ins c where c.session_id = d.session_id and c.user_id = d.user_id))
  order by coalesce((select p.name from person_names p where p.id = d.user_id), d.name), d.id) from session_delegates d where d.session_id = t.id and d.same_as is null), '[]')`;

const registers = (actor: Actor, where: Statement, part: Statement = sql``): Statement =>
  sql`select json_build_object(${header}, 'rev', t.rev, 'delegates', ${delegates}) as register
    from training_sessions t where ${visibleSession(actor)} and ${where} order by t.date, t.start_time, t.id ${part}`;
type Row = { register: Register };
/** Sessions with their registers, those that the actor sees. */
export const registersOf = async (db: Db, actor: Actor, where: Statement, part: Statement = sql``): Promise<Register[]> =>
  (await db.all<Row>(registers(actor, where, part))).map((r) => r.register);

/** A day relative to today in the time zone of the actor's organisation. */
const dayFrom = (now: Date, actor: Actor, days: number) => addDays(dayIn(now, actor.user.time_zone), days);

/** A trainer's next and most recent sessions, whose registers their devices store. */
export const ownSessionDays = (actor: Actor, now: Date): Statement =>
  sql`t.trainer_id = ${actor.user.uuid} and t.date between ${dayFrom(now, actor, -1)}::date and ${dayFrom(now, actor, registersAheadDays)}::date`;
export const ownRegisters = (db: Db, actor: Actor, now: Date): Promise<Register[]> =>
  registersOf(db, actor, ownSessionDays(actor, now), sql`limit ${mostRegisters}`);

/** Whether a session `t` was over before a day: it ended on a day before, or at its first minute. */
export const beforeDay = (day: string): Statement => sql`(session_ends(t.date, t.start_time, t.end_time) <= ${day}::date)`;

/** A page of the sessions that the actor sees. */
export const sessionPage = async (db: Db, actor: Actor, query: QueryOf<typeof listTrainingSessions>, now: Date) => {
  const today = dayFrom(now, actor, 0);
  const { search, when, mine, course: courseId, trainer: trainerId, from, until } = query;
  // A session of today counts as coming until its register is finished.
  const over = sql`(${beforeDay(today)} or exists (select 1 from current_completions c where c.session_id = t.id))`;
  const which = when === 'all' ? sql`true` : when === 'past' ? over : sql`not ${over}`;
  const course = sql`(select k.title from course_titles k where k.id = t.course_id)`;
  const trainer = sql`(select p.name from person_names p where p.id = t.trainer_id)`;
  const where = sql`${visibleSession(actor)} and ${which} and (${mine !== true} or t.trainer_id = ${actor.user.uuid})
    and ${courseId ? sql`t.course_id = ${courseId}` : sql`true`} and ${trainerId ? sql`t.trainer_id = ${trainerId}` : sql`true`}
    and ${from ? sql`t.date >= ${from}::date` : sql`true`} and ${until ? sql`t.date <= ${until}::date` : sql`true`}
    and ${contains([course, trainer, sql`t.venue`, sql`t.area`], search)}`;
  const day = sql`(t.date + t.start_time::time)`;
  const order = orderBy(query.sort ?? (when === 'coming' ? 'date' : '-date'), { date: day, course, venue: sql`t.venue`, trainer }, sql`t.id`);
  const columns = sql`json_build_object(${header},
      'delegates', (select count(*) from session_delegates d where d.session_id = t.id and d.same_as is null and d.removed_at is null),
      'waiting', (select count(*) from session_waiting w where w.session_id = t.id),
      'present', (select count(*) from session_delegates d where d.session_id = t.id and d.same_as is null and
        (select m.presence from register_marks m join session_delegates x on x.id = m.delegate_id where m.session_id = d.session_id and coalesce(x.same_as, x.id) = d.id order by m.seq desc limit 1) = 'present')) as row`;
  const page = await pageOf<{ row: SessionRow }>(db, '/api/training-sessions', query, { columns, from: sql`training_sessions t`, where, order });
  return { ...page, data: page.data.map((r) => r.row) };
};

/** One session with its register; 404 if the actor does not see it. */
export const registerOf = async (db: Db, actor: Actor, id: string): Promise<Register> =>
  existing(await db.one<Row>(often(registers(actor, sql`t.id = ${id}`)))).register;

/** The part of a session that decides who gets a place on it and which messages they get: the rest of the register takes as long again to read. */
export type SessionList = Pick<
  Register,
  'id' | 'course' | 'entity' | 'trainer' | 'external_trainer' | 'bring' | 'date' | 'startTime' | 'endTime' | 'venue' | 'room' | 'maxDelegates'
> & { cancelled: object | null; completed: object | null; delegates: { user: { id: string } | null; removed: object | null }[] };
/** The same, with the ids of people on the waiting list. */
export type WholeList = SessionList & { waiting: string[] };
/** The lists of sessions, in this order, even if the caller does not see them: for the server's decisions, never for an answer. */
export const listsOf = async (tx: Db, ids: readonly string[]): Promise<WholeList[]> => {
  const rows = await tx.all<{ list: WholeList }>(
    often(sql`select json_build_object('id', t.id, 'course', json_build_object('id', t.course_id, 'name', k.title), 'entity', json_build_object('id', e.id, 'name', e.name, 'slug', e.slug),
          'trainer', json_build_object('id', n.id, 'name', n.name), 'external_trainer', t.external_trainer, 'bring', t.bring, 'date', t.date::text, 'startTime', ${time(sql`t.start_time`)}, 'endTime', ${time(sql`t.end_time`)}, 'venue', t.venue, 'room', t.room,
          'cancelled', case when t.cancelled_at is not null then json_build_object('at', t.cancelled_at) end,
          'completed', (select json_build_object('id', c.id) from current_completions c where c.session_id = t.id limit 1), 'maxDelegates', t.max_delegates,
          'delegates', (select coalesce(json_agg(json_build_object('user', case when d.user_id is not null then json_build_object('id', d.user_id) end,
              'removed', case when d.removed_at is not null then json_build_object('at', d.removed_at) end)), '[]')
            from session_delegates d where d.session_id = t.id and d.same_as is null),
          'waiting', array(select w.user_id from session_waiting w where w.session_id = t.id)) as list
        from training_sessions t join course_titles k on k.id = t.course_id join entity_names e on e.id = t.entity_id join person_names n on n.id = t.trainer_id where ${among(sql`t.id`, ids)}`),
  );
  return ids.map((id) => existing(rows.find(({ list }) => list.id === id)).list);
};

/** The sessions that follow one in its series and are still to be held, in order. */
export const followingSessions = async (on: Db, id: string): Promise<string[]> => {
  const rows = await on.all<{
    id: string;
  }>(sql`select t.id from training_sessions f join training_sessions t on t.series_id = f.series_id and (t.date, t.id) > (f.date, f.id)
    where f.id = ${id} and t.cancelled_at is null and not exists (select 1 from current_completions c where c.session_id = t.id) order by t.date, t.id`);
  return rows.map((row) => row.id);
};

/** Announces that a session has changed. */
export const touch = (tx: Db, id: string) => tx.run(often(sql`update training_sessions set rev = rev + 1 where id = ${id}`));

/** The session of a place, and whether the place is the actor’s own. */
export const sessionOfDelegate = async (on: Db, id: string, actor: Actor): Promise<{ session_id: string; mine: boolean }> =>
  existing(
    await on.one<{ session_id: string; mine: boolean }>(
      sql`select session_id, coalesce(user_id = ${actor.user.uuid}, false) as mine from session_delegates where id = ${id} and same_as is null`,
    ),
  );

/** Somebody’s place on a session, without the entries of the register. */
export const delegateOf = async (on: Db, id: string) =>
  existing(
    await on.one<
      Pick<Delegate, 'id' | 'user' | 'name' | 'removed' | 'answer'>
    >(sql`select d.id, d.name, ${reference('person_names', sql`d.user_id`)} as user,
        ${answerJson} as answer, case when d.removed_at is not null then json_build_object('declined', d.declined_at is not null, 'why', d.removed_why) end as removed
      from session_delegates d where d.id = ${id}`),
  );
