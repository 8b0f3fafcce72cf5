import { askedAt, type Compliance, type ComplianceFacts, complianceOf } from '#contract/rules/compliance-status.ts';
import { type Counting, type CoursePartName, type CourseParts, countingOf, type Done, partsOf } from '#contract/rules/counting-result.ts';
import { type Db, often, sql } from '#server/db/sql.ts';

/** The links that an organisation defines between its courses, by course number, with the titles of the linked ones. */
export type CourseLinks = {
  alternatives: Map<number, number[]>;
  parts: Map<number, CourseParts<number>>;
  titles: Map<number, string>;
};
type Link = { place: string; kind: 'alternative' | CoursePartName; course_no: number; other_no: number; title: string };

const noLinks: CourseLinks = { alternatives: new Map(), parts: new Map(), titles: new Map() };

/**
 * The links in effect in organisations: their own and those of the organisations above; the parts of a course are those of the nearest
 * definition.
 */
export const courseLinksOf = async (on: Db, places: readonly string[]): Promise<(place: string) => CourseLinks> => {
  const links = await on.all<Link>(
    often(sql`select b.below as place, l.kind, c.no as course_no, o.no as other_no, o.title
    from entity_below b join course_links l on l.entity_id = b.above join course_titles c on c.id = l.course_id join course_titles o on o.id = l.other_id
    where b.below = any(${[...new Set(places)]}::uuid[]) order by (select count(*) from entity_below d where d.below = l.entity_id), o.title, o.no`),
  );
  const linksByPlace = new Map<string, CourseLinks>();
  for (const [place, placeLinks] of Map.groupBy(links, (l) => l.place)) {
    const alternatives = new Map<number, number[]>();
    const halves = new Map<number, Partial<CourseParts<number>>>();
    for (const { kind, course_no, other_no } of placeLinks)
      if (kind === 'alternative') alternatives.set(course_no, [...(alternatives.get(course_no) ?? []), other_no]);
      // The nearest organisation comes last.
      else halves.set(course_no, { ...halves.get(course_no), [kind]: other_no });
    const parts = new Map(
      [...halves].flatMap(([course, { theory, practical }]) =>
        theory !== undefined && practical !== undefined ? [[course, { theory, practical }] as const] : [],
      ),
    );
    linksByPlace.set(place, { alternatives, parts, titles: new Map(placeLinks.map((l) => [l.other_no, l.title])) });
  }
  return (place) => linksByPlace.get(place) ?? noLinks;
};

type Facts = Omit<ComplianceFacts, 'result' | 'through' | 'parts'>;
type Whole = ComplianceFacts & { counting: Counting<number> | null };
/** The facts about a course required of somebody, with the latest result that counts for it: its own, an alternative's, or both parts'. */
export const factsWith = (course: number, facts: Facts, links: CourseLinks, latest: (course: number) => Done | undefined, now: Date): Whole => {
  const held = { links, latest, now, zone: facts.zone };
  const counting = countingOf(course, held);
  const titleOf = (no: number) => links.titles.get(no) ?? '';
  const parts = partsOf(course, held)?.map((p) => ({ name: p.name, title: titleOf(p.course), result: p.counts })) ?? null;
  return { ...facts, counting, result: counting, through: counting && counting.course !== course ? titleOf(counting.course) : null, parts };
};

/** How somebody complies with a course. If it is not required of them now, only its own result counts. */
export const standsWith = (
  course: number,
  facts: Facts,
  links: CourseLinks,
  latest: (course: number) => Done | undefined,
  now: Date,
): Whole & Compliance & { asked: boolean } => {
  const asked = askedAt(facts, now) === 'now';
  const whole = factsWith(course, facts, asked ? links : noLinks, latest, now);
  return { ...whole, ...complianceOf(whole, now), asked };
};
