import { settled, type ReportFilter } from '#contract/reports/filter.ts';
import type { ReportedResult, resultsReport } from '#contract/reports/results.ts';
import { contains, reference } from '#server/db/rows.ts';
import { hasCourseHere } from '#server/db/seen.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';
import { isLatest, resultSource } from '#server/features/results/results.rows.ts';
import { chosenCourses, chosenPeople, knownNames } from '#server/features/reports/selection.rows.ts';
import { boundsOf, momentInPeriod } from '#server/reports/period.ts';
import type { ReportSource } from '#server/reports/report-source.ts';

/** The state of a result `r`: not approved, replaced by a later one, expired, or in date. */
const stateOf = (at: Date, zone: Statement): Statement => sql`(case when r.status <> 'approved' then r.status when not ${isLatest} then 'replaced'
  when is_over(r.expires_at, ${at}::timestamptz, ${zone}) then 'expired' else 'in_date' end)`;

/** Whether `r` is in one of these states. Whether it is the latest is looked up last: it takes longest. */
const inStates = (states: readonly string[], at: Date): Statement => {
  const approved: Readonly<Record<string, Statement>> = {
    in_date: sql`coalesce(not is_over(r.expires_at, ${at}::timestamptz, r.zone), true) and ${isLatest}`,
    expired: sql`is_over(r.expires_at, ${at}::timestamptz, r.zone) and ${isLatest}`,
    replaced: sql`not ${isLatest}`,
  };
  return sql`(${states.map((s) => sql`r.status = ${approved[s] ? 'approved' : s} and ${approved[s] ?? sql`true`}`).reduce((a, b) => sql`${a} or ${b}`)})`;
};

/** Whether a day of `r` lies in the period, in the time zone of its person. */
const inPeriod = (filter: ReportFilter, at: Date): Statement => {
  const moment = { completed: sql`r.completed_at`, expires: sql`r.expires_at`, recorded: sql`r.created_at` }[filter.date_by];
  return momentInPeriod(moment, { begins: sql`r.begins`, ends: sql`r.ends`, zone: sql`r.zone` }, filter, at);
};

/** Which results (`r`) match a filter. */
const chosenResults = (filter: ReportFilter, at: Date): Statement => {
  const conditions = [inPeriod(filter, at)];
  if (filter.includeStatusTypes.length > 0) conditions.push(inStates(filter.includeStatusTypes, at));
  if (filter.course_type !== 'all') conditions.push(sql`r.type = ${filter.course_type}`);
  if (filter.grade !== null) conditions.push(sql`r.score >= ${filter.grade}`);
  if (filter.assessment_filter !== 'include_assessments')
    conditions.push(filter.assessment_filter === 'assessments_only' ? sql`r.type = 'assessment'` : sql`r.type <> 'assessment'`);
  if (filter.admin_only_filter !== 'include_admin_only')
    conditions.push(sql`(r.origin in ('manual', 'import')) = ${filter.admin_only_filter === 'admin_only_only'}`);
  return conditions.reduce((a, b) => sql`${a} and ${b}`);
};

const sorts: Record<string, Statement> = {
  ...{ name: sql`lower(r.name)`, place: sql`lower(r.place)`, course: sql`lower(c.title)` },
  ...{ completed: sql`r.completed_at`, expires: sql`coalesce(r.expires_at, 'infinity')`, recorded: sql`r.created_at` },
};

/** Every result of the people of a filter, in a period. */
export const resultsSource: ReportSource<typeof resultsReport> = {
  names: knownNames,
  moments: ['completed', 'expires', 'recorded'],
  select: ({ actor, filter: given, search, at }, by) => {
    const filter = settled(given);
    const courses = chosenCourses(filter);
    const titles = by === 'course' ? sql`join course_titles c on c.id = r.course_id` : sql``;
    const { begins, ends } = boundsOf(sql`e.time_zone`, filter, at);
    const ofCourses = courses ? sql`q.course_id in (select k.id from courses k where ${courses} and ${hasCourseHere(actor)})` : sql`true`;
    const found = search
      ? sql`(q.user_id = any(array(select x.id from people x where ${contains([sql`x.name`], search)}))
          or q.course_id = any(array(select c.id from course_titles c where ${contains([sql`c.title`], search)})))`
      : sql`true`;
    // People first, once: row-level security would look at each of them for every result. `offset 0`: how many results the filter leaves cannot
    // be estimated, and with a low estimate row-level security is planned as a look-up for each result.
    return sql`with people as materialized (select u.id, u.name, e.name as place, e.time_zone as zone, ${begins} as begins, ${ends} as ends
        from users u join entities e on e.id = u.primary_entity_id where ${chosenPeople(actor, filter, at)})
      select r.id, ${sorts[by] ?? sql`r.id::text`} as sort
      from (select q.*, p.name, p.place, p.zone, p.begins, p.ends from people p join results q on q.user_id = p.id
        where q.status <> 'deleted' and ${ofCourses} and ${found} offset 0) r ${titles}
      where ${chosenResults(filter, at)}`;
  },
  read: ({ db, at }, ids) =>
    db.all<ReportedResult>(sql`select r.id, json_build_object('id', u.id, 'name', u.name) as user, h.name as place, (select x.name from roles x where x.id = u.role_id) as role,
        json_build_object('id', c.id, 'name', c.title) as course, r.type, ${stateOf(at, sql`h.time_zone`)} as state, ${instant(sql`r.completed_at`)} as completed_at,
        ${instant(sql`r.expires_at`)} as expires_at, ${instant(sql`r.created_at`)} as recorded_at, r.score, r.cpd_hours, r.minutes,
        ${reference('person_names', sql`r.recorded_by`)} as recorded_by
      from ${resultSource} where r.id = any(${[...ids]}::uuid[])`),
};
