import type { AnswerKey, ContentDocument } from '#contract/entities/content.ts';
import { type Db, often, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

/**
 * Whether a content `c` is available to these organisations: its course belongs or is assigned to one of them, and it was
 * created by the course's owner or by one of them. Content that an organisation adds to a shared course stays its own.
 */
export const givenTo = (places: Statement): Statement => sql`(exists (
    select 1 from courses k where k.id = c.course_id and (c.entity_id = k.entity_id or c.entity_id in (${places}))
      and (k.entity_id in (${places}) or exists (select 1 from entity_courses ec where ec.course_id = k.id and ec.entity_id in (${places})))))`;

/**
 * Whether a course that these organisations cannot otherwise take is listed because of licences: they have it only by licences, current or
 * ended, and there is something to take.
 */
export const lacksLicence = (
  course: Statement,
  places: Statement,
): Statement => sql`(exists (select 1 from training_licences f where f.course_id = ${course} and f.entity_id in (${places}))
    and not exists (select 1 from entity_courses x where x.course_id = ${course} and x.entity_id in (${places}) and not x.by_licence)
    and exists (select 1 from contents y join courses k on k.id = y.course_id where y.course_id = ${course} and y.type in ('elearning', 'scorm')
      and y.entity_id = k.entity_id and k.entity_id not in (${places}) and y.published and not y.admin_only and y.deleted_at is null))`;

type Person = { id: string; type_id: string | null };
/** Whether an assignment `x` applies to everyone, or to this person's job roles and user type. */
const names = ({ id, type_id }: Person): Statement =>
  sql`((x.role_ids = '{}' or exists (select 1 from held_roles h where h.user_id = ${id} and h.role_id = any(x.role_ids))) and (x.type_ids = '{}' or ${type_id}::uuid = any(x.type_ids)))`;

const runs = sql`f.ended_at is null and (f.expires_at is null or f.expires_at > now())`;
/**
 * Whether a person may use a course: these organisations have it not only by licence, or a licence is assigned to the person. Each way has
 * its own condition and index: combined, all licences would be read.
 */
export const licensed = (
  course: Statement,
  places: Statement,
  person: Statement,
): Statement => sql`(exists (select 1 from courses k where k.id = ${course} and k.entity_id in (${places}))
    or exists (select 1 from entity_courses x where x.course_id = ${course} and x.entity_id in (${places}) and not x.by_licence)
    or exists (select 1 from training_licences f where f.course_id = ${course} and f.user_id = ${person} and ${runs})
    or exists (select 1 from training_licences f where f.course_id = ${course} and f.for_all and f.entity_id in (${places}) and ${runs}))`;

/**
 * Whether a person in the first of these organisations may take a content `c`: its course is available there, and is assigned to everyone
 * or to their job roles and user type; or it, or a course of which it is a part, is required by a job role or a pathway; or the content
 * itself is assigned.
 */
export const mayTake = (
  places: Statement,
  person: Person,
): Statement => sql`((${givenTo(places)} and ${licensed(sql`c.course_id`, places, sql`${person.id}::uuid`)} and (
      not exists (select 1 from entity_courses x where x.course_id = c.course_id and x.entity_id in (${places}))
      or exists (select 1 from entity_courses x where x.course_id = c.course_id and x.entity_id in (${places}) and ${names(person)})
      or exists (select 1 from required_of(${person.id}, null) q where q.course_id = c.course_id
        or exists (select 1 from course_links l where l.course_id = q.course_id and l.other_id = c.course_id and l.kind <> 'alternative' and l.entity_id in (${places})))
      or exists (select 1 from pathways_of(${person.id}) w join pathway_steps s on s.pathway_id = w.pathway_id where s.course_id = c.course_id)))
    or exists (select 1 from entity_contents x where x.content_id = c.id and x.entity_id in (${places}) and ${names(person)}))`;

/** The only condition for access to a content `c`: it is published and assigned to the learner, or they have already started it. */
const reachable = (actor: Actor): Statement =>
  actor.seesAll
    ? sql`true`
    : sql`((c.published and not c.admin_only and c.deleted_at is null and ${mayTake(sql`select entity_and_above(${actor.user.primary_entity.id})`, { id: actor.user.uuid, type_id: actor.user.type?.id ?? null })})
      or exists (select 1 from attempts a where a.content_id = c.id and a.user_id = ${actor.user.uuid}))`;

/** The requested or current version of a content that the actor can access. */
export const contentDocumentOf = async (db: Db, actor: Actor, id: string, version?: number): Promise<ContentDocument | undefined> => {
  const row = await db.one<{ document: ContentDocument }>(sql`select v.document from contents c
    join content_versions v on v.content_id = c.id and v.version = ${version === undefined ? sql`c.current_version` : sql`${version}`}
    where c.id = ${id} and ${reachable(actor)}`);
  if (!row) return undefined;
  return { ...row.document, prerequisites: await prerequisitesOf(db, id, actor.user.uuid) };
};

export const contentVersion = async (db: Db, id: string, version: number) =>
  db.one<{ document: ContentDocument; answer_keys: Record<string, AnswerKey>; course_id: string }>(
    often(sql`
    select v.document, v.answer_keys, c.course_id from content_versions v join contents c on c.id = v.content_id
    where v.content_id = ${id} and v.version = ${version}`),
  );

/** Groups of contents of which at least one each must be completed, and whether this person has done so. */
export const prerequisitesOf = async (db: Db, contentId: string, userId: string): Promise<ContentDocument['prerequisites']> => {
  const rows = await db.all<{ group_no: number; id: string; title: string; met: boolean }>(sql`
    select p.group_no, c.id, c.title, exists (select 1 from current_results r where r.user_id = ${userId} and (r.content_id = c.id or r.course_id = c.course_id)) as met
    from content_prerequisites p join contents c on c.id = p.required_content_id where p.content_id = ${contentId} order by p.group_no, c.title`);
  const groups = Map.groupBy(rows, (r) => r.group_no);
  return [...groups.values()].map((group) => ({ prerequisite_contents: group.map(({ id, title, met }) => ({ id, title, met })) }));
};

export const prerequisitesMet = (groups: ContentDocument['prerequisites']): boolean =>
  groups.every((g) => g.prerequisite_contents.some((c) => c.met));
