import type { Evaluated, OpenEvaluation, OwnEvaluation, TrainerEvaluation } from '#contract/entities/evaluation.ts';
import { evaluationDays } from '#contract/entities/evaluation.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';

/** The deadline for feedback on a session. */
const until = (session: Statement): Statement => sql`(register_finished(${session}) + make_interval(days => ${evaluationDays}))`;
const evaluationJson = sql`json_build_object('id', d.id, 'course', (select json_build_object('id', k.id, 'name', k.title) from course_titles k join training_sessions s on s.course_id = k.id where s.id = e.session_id),
  'course_rating', e.course_rating, 'trainer_rating', e.trainer_rating, 'message', e.message, 'at', ${instant(sql`e.written_at`)}, 'received_at', ${instant(sql`e.received_at`)})`;
const present = sql`delegate_presence(coalesce(d.same_as, d.id)) = 'present'`;

/** For a place `d` on a session `t`: the person's deadline for feedback, and their answer; null if they were not there. */
export const askedOf: Statement = sql`(select json_build_object('until', ${instant(until(sql`t.id`))}, 'given',
    (select ${evaluationJson} from session_evaluations e where e.session_id = d.session_id and e.user_id = d.user_id))
  where not d.waits and register_finished(t.id) is not null and ${present})`;

/** Whether somebody attended by their place on a session, and their deadline for feedback. */
export const askedBy = (on: Db, user: string, place: string) =>
  on.one<{ session_id: string; until: string }>(sql`select d.session_id, ${instant(until(sql`d.session_id`))} as until from session_delegates d
    where d.id = ${place} and d.user_id = ${user} and register_finished(d.session_id) is not null and ${present}`);

export const ownEvaluation = async (on: Db, user: string, place: string): Promise<OwnEvaluation | null> =>
  (
    await on.one<{ given: OwnEvaluation }>(sql`select ${evaluationJson} as given from session_delegates d
      join session_evaluations e on e.session_id = d.session_id and e.user_id = d.user_id where d.id = ${place} and d.user_id = ${user}`)
  )?.given ?? null;

const [recentDays, mostOpen] = [60, 3];
/** The sessions of the last weeks that a person attended without feedback so far, latest first. */
export const openEvaluations = (on: Db, user: string, now: Date): Promise<OpenEvaluation[]> =>
  on.all<OpenEvaluation>(sql`select d.id, k.title as course, ${instant(until(sql`t.id`))} as until
    from session_delegates d join training_sessions t on t.id = d.session_id join course_titles k on k.id = t.course_id
    where d.user_id = ${user} and d.same_as is null and d.removed_at is null and t.date > (${now}::timestamptz)::date - ${recentDays}::int
      and not exists (select 1 from session_evaluations e where e.session_id = d.session_id and e.user_id = d.user_id)
      and ${until(sql`t.id`)} > ${now}::timestamptz and ${present} order by t.date desc, d.id limit ${mostOpen}`);

const mostComments = 100;
/** Feedback on sessions; a statement that selects their ids. */
export const evaluationOf = async (on: Db, sessions: Statement): Promise<Evaluated> => {
  const ids = sql`array(${sessions})`;
  const [found] = await on.all<Omit<Evaluated, 'comments'>>(sql`select * from evaluation_of(${ids})`);
  const comments = await on.all<{ comment: string }>(sql`select c as comment from evaluation_comments(${ids}) c limit ${mostComments}`);
  return { ...(found as Omit<Evaluated, 'comments'>), comments: comments.map((c) => c.comment) };
};
/** The same for each of their courses. `sessions` selects from `training_sessions t`. */
export const evaluationByCourse = (on: Db, where: Statement): Promise<TrainerEvaluation['courses']> =>
  on.all<TrainerEvaluation['courses'][number]>(sql`select g.id, k.title as name, v.* from
      (select t.course_id as id, array_agg(t.id) as sessions from training_sessions t where ${where} group by t.course_id) g
    join course_titles k on k.id = g.id cross join lateral evaluation_of(g.sessions) v order by lower(k.title), k.id`);
