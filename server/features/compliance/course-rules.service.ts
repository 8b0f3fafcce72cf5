import type { previewCourseRules, updateCourseRules } from '#contract/api/compliance.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import { can } from '#contract/can.ts';
import type { CourseRules, RuleEffect } from '#contract/entities/compliance.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import { coursePartNames } from '#contract/rules/counting-result.ts';
import type { Actor } from '#server/actor.ts';
import { existing, updateRows } from '#server/db/rows.ts';
import { entityAndAbove, entityAndBelow, entityAt, hasCourse } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { effectOf } from '#server/features/compliance/rule-effect.rows.ts';
import { datedByRule, redate } from '#server/features/results/redating.service.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';

type Link = { entity: EntityRef; kind: 'alternative' | (typeof coursePartNames)[number]; id: string; name: string; own: boolean };
type Renewal = CourseRules['renewal'];
type Body = Omit<BodyOf<typeof updateCourseRules>, 'update_previous_results'>;
const renewalOf = ({ renewal_months, renewal_kind, renewal_window, renewal_on }: Body) => ({
  ...{ renewal_months, renewal_kind, renewal_window, renewal_on },
});
const bare = ({ id, name }: { id: string; name: string }) => ({ id, name });

/** How long the courses of an organisation are valid, which others count for them, and which parts they consist of. */
export const courseRulesOf = ({ db, now, jobs }: Pick<Services, 'db' | 'now' | 'jobs'>) => {
  const rulesOf = async (on: Db, actor: Actor, entity: EntityRef, courseId: string): Promise<CourseRules> => {
    const course = existing(
      await on.one<{ id: string; title: string; owner: EntityRef; renewal: Renewal }>(sql`select k.id, k.title,
          json_build_object('id', o.id, 'name', o.name, 'slug', o.slug) as owner,
          json_build_object('renewal_months', k.renewal_months, 'renewal_kind', k.renewal_kind, 'renewal_window', k.renewal_window, 'renewal_on', k.renewal_on) as renewal
        from courses k join entity_names o on o.id = k.entity_id where k.id = ${courseId} and ${hasCourse(entity.id)}`),
    );
    const links =
      await on.all<Link>(sql`select json_build_object('id', n.id, 'name', n.name, 'slug', n.slug) as entity, l.kind, c.id, c.title as name, l.entity_id = ${entity.id} as own
      from course_links l join entity_names n on n.id = l.entity_id join course_titles c on c.id = l.other_id
      where l.course_id = ${courseId} and l.entity_id in (${entityAndAbove(entity.id)})
      order by (select count(*) from entity_below d where d.below = l.entity_id) desc, c.title, c.id`);
    const alternatives = links.filter((l) => l.kind === 'alternative');
    const partsOf = (someLinks: readonly Link[]) => {
      const [theory, practical] = coursePartNames.map((name) => someLinks.find((l) => l.kind === name));
      return theory && practical ? { theory: bare(theory), practical: bare(practical), entity: theory.entity } : null;
    };
    const parts = partsOf(links.filter((l) => l.own));
    return {
      ...course,
      renewal_editable: course.owner.id === entity.id && can(actor.user, 'course.update'),
      alternatives: alternatives.filter((l) => l.own).map(bare),
      inherited_alternatives: alternatives.filter((l) => !l.own).map((l) => ({ ...bare(l), entity: l.entity })),
      parts: parts && { theory: parts.theory, practical: parts.practical },
      inherited_parts: partsOf(links.filter((l) => !l.own)),
    };
  };
  /** A linked course must be one of the organisation's, and not the course itself. */
  const check = async (on: Db, entity: EntityRef, courseId: string, { alternative_ids = [], parts }: Body) => {
    const has = async (ids: readonly string[]) =>
      (await on.one<{ n: number }>(sql`select count(*)::int as n from courses k where k.id = any(${ids}::uuid[]) and ${hasCourse(entity.id)}`))?.n ===
      new Set(ids).size;
    if (alternative_ids.includes(courseId)) throw invalid('alternative_ids', 'A course counts for itself already.');
    if (!(await has(alternative_ids))) throw invalid('alternative_ids', 'Choose courses of the organisation.');
    for (const field of ['theory_id', 'practical_id'] as const)
      if (parts && !(await has([parts[field]]))) throw invalid(`parts.${field}`, 'Choose a course of the organisation.');
  };
  const auditFields = ({ renewal, alternatives, parts }: CourseRules) => ({
    ...renewal,
    counts_as_well: alternatives.map((a) => a.name),
    parts: parts && { theory: parts.theory.name, practical: parts.practical.name },
  });

  return {
    get: async (actor: Actor, slug: string, courseId: string) => rulesOf(db, actor, await entityAt(db, actor, slug), courseId),
    update: async (by: By, slug: string, courseId: string, { update_previous_results: previous, ...body }: BodyOf<typeof updateCourseRules>) => {
      const changed = await db.tx(async (tx) => {
        const { actor } = by;
        const entity = await entityAt(tx, actor, slug);
        const before = await rulesOf(tx, actor, entity, courseId);
        await check(tx, entity, courseId, body);
        const renewal = { ...before.renewal, ...Object.fromEntries(Object.entries(renewalOf(body)).filter(([, value]) => value !== undefined)) };
        const other = (Object.keys(renewal) as (keyof Renewal)[]).filter((field) => renewal[field] !== before.renewal[field]);
        if (renewal.renewal_kind === 'fixed' && !renewal.renewal_on) throw invalid('renewal_on', 'Choose the day of the year.');
        const refused = other[0] ?? (previous ? 'update_previous_results' : undefined);
        if (refused && !before.renewal_editable)
          throw new ProductError('forbidden', {
            fields: { [refused]: [`Only ${before.owner.name}, which owns this course, can change how long it is valid.`] },
          });
        const mayDateAgain = can(actor.user, 'record.completed_courses');
        if (previous && !mayDateAgain)
          throw new ProductError('forbidden', { fields: { update_previous_results: ['You do not have permission to change completed courses.'] } });
        await updateRows(tx, 'courses', other.length > 0 ? renewal : {}, sql`id = ${courseId}`);
        const ownRules = sql`entity_id = ${entity.id} and course_id = ${courseId}`;
        if (body.alternative_ids) {
          await tx.run(sql`delete from course_links where ${ownRules} and kind = 'alternative'`);
          await tx.run(sql`insert into course_links (entity_id, course_id, kind, other_id)
            select ${entity.id}, ${courseId}, 'alternative', x from unnest(${[...new Set(body.alternative_ids)]}::uuid[]) x`);
        }
        if (body.parts !== undefined) {
          await tx.run(sql`delete from course_links where ${ownRules} and kind <> 'alternative'`);
          if (body.parts)
            await tx.run(sql`insert into course_links (entity_id, course_id, kind, other_id)
              values (${entity.id}, ${courseId}, 'theory', ${body.parts.theory_id}), (${entity.id}, ${courseId}, 'practical', ${body.parts.practical_id})`);
        }
        const rules = await rulesOf(tx, actor, entity, courseId);
        const which = { role_id: null, course_id: courseId, entity_id: entity.id };
        const held = before.renewal_editable ? await datedByRule(tx, which) : 0;
        const job = {
          ...which,
          subject: rules.title,
          reason: `The rule of the course “${rules.title}” changed.`,
          by: actor.user.uuid,
        };
        const dated = previous ? await redate(tx, { jobs, now }, job) : { changed: 0, waiting: 0 };
        await noteChange(tx, by, now(), {
          ...{ entityId: entity.id, action: 'updated', subject: { kind: 'course', id: courseId, name: rules.title }, before: auditFields(before) },
          after: { ...auditFields(rules), ...(previous ? { results_dated_anew: dated.waiting || dated.changed } : {}) },
        });
        return { rules, existing: mayDateAgain && previous === undefined && other.length > 0 ? held : 0, waiting: dated.waiting };
      });
      if (changed.waiting > 0) jobs.wake();
      return changed;
    },
    /** The effect of such rules on the people of the organisation and of those below it. */
    preview: async (actor: Actor, slug: string, courseId: string, body: BodyOf<typeof previewCourseRules>): Promise<RuleEffect> => {
      const entity = await entityAt(db, actor, slug);
      const rules = await rulesOf(db, actor, entity, courseId);
      await check(db, entity, courseId, body);
      const parts =
        body.parts ?? (rules.inherited_parts && { theory_id: rules.inherited_parts.theory.id, practical_id: rules.inherited_parts.practical.id });
      const was = rules.parts ?? rules.inherited_parts;
      const named = [...body.alternative_ids, ...(parts ? [parts.theory_id, parts.practical_id] : []), ...rules.alternatives.map((a) => a.id)];
      const [inherited, ownParts] = [rules.inherited_alternatives.map((a) => a.id), was ? [was.theory.id] : []];
      const titles = await db.all<{ id: string; no: number; title: string }>(
        sql`select id, no, title from course_titles where id = any(${[...named, ...inherited, ...ownParts]}::uuid[])`,
      );
      const no = new Map(titles.map((t) => [t.id, t.no]));
      const numbers = (ids: readonly string[]) => ids.flatMap((id) => no.get(id) ?? []);
      const before = new Set(numbers(rules.alternatives.map((a) => a.id)));
      const would = numbers([...body.alternative_ids, ...inherited]);
      const [theory, practical] = parts ? numbers([parts.theory_id, parts.practical_id]) : [];
      return effectOf(db, actor, now(), {
        courseId,
        people: sql`u.primary_entity_id in (${entityAndBelow(sql`e.id = ${entity.id}`)})
          and exists (select 1 from held_roles h join compliance k on k.role_id = h.role_id where h.user_id = u.id and k.course_id = ${courseId})`,
        ...(rules.renewal_editable ? { course: renewalOf(body) as Record<string, string | number | null> } : {}),
        redates: body.update_previous_results && rules.renewal_editable,
        // Definitions of an organisation below take precedence.
        links: (links, course) => {
          const others = (links.alternatives.get(course) ?? []).filter((other) => !before.has(other));
          const halves = new Map(links.parts);
          if (halves.get(course)?.theory === (was ? no.get(was.theory.id) : undefined)) {
            if (theory !== undefined && practical !== undefined) halves.set(course, { theory, practical });
            else halves.delete(course);
          }
          return { ...links, alternatives: new Map(links.alternatives).set(course, [...new Set([...others, ...would])]), parts: halves };
        },
      });
    },
  };
};
