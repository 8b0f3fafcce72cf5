import { settled, type ReportFilter } from '#contract/reports/filter.ts';
import type { ReportedResult, resultsReport } from '#contract/reports/results.ts';
import { contains, reference } from '#server/db/rows.ts';
import { hasCourseHere } from '#server/db/seen.ts';
import { instant, type Statement, sql } from '#server/db/sql.ts';
import { isLatest, resultSource } from '#server/features/results/results.rows.ts';
import { chosenCourses, chosenPeople, knownNames } from '#server/features/reports/selection.rows.ts';
import { dayInPeriod } from '#server/reports/period.ts';
import type { ReportSource } from '#server/reports/report-source.ts';

/** The state of a result `r`: not approved, replaced by a later one, expired, or in date. */
const stateOf = (at: Date): Statement => sql`(case when r.status <> 'approved' then r.status when not ${isLatest} then 'replaced'
  when r.expires_at <= ${at}::timestamptz then 'expired' else 'in_date' end)`;

/** Whether a day of `r` lies in the period, in the time zone of the organisation `e`. */
const inPeriod = (filter: ReportFilter, at: Date): Statement => {
  const column = { completed: sql`r.completed_at`, expires: sql`r.expires_at`, recorded: sql`r.created_at` }[filter.date_by];
  return dayInPeriod(sql`(${column} at time zone e.time_zone)::date`, sql`e.time_zone`, filter, at);
};

/** Which results (`r`) match a filter. */
const chosenResults = (filter: ReportFilter, at: Date): Statement => {
  const conditions = [sql`r.status <> 'deleted'`, inPeriod(filter, at)];
  if (filter.includeStatusTypes.length > 0) conditions.push(sql`${stateOf(at)} = any(${filter.includeStatusTypes}::text[])`);
  if (filter.course_type !== 'all') conditions.push(sql`r.type = ${filter.course_type}`);
  if (filter.grade !== null) conditions.push(sql`r.score >= ${filter.grade}`);
  if (filter.assessment_filter !== 'include_assessments')
    conditions.push(filter.assessment_filter === 'assessments_only' ? sql`r.type = 'assessment'` : sql`r.type <> 'assessment'`);
  if (filter.admin_only_filter !== 'include_admin_only')
    conditions.push(sql`(r.origin in ('manual', 'import')) = ${filter.admin_only_filter === 'admin_only_only'}`);
  return conditions.reduce((a, b) => sql`${a} and ${b}`);
};

const sorts: Record<string, Statement> = {
  ...{ name: sql`lower(u.name)`, place: sql`lower(e.name)`, course: sql`lower(c.title)` },
  ...{ completed: instant(sql`r.completed_at`), expires: sql`coalesce(${instant(sql`r.expires_at`)}, '9')`, recorded: instant(sql`r.created_at`) },
};

/** Every result of the people of a filter, in a period. */
export const resultsSource: ReportSource<typeof resultsReport> = {
  names: knownNames,
  select: ({ actor, filter: given, search, at }, by) => {
    const filter = settled(given);
    const courses = chosenCourses(filter);
    return sql`select r.id, ${sorts[by] ?? sql`r.id::text`} as sort from results r join users u on u.id = r.user_id join entities e on e.id = u.primary_entity_id
      join course_titles c on c.id = r.course_id
      where ${chosenPeople(actor, filter, at)} and ${chosenResults(filter, at)} and ${contains([sql`u.name`, sql`c.title`], search)}
        and ${courses ? sql`r.course_id in (select k.id from courses k where ${courses} and ${hasCourseHere(actor)})` : sql`true`}`;
  },
  read: ({ db, at }, ids) =>
    db.all<ReportedResult>(sql`select r.id, json_build_object('id', u.id, 'name', u.name) as user, h.name as place, (select x.name from roles x where x.id = u.role_id) as role,
        json_build_object('id', c.id, 'name', c.title) as course, r.type, ${stateOf(at)} as state, ${instant(sql`r.completed_at`)} as completed_at,
        ${instant(sql`r.expires_at`)} as expires_at, ${instant(sql`r.created_at`)} as recorded_at, r.score, r.cpd_hours, r.minutes,
        ${reference('person_names', sql`r.recorded_by`)} as recorded_by
      from ${resultSource} where r.id = any(${[...ids]}::uuid[])`),
};
