import type { Result, ResultVersion } from '#contract/entities/result.ts';
import { can } from '#contract/can.ts';
import type { Actor } from '#server/actor.ts';
import { reference } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';

/** Results with their person, organisation and course: `r`, `u`, `h` and `c`. */
export const resultSource: Statement = sql`results r join users u on u.id = r.user_id join entity_names h on h.id = u.primary_entity_id join course_titles c on c.id = r.course_id`;

/** Whether `r` says how its person stands with the course: the latest that is approved, and of two at the same time the one recorded later. */
export const isLatest: Statement = sql`(r.status = 'approved' and not exists (select 1 from results later where later.user_id = r.user_id and later.course_id = r.course_id
  and later.status = 'approved' and (later.completed_at, later.created_at, later.id) > (r.completed_at, r.created_at, r.id)))`;

/** Somebody's newest result of a course that counts, with what it was made of. */
export const newestResult = (userId: Statement, courseId: Statement): Statement =>
  sql`select x.content_id, x.content_version, x.completed_at, x.expires_at from current_results x
    where x.user_id = ${userId} and x.course_id = ${courseId} order by x.completed_at desc, x.created_at desc, x.id desc limit 1`;

/** Whether a certificate is issued for `r`: it counts, is no exemption, and its certificate was not withheld. */
export const isCertified: Statement = sql`(r.type <> 'exempt' and r.status = 'approved' and not r.certificate_suppressed)`;

/** The contract's `Result` of rows of `resultSource`; `time` writes an instant as it is to come. */
const resultWith = (time: (column: Statement) => Statement): Statement =>
  sql`r.id, json_build_object('id', u.id, 'name', u.name) as user, h.name as place, h.time_zone as zone, r.course_id, c.title as course_title,
  r.content_id, r.content_version, r.type, r.status, r.origin, ${time(sql`r.completed_at`)} as completed_at, r.expiry, ${time(sql`r.expires_at`)} as expires_at,
  r.score, r.attempt_id,
  ${isCertified} as certificate, case when ${isCertified} then r.certificate_number end as certificate_number, r.certificate_suppressed,
  (select v.name from evidence v where v.id = r.evidence_id) as evidence, r.note, r.minutes, r.cpd_hours,
  ${reference('person_names', sql`r.recorded_by`)} as recorded_by, ${time(sql`r.created_at`)} as recorded_at, ${isLatest} as counts,
  r.rev, r.change, ${time(sql`r.changed_at`)} as changed_at, ${reference('person_names', sql`r.changed_by`)} as changed_by, r.change_reason`;
export const resultColumns: Statement = resultWith((column) => column);

/** Deleted results (`r`) are seen by who may delete. */
export const seesDeleted = (actor: Actor): Statement => (can(actor.user, 'record.delete') ? sql`true` : sql`r.status <> 'deleted'`);

/** Every version of a result, the newest first. */
export const versionsOf = async (on: Db, id: string): Promise<ResultVersion[]> =>
  on.all<ResultVersion>(sql`select v.rev, v.change, v.changed_at as at, ${reference('person_names', sql`v.changed_by`)} as by, v.change_reason as reason, v.status,
      v.completed_at, v.expires_at, v.score, v.note, v.minutes, v.cpd_hours,
      (select e.name from evidence e where e.id = v.evidence_id) as evidence, v.certificate_suppressed
    from (select r.* from results r where r.id = ${id} union all
      select w.* from result_versions x cross join lateral jsonb_populate_record(null::results, x.version) w where x.result_id = ${id}) v order by v.rev desc`);

/** The results of this condition, on `resultSource`. */
export const resultsWhere = (on: Db, where: Statement, order: Statement, most: number): Promise<Result[]> =>
  on.all<Result>(sql`select ${resultColumns} from ${resultSource} where ${where} order by ${order} limit ${most}`);

/** Whether a result waits for the decision of a person: nobody decides on their own. */
export const isToDecide = (person: Statement): Statement => sql`(r.status = 'pending' and r.user_id <> ${person})`;

/** The same as JSON text that the database makes: for records of hundreds of results, which are sent as they are. */
export const resultsAsJson = async (on: Db, where: Statement, order: Statement, most: number): Promise<string> => {
  const row = await on.one<{ text: string }>(sql`select coalesce(json_agg(x), '[]')::text as text
    from (select ${resultWith(instant)} from ${resultSource} where ${where} order by ${order} limit ${most}) x`);
  return row?.text ?? '[]';
};

/** The id of the result that says how a person stands with a course, and how many count, for many people and courses: by `user_id course_id`. */
export const latestIdsOf = async (
  on: Db,
  userIds: readonly string[],
  courseIds: readonly string[],
): Promise<Map<string, { id: string; count: number }>> => {
  const rows = await on.all<{ user_id: string; course_id: string; id: string; count: number }>(
    sql`select distinct on (r.user_id, r.course_id) r.user_id, r.course_id, r.id, count(*) over (partition by r.user_id, r.course_id) as count
      from current_results r where r.user_id = any(${[...userIds]}::uuid[]) and r.course_id = any(${[...courseIds]}::uuid[])
      order by r.user_id, r.course_id, r.completed_at desc, r.created_at desc, r.id desc`,
  );
  return new Map(rows.map(({ user_id, course_id, id, count }) => [`${user_id} ${course_id}`, { id, count }]));
};
