import type { RuleEffect } from '#contract/entities/compliance.ts';
import { type ComplianceFacts, complianceColourOf, type complianceColours } from '#contract/rules/compliance-status.ts';
import type { Actor } from '#server/actor.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { courseLinksOf, type CourseLinks, standsWith } from '#server/features/compliance/course-links.rows.ts';
import { redatedResults, datedWhere, type Rule } from '#server/features/results/results.service.ts';
import { standingsOf } from '#server/features/results/standings.rows.ts';

type Person = Omit<ComplianceFacts, 'result' | 'zone'> & Rule & { id: string; place: string; zone: string };
type Change = {
  courseId: string;
  /** The people concerned (`users u`), of those that the actor sees and who have not left. */
  people: Statement;
  /** The proposed rules of the course, each as `rule`. Without it they stay. */
  rules?: Statement;
  /** The proposed renewal of the course. Without it that stays. */
  course?: Record<string, string | number | null>;
  /** The proposed links between the courses of organisations. */
  links?: (links: CourseLinks, course: number) => CourseLinks;
  /** Whether existing results would be redated. */
  redates: boolean;
};

/** How many people would change to which colour under proposed requirements. Reads the facts; locks and writes nothing. */
export const effectOf = async (on: Db, actor: Actor, now: Date, change: Change): Promise<RuleEffect> => {
  const { courseId, redates } = change;
  const currentRules = sql`select k as rule from compliance k where k.course_id = ${courseId} and k.given`;
  const factsBy = (rules: Statement, course: Change['course'] = {}) =>
    on.all<Person>(sql`select u.id, u.started_on, u.primary_entity_id as place, e.time_zone as zone, (q.rule).id is not null as required,
        (q.rule).required_from::text, (q.rule).required_until::text, (q.rule).required_since::text,
        coalesce((q.rule).starter_period_days, e.starter_period_days) as starter_period, coalesce((q.rule).expiry_warning_days, e.expiry_warning_days) as expiry_warning,
        coalesce((q.rule).renewal_months, c.renewal_months) as months, coalesce((q.rule).renewal_kind, c.renewal_kind) as kind,
        case when (q.rule).renewal_kind is null then c.renewal_window else (q.rule).renewal_window end as "window",
        case when (q.rule).renewal_kind is null then c.renewal_on else (q.rule).renewal_on end as "on"
      from users u join entities e on e.id = u.primary_entity_id
      join (select (jsonb_populate_record(d, ${JSON.stringify(course)}::jsonb)).* from courses d where d.id = ${courseId}) c on true
      left join lateral (select r.rule from (${rules}) r where (r.rule).role_id in (select h.role_id from held_roles h where h.user_id = u.id)
        order by rule_order(r.rule, (${now}::timestamptz at time zone e.time_zone)::date), (r.rule).id limit 1) q on true
      where ${change.people} and u.disabled_at is null and ${visiblePerson(actor)}`);
  const before = await factsBy(currentRules);
  const after = await factsBy(change.rules ?? currentRules, change.course);
  const ids = before.map((p) => p.id);
  const { no } = (await on.one<{ no: number }>(sql`select no from course_titles where id = ${courseId}`)) as { no: number };
  const linksOf = await courseLinksOf(
    on,
    before.map((p) => p.place),
  );
  const standings = new Map([...(await standingsOf(on, ids))].map(([id, all]) => [id, new Map(all.map((s) => [s.course_no, s]))]));
  const colourOf = ({ id, place, ...facts }: Person, links: CourseLinks, ownExpiry?: string | null) => {
    const latest = (course: number) => {
      const standing = standings.get(id)?.get(course);
      return standing && ownExpiry !== undefined && course === no ? { ...standing, expires_at: ownExpiry } : standing;
    };
    return complianceColourOf[standsWith(no, facts, links, latest, now).status];
  };
  // Until when the result of each that holds longest would be valid.
  const expires = new Map<string, string | null>();
  if (redates) {
    const ruleOf = new Map(after.map((p) => [p.id, p]));
    const held = await datedWhere(on, sql`r.course_id = ${courseId} and r.user_id = any(${ids}::uuid[])`);
    const redated = new Map(redatedResults(held, (r) => ruleOf.get(r.user_id) as Rule).map((r) => [r.id, r.expires_at]));
    for (const { id, user_id, expires_at } of held) {
      const end = redated.has(id) ? (redated.get(id) ?? null) : expires_at;
      const longest = expires.get(user_id);
      if (longest === undefined || (longest !== null && (end === null || end > longest))) expires.set(user_id, end);
    }
  }
  const was = new Map(before.map((p) => [p.id, colourOf(p, linksOf(p.place))]));
  const turns: Record<(typeof complianceColours)[number], number> = { green: 0, amber: 0, red: 0, none: 0 };
  for (const person of after) {
    const links = change.links?.(linksOf(person.place), no) ?? linksOf(person.place);
    const colour = colourOf(person, links, expires.get(person.id));
    if (was.get(person.id) !== colour) turns[colour]++;
  }
  return { people: after.length, turns };
};
