import type { LearnerEvent as ShownEvent } from '#contract/entities/learner-event.ts';
import { type AskingVersion, askOf } from '#contract/rules/asked-version.ts';
import { complianceColourOf, type ComplianceStatus } from '#contract/rules/compliance-status.ts';
import { endOfDay } from '#contract/rules/days.ts';
import { stepOf } from '#contract/rules/pathway-steps.ts';
import { type Db, instant, often, sql } from '#server/db/sql.ts';
import { courseLinksOf, standsWith } from '#server/features/compliance/course-links.rows.ts';
import { lacksLicence, licensed } from '#server/features/learning/contents.rows.ts';
import { openStepsOf } from '#server/features/pathways/steps.rows.ts';
import { bestFirst, newestResult } from '#server/features/results/results.rows.ts';
import { packedStandingsOf, unpack } from '#server/features/results/standings.rows.ts';

/** A course on a person's home page, with the facts that its status depends on. */
export type LearnerEvent = ShownEvent & {
  user_id: string;
  compliance: ComplianceStatus /** By the rule of compliance alone. */;
  compliance_due_at: string | null;
};

/** A started content takes precedence. */
const begun = sql`select 1 from attempts a where a.user_id = w.user_id and a.content_id = co.id and a.closed_at is null`;

/** The section of the home page: to do, overdue or done. */
const placeOf: Record<ComplianceStatus, LearnerEvent['status']> = {
  in_date: 'completed',
  lapsed: 'completed',
  expired: 'overdue',
  missing: 'overdue',
  expiring: 'current',
  starter: 'current',
  not_required: 'current',
};
type Fact = Omit<
  LearnerEvent,
  'status' | 'compliance' | 'compliance_due_at' | 'asked_version' | 'due_at' | 'reason' | 'completed_at' | 'expires_at'
> & {
  course_no: number;
  place: string;
  required_from: string | null;
  required_until: string | null;
  required_since: string | null;
  started_on: string;
  starter_period: number;
  expiry_warning: number;
  zone: string;
  /** Its deadline on that pathway, YYYY-MM-DD. */
  step_due_on: string | null;
  ask: AskingVersion | null;
};

/**
 * The required and completed courses of several people, most urgent first; the status comes from the contract's rule, the latest results
 * from the stored standings. For required courses, alternatives and parts count; for others only their own result. The result behind the
 * status, with its score, is included only for a single person, and only if it is of this course.
 */
export const eventsOf = async (db: Db, userIds: readonly string[], now: Date): Promise<LearnerEvent[]> => {
  const packed = await packedStandingsOf(db, userIds);
  const standings = new Map([...packed].map(([id, cells]) => [id, unpack(cells)]));
  const walked = await openStepsOf(db, userIds, packed);
  const done = [...standings].flatMap(([user_id, courses]) => courses.map(({ course_no }) => ({ user_id, course_no })));
  const latest = new Map([...standings].flatMap(([user_id, courses]) => courses.map((s) => [`${user_id} ${s.course_no}`, s] as const)));
  const facts = await db.all<Fact>(
    often(sql`
    with people as (select u.id, u.started_on, u.primary_entity_id, e.starter_period_days, e.expiry_warning_days, e.time_zone from users u join entities e on e.id = u.primary_entity_id where u.id = any(${[...userIds]}::uuid[])),
    places as (select distinct primary_entity_id, array(select entity_and_above(primary_entity_id)) as above from people),
    done as (select d.user_id, d.course_no from unnest(${done.map((d) => d.user_id)}::uuid[], ${done.map((d) => d.course_no)}::int[]) as d (user_id, course_no)),
    required as (select p.id as user_id, k.course_id, k.type, k.expiry_warning_days, k.starter_period_days, k.required_from, k.required_until, k.required_since from people p cross join lateral required_of(p.id, ${now}::timestamptz) k),
    walked as (select w.user_id, w.course_id, w.name, w.due_on from unnest(${walked.map((w) => w.user_id)}::uuid[], ${walked.map((w) => w.course_id)}::uuid[],
      ${walked.map((w) => w.pathway)}::text[], ${walked.map((w) => w.due_on)}::date[]) as w (user_id, course_id, name, due_on)),
    wanted as (
      select k.user_id, k.course_id, k.type as compliance_type, k.expiry_warning_days, k.starter_period_days, k.required_from, k.required_until, k.required_since from required k
      union select p.id, c.course_id, null, null, null, null::date, null::date, null::date from people p join attempts a on a.user_id = p.id join content_titles c on c.id = a.content_id
        where not exists (select 1 from required k where k.user_id = p.id and k.course_id = c.course_id)
      union select d.user_id, c.id, null, null, null, null, null, null from done d join course_titles c on c.no = d.course_no
        where not exists (select 1 from required k where k.user_id = d.user_id and k.course_id = c.id)
      union select w.user_id, w.course_id, null, null, null, null, null, null from walked w
        where not exists (select 1 from required k where k.user_id = w.user_id and k.course_id = w.course_id)),
    facts as (
      select w.user_id, w.course_id, w.compliance_type, c.no as course_no, c.title as course_title, c.delivery, p.primary_entity_id as place, p.started_on, p.time_zone as zone,
        w.required_from::text, w.required_until::text, w.required_since::text,
        coalesce(w.expiry_warning_days, p.expiry_warning_days) as expiry_warning, coalesce(w.starter_period_days, p.starter_period_days) as starter_period,
        exists (select 1 from entity_focused_courses f where f.course_id = c.id and f.entity_id = any(places.above)) as focused,
        case when ct.id is null and ${userIds.length === 1} then ${lacksLicence(sql`c.id`, sql`select unnest(places.above)`)} else false end as needs_licence,
        ct.id as content_id, (v.document ->> 'estimated_duration')::int as estimated_duration, v.document -> 'image' ->> 'url' as image,
        r.id as result_id, r.score, a.id as attempt_id, a.rev as attempt_rev, coalesce(a.percent, 0) as percent, s.name as pathway, s.due_on as step_due_on,
        case when l.content_version < n.version then json_build_object('version', n.version, 'published_at', ${instant(sql`n.published_at`)}, 'take_within_days', n.take_within_days,
          'completed_at', ${instant(sql`l.completed_at`)}) end as ask
      from wanted w join people p on p.id = w.user_id join course_titles c on c.id = w.course_id
      join places on places.primary_entity_id = p.primary_entity_id
      left join walked s on s.user_id = w.user_id and s.course_id = w.course_id
      left join lateral (select co.id, co.current_version, co.published and not co.admin_only and co.deleted_at is null as published from contents co
        where co.course_id = c.id and co.type in ('elearning', 'scorm') and (
          co.published and not co.admin_only and co.deleted_at is null and (co.entity_id = c.entity_id or co.entity_id = any(places.above))
            and ${licensed(sql`c.id`, sql`select unnest(places.above)`, sql`w.user_id`)} or exists (${begun}))
        order by exists (${begun}) desc, co.entity_id = any(places.above) desc, co.created_at desc, co.id limit 1) ct on true
      left join content_versions v on v.content_id = ct.id and v.version = ct.current_version
      left join lateral (select q.version, q.published_at, q.take_within_days from content_versions q where q.content_id = ct.id and ct.published and q.take_within_days is not null
        and q.version <= ct.current_version order by q.version desc limit 1) n on true
      left join lateral (${newestResult(sql`w.user_id`, sql`c.id`)}) l on n.version is not null and l.content_id = ct.id and (l.expires_at is null or not is_over(l.expires_at, ${now}, p.time_zone))
      left join lateral (select r.id, r.score from current_results r where r.user_id = w.user_id and r.course_id = c.id order by ${bestFirst} limit 1) r on ${userIds.length === 1}
      left join lateral (select id, rev, percent, state from attempts where user_id = w.user_id and content_id = ct.id and closed_at is null order by try_no desc limit 1) a on true)
    select course_id as id, * from facts order by course_title`),
  );
  const linksOf = await courseLinksOf(
    db,
    facts.map((f) => f.place),
  );
  const events = facts.flatMap(({ started_on, starter_period, expiry_warning, zone, step_due_on, ask, course_no, place, ...row }): LearnerEvent[] => {
    const { required_from, required_until, required_since, compliance_type: type, ...rest } = row;
    const latestOf = (no: number) => latest.get(`${row.user_id} ${no}`);
    const facts = { required: type !== null, required_from, required_until, required_since, started_on, starter_period, expiry_warning, zone };
    const { status, due_at, reason, result, through, asked } = standsWith(course_no, facts, linksOf(place), latestOf, now);
    const { completed_at = null, expires_at = null } = result ?? {};
    const ofOther = through ? { result_id: null, score: null } : {};
    const fact = {
      ...rest,
      completed_at,
      expires_at,
      compliance_type: asked ? type : null,
      asked_version: null,
      compliance_due_at: due_at,
      ...ofOther,
    };
    // A course that is not required yet or any more, and was not begun, is left out.
    if (type !== null && !asked && result === null && fact.pathway === null && fact.attempt_id === null) return [];
    if (fact.pathway !== null && fact.compliance_type === null) {
      const step = stepOf({ since: step_due_on ?? '', within_days: step_due_on === null ? null : 0, done_at: null }, now, zone);
      const words = `${reason} It is a step of the pathway “${fact.pathway}”.`;
      const due = step.due_on === null ? null : endOfDay(step.due_on, zone);
      return [{ ...fact, status: step.state === 'late' ? 'overdue' : 'current', compliance: status, due_at: due, reason: words }];
    }
    if (ask !== null) {
      const { due_at: by, late, words } = askOf(ask, now, zone);
      const first = due_at !== null && due_at < by ? due_at : by;
      return [
        {
          ...fact,
          asked_version: ask.version,
          status: late ? 'overdue' : 'current',
          compliance: status,
          due_at: first,
          reason: `${reason} ${words}`,
        },
      ];
    }
    return [{ ...fact, status: placeOf[status], compliance: status, due_at, reason }];
  });
  const never = '9';
  // The organisation's priorities first, then by due date.
  const first = (e: LearnerEvent) => (e.focused && e.status !== 'completed' ? 0 : 1);
  return events.sort(
    (a, b) => first(a) - first(b) || ((a.due_at ?? never) < (b.due_at ?? never) ? -1 : (a.due_at ?? never) > (b.due_at ?? never) ? 1 : 0),
  );
};

export const noCounts = { current: 0, overdue: 0, completed: 0, required: 0, required_overdue: 0 };
/** Counts the courses of several people: by their section of the home page, and those that are required now. */
export const eventCountsOf = async (db: Db, userIds: readonly string[], now: Date) => {
  const counts = new Map<string, typeof noCounts>();
  if (userIds.length === 0) return counts;
  for (const event of await eventsOf(db, userIds, now)) {
    const personCounts = counts.get(event.user_id) ?? { ...noCounts };
    personCounts[event.status]++;
    if (event.compliance_type !== null) {
      personCounts.required++;
      if (complianceColourOf[event.compliance] === 'red') personCounts.required_overdue++;
    }
    counts.set(event.user_id, personCounts);
  }
  return counts;
};
