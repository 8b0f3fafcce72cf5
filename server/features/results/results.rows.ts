import { type Result, type ResultVersion, resultLimits } from '#contract/entities/result.ts';
import { can } from '#contract/can.ts';
import type { Actor } from '#server/actor.ts';
import { columnsOf, type Fields, flag, id, jsonRows, named, number, text, time } from '#server/db/json-rows.ts';
import { reference } from '#server/db/rows.ts';
import { type Db, often, type Statement, sql } from '#server/db/sql.ts';

/** Results with their person, organisation and course: `r`, `u`, `h` and `c`. */
export const resultSource: Statement = sql`results r join users u on u.id = r.user_id join entity_names h on h.id = u.primary_entity_id join course_titles c on c.id = r.course_id`;

/**
 * The order of somebody's results of a course, the one that holds first: that which is valid longest, of several the latest completed. It does not
 * depend on the day: a newer result that ends earlier takes nothing away. The standings are in the same order (migration 0177).
 */
export const bestFirst: Statement = sql`coalesce(r.expires_at, 'infinity') desc, r.completed_at desc, r.created_at desc, r.id desc`;

/** Whether `r` determines its person's compliance with the course: the first of the approved ones in that order. */
export const isLatest: Statement = sql`(r.status = 'approved' and not exists (select 1 from results better where better.user_id = r.user_id and better.course_id = r.course_id
  and better.status = 'approved' and (coalesce(better.expires_at, 'infinity'), better.completed_at, better.created_at, better.id)
    > (coalesce(r.expires_at, 'infinity'), r.completed_at, r.created_at, r.id)))`;

/** Somebody's newest result of a course that counts, with the content version it was achieved in. */
export const newestResult = (userId: Statement, courseId: Statement): Statement =>
  sql`select x.content_id, x.content_version, x.completed_at, x.expires_at from current_results x
    where x.user_id = ${userId} and x.course_id = ${courseId} order by x.completed_at desc, x.created_at desc, x.id desc limit 1`;

/** Whether a certificate is issued for `r`: it counts, is not an exemption, and its certificate was not withheld. */
export const isCertified: Statement = sql`(r.type <> 'exempt' and r.status = 'approved' and not r.certificate_suppressed)`;

const nameOf = (person: Statement): Statement => sql`(select p.name from person_names p where p.id = ${person})`;
/** The contract's `Result` of rows of `resultSource`. */
const resultFields: Fields<keyof Result> = {
  ...{ id: id(sql`r.id`), user: named(sql`u.id`, sql`u.name`), place: text(sql`h.name`), zone: text(sql`h.time_zone`) },
  ...{
    course_id: id(sql`r.course_id`),
    course_title: text(sql`c.title`),
    content_id: id(sql`r.content_id`),
    content_version: number(sql`r.content_version`),
  },
  ...{ type: text(sql`r.type`), status: text(sql`r.status`), origin: text(sql`r.origin`) },
  ...{ completed_at: time(sql`r.completed_at`), expiry: text(sql`r.expiry`), expires_at: time(sql`r.expires_at`) },
  ...{ score: number(sql`r.score`), attempt_id: id(sql`r.attempt_id`) },
  ...{ certificate: flag(isCertified), certificate_number: text(sql`case when ${isCertified} then r.certificate_number end`) },
  certificate_suppressed: flag(sql`r.certificate_suppressed`),
  evidence: text(sql`(select v.name from evidence v where v.id = r.evidence_id)`),
  ...{ note: text(sql`r.note`), minutes: number(sql`r.minutes`), cpd_hours: number(sql`r.cpd_hours`) },
  ...{ recorded_by: named(sql`r.recorded_by`, nameOf(sql`r.recorded_by`)), recorded_at: time(sql`r.created_at`), counts: flag(isLatest) },
  ...{ rev: number(sql`r.rev`), change: text(sql`r.change`), changed_at: time(sql`r.changed_at`) },
  ...{ changed_by: named(sql`r.changed_by`, nameOf(sql`r.changed_by`)), change_reason: text(sql`r.change_reason`) },
};
export const resultColumns: Statement = columnsOf(resultFields);

/** Deleted results (`r`) are visible to people who may delete. */
export const seesDeleted = (actor: Actor): Statement => (can(actor.user, 'record.delete') ? sql`true` : sql`r.status <> 'deleted'`);

/** Every version of a result, newest first. */
export const versionsOf = async (on: Db, id: string): Promise<ResultVersion[]> =>
  on.all<ResultVersion>(sql`select v.rev, v.change, v.changed_at as at, ${reference('person_names', sql`v.changed_by`)} as by, v.change_reason as reason, v.status,
      v.completed_at, v.expires_at, v.score, v.note, v.minutes, v.cpd_hours,
      (select e.name from evidence e where e.id = v.evidence_id) as evidence, v.certificate_suppressed
    from (select r.* from results r where r.id = ${id} union all
      select w.* from result_versions x cross join lateral jsonb_populate_record(null::results, x.version) w where x.result_id = ${id}) v order by v.rev desc`);

/** The results of this condition, on `resultSource`. */
export const resultsWhere = (on: Db, where: Statement, order: Statement, most: number): Promise<Result[]> =>
  on.all<Result>(sql`select ${resultColumns} from ${resultSource} where ${where} order by ${order} limit ${most}`);

/** Whether a result waits for this person's decision: nobody decides on their own. */
export const isToDecide = (person: Statement): Statement => sql`(r.status = 'pending' and r.user_id <> ${person})`;

/** With `isLatest`, if all results of a person with the course are at hand: it is not looked up again for each. */
const isFirst: Statement = sql`(r.status = 'approved' and row_number() over (partition by r.course_id, r.status order by ${bestFirst}) = 1)`;
const recordRows = jsonRows({ ...resultFields, counts: flag(isFirst) });
/** A person's record as JSON text: the contract's `Result`s, newest first. */
export const recordOf = (on: Db, actor: Actor, userId: string): Promise<string> =>
  recordRows(on, (select) =>
    often(sql`select ${select} from ${resultSource} where r.user_id = ${userId} and ${seesDeleted(actor)}
      order by r.completed_at desc, c.title, r.id limit ${resultLimits.listed}`),
  );

/** The result that determines compliance and the number of results that count, for many people and courses: by `user_id course_id`. */
export const latestIdsOf = async (
  on: Db,
  userIds: readonly string[],
  courseIds: readonly string[],
): Promise<Map<string, { id: string; count: number }>> => {
  const rows = await on.all<{ user_id: string; course_id: string; id: string; count: number }>(
    sql`select distinct on (r.user_id, r.course_id) r.user_id, r.course_id, r.id, count(*) over (partition by r.user_id, r.course_id) as count
      from current_results r where r.user_id = any(${[...userIds]}::uuid[]) and r.course_id = any(${[...courseIds]}::uuid[])
      order by r.user_id, r.course_id, ${bestFirst}`,
  );
  return new Map(rows.map(({ user_id, course_id, id, count }) => [`${user_id} ${course_id}`, { id, count }]));
};
