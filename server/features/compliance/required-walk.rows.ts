import type { complianceTypes } from '#contract/entities/compliance.ts';
import { type ComplianceFacts, dueDay } from '#contract/rules/compliance-status.ts';
import { dayIn, daysBetween } from '#contract/rules/days.ts';
import { forecastDays, mayTurn, type Turn, turnsOf } from '#contract/rules/forecast.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { courseLinksOf, factsWith } from '#server/features/compliance/course-links.rows.ts';
import { expiryIn, packedStandingsOf, latestResultIn } from '#server/features/results/standings.rows.ts';

/** People per slice: other requests are answered between two slices, so that many thousand people block nobody for long. */
export const walkedAtOnce = 250;
const furthest = forecastDays[forecastDays.length - 1] as number;
const noStanding = Buffer.alloc(0);

/** A person who has not left. Periods in days, of their organisation. */
export type WalkedPerson = {
  id: string;
  name: string;
  place: string;
  entity_id: string;
  started_on: string;
  zone: string;
  expiry_warning: number;
  starter_period: number;
  like: string;
};
/** A course required by job roles. Periods in days; null: those of the organisation. */
type Required = {
  like: string;
  course_id: string;
  no: number;
  title: string;
  type: (typeof complianceTypes)[number];
  expiry_warning: number | null;
  starter_period: number | null;
  required_from: string | null;
  required_until: string | null;
  required_since: string | null;
};
/** A person's status for a course required of them. */
type Stands = {
  asked: Omit<ComplianceFacts, 'result' | 'through' | 'parts'>;
  /** Only the course's own result counts, and the course is always required: `expires` decides alone. */
  ownAlone: boolean;
  /** The end of their own result in seconds since 1970: Infinity without one, NaN without a result. */
  expires: number;
  /** In how many days they start; 0 or less if they have. */
  startsIn: number;
  /** The input of the full compliance rule. */
  facts: () => ComplianceFacts;
};

/** How that changes in the days ahead; null if it cannot, which is found without evaluating the full rule. */
export const turnsIn = ({ asked, ownAlone, expires, facts }: Stands, at: Date): Turn[] | null =>
  ownAlone && !mayTurn(expires, daysBetween(dayIn(at, asked.zone), dueDay(asked)), asked.expiry_warning, at) ? null : turnsOf(facts(), at, furthest);

/**
 * Visits the people of this condition (on `users u`) who have not left with each course required of them that matches that condition (on
 * `required_of q`), and returns the people. Requirements follow from job roles and organisation: they are looked up once for all people
 * with the same ones.
 */
export const walkRequired = async (
  db: Db,
  at: Date,
  which: Statement,
  ofCourses: Statement,
  visit: (person: WalkedPerson, course: Required, stands: Stands) => void,
): Promise<WalkedPerson[]> => {
  const people =
    await db.all<WalkedPerson>(sql`select u.id, u.name, h.name as place, h.id as entity_id, u.started_on::text as started_on, h.time_zone as zone,
      h.expiry_warning_days as expiry_warning, h.starter_period_days as starter_period,
      first_value(u.id) over (partition by u.primary_entity_id, (select array_agg(x.role_id order by x.role_id) from held_roles x where x.user_id = u.id) order by u.id) as "like"
    from users u join entities h on h.id = u.primary_entity_id where ${which} and u.disabled_at is null order by u.name, u.id`);
  const kinds = [...new Set(people.map((p) => p.like))];
  const required = Map.groupBy(
    await db.all<Required>(sql`select k.id as "like", q.course_id, q.type, c.no, c.title, q.expiry_warning_days as expiry_warning, q.starter_period_days as starter_period,
        q.required_from::text as required_from, q.required_until::text as required_until, q.required_since::text as required_since
      from unnest(${kinds}::uuid[]) as k (id) cross join lateral required_of(k.id, ${at}::timestamptz) q join course_titles c on c.id = q.course_id where ${ofCourses} order by c.title, c.id`),
    (r) => r.like,
  );
  const linksOf = await courseLinksOf(
    db,
    people.map((p) => p.entity_id),
  );
  for (let from = 0; from < people.length; from += walkedAtOnce) {
    const some = people.slice(from, from + walkedAtOnce);
    const standings = await packedStandingsOf(
      db,
      some.map((p) => p.id),
    );
    for (const person of some) {
      const links = linksOf(person.entity_id);
      const startsIn = daysBetween(dayIn(at, person.zone), person.started_on);
      const packed = standings.get(person.id) ?? noStanding;
      for (const course of required.get(person.like) ?? []) {
        const { no, required_from, required_until, required_since } = course;
        const rule = {
          ...{ required: true, started_on: person.started_on, zone: person.zone, required_from, required_until, required_since },
          expiry_warning: course.expiry_warning ?? person.expiry_warning,
          starter_period: course.starter_period ?? person.starter_period,
        };
        visit(person, course, {
          ...{ asked: rule, startsIn, expires: expiryIn(packed, no) },
          ownAlone: !required_from && !required_until && !links.alternatives.has(no) && !links.parts.has(no),
          facts: () => factsWith(no, rule, links, (other) => latestResultIn(packed, other) ?? undefined, at),
        });
      }
    }
  }
  return people;
};
