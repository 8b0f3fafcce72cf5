import type { listContent } from '#contract/api/content.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import { authoredTypes, type Content, type ContentLine, type ContentVersion } from '#contract/entities/authored-content.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { completionSentence } from '#contract/rules/completion-sentence.ts';
import { canonical, documentChanges } from '#contract/rules/document-changes.ts';
import { contains, existing, orderBy, pageOf, reference } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import type { DesignedContent } from '#contract/entities/designed-content.ts';
import { designProblems } from '#contract/rules/design-problems.ts';
import { type Composed, composed, problemsOf } from '#server/features/content-creator/compose.rows.ts';
import { designOf } from '#server/features/content-creator/designs.rows.ts';
import { mediaColumn } from '#server/features/content-creator/files.rows.ts';
import { givenTo } from '#server/features/learning/contents.rows.ts';
import { newestResult } from '#server/features/results/results.rows.ts';
import type { Actor } from '#server/actor.ts';

/** Only the organisation that made a content changes it. */
export const own = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`c.entity_id = ${actor.place.id}`);
export const seen = (actor: Actor): Statement =>
  sql`c.deleted_at is null and (${own(actor)} or c.published and ${givenTo(sql`select entity_and_above(${actor.place.id})`)})`;

// Others see the published text of a content: the working copy belongs to its owner.
const visibleText = (actor: Actor, working: Statement, published: Statement): Statement =>
  sql`case when ${own(actor)} then ${working} else ${published} end`;
const columns = (actor: Actor) => sql`c.id, c.title, c.type, c.designed, c.published, c.current_version as version, c.rev, ${own(actor)} as editable,
  json_build_object('id', k.id, 'title', k.title) as course, json_build_object('id', e.id, 'name', e.name) as entity, c.admin_only,
  ${visibleText(actor, sql`to_jsonb(${mediaColumn})`, sql`case when jsonb_typeof(v.document -> 'image') = 'object' then v.document -> 'image' end`)} as image,
  ${visibleText(actor, sql`c.image_alt`, sql`coalesce(v.document ->> 'image_alt', '')`)} as image_alt,
  ${visibleText(actor, sql`c.estimated_duration`, sql`coalesce((v.document ->> 'estimated_duration')::int, c.estimated_duration)`)} as estimated_duration,
  ${visibleText(actor, sql`c.aims`, sql`coalesce(v.document ->> 'aims', c.aims)`)} as aims,
  ${visibleText(actor, sql`to_jsonb(c.outcomes)`, sql`coalesce(v.document -> 'outcomes', to_jsonb(c.outcomes))`)} as outcomes,
  ${visibleText(actor, sql`c.cpd_accredited`, sql`coalesce((v.document ->> 'cpd_accredited')::boolean, c.cpd_accredited)`)} as cpd_accredited,
  case when c.type = 'scorm' then coalesce(c.completion, 'reported') end as completion,
  case when p.id is not null then json_build_object('id', p.id, 'tree', p.tree, 'bytes', p.bytes, 'files', p.files, 'manifest', p.manifest, 'warnings', p.warnings, 'created_at', ${instant(sql`p.created_at`)}) end as package,
  ${instant(sql`c.created_at`)} as created_at, ${instant(sql`c.updated_at`)} as updated_at`;
const source = sql`contents c join course_titles k on k.id = c.course_id join entity_names e on e.id = c.entity_id
  left join content_versions v on v.content_id = c.id and v.version = c.current_version
  left join packages p on p.id = c.package_id left join media m on m.hash = c.image`;

/** The version that is played, if any. */
export const publishedVersion = (on: Db, id: string) =>
  on.one<{ document: ContentDocument; answer_keys: Composed['keys'] }>(sql`select v.document, v.answer_keys from contents c
    join content_versions v on v.content_id = c.id and v.version = c.current_version where c.id = ${id}`);

const prerequisitesOf = async (on: Db, id: string): Promise<Content['prerequisites']> => {
  const rows = await on.all<{ group_no: number; id: string; title: string }>(sql`select p.group_no, c.id, c.title from content_prerequisites p
    join content_titles c on c.id = p.required_content_id where p.content_id = ${id} order by p.group_no, c.title, c.id`);
  return [...Map.groupBy(rows, (r) => r.group_no).values()].map((group) => ({
    prerequisite_contents: group.map(({ id: of, title }) => ({ id: of, title })),
  }));
};
type Parts = Pick<Content, 'lessons' | 'quizzes'>;
const workingParts = async (on: Db, actor: Actor, id: string): Promise<Parts> => {
  const lessons = await on.all<
    Content['lessons'][number]
  >(sql`select l.id, l.title, l.published, l.question_qty, ${actor.seesAll ? sql`true` : sql`l.entity_id = ${actor.place.id}`} as editable,
    coalesce((select json_agg(json_build_object('id', t.id, 'title', t.title, 'hidden', t.hidden, 'skippable', t.skippable, 'is_child', t.is_child, 'block_count', jsonb_array_length(t.blocks)) order by y.place)
      from lesson_topics y join topics t on t.id = y.topic_id where y.lesson_id = l.id), '[]'::json) as topics
    from content_lessons x join lessons l on l.id = x.lesson_id where x.content_id = ${id} order by x.place`);
  const quizzes = await on.all<
    Content['quizzes'][number]
  >(sql`select q.id, q.title, q.published, x.question_qty, (select count(*)::int from questions a where a.quiz_id = q.id) as question_count
    from content_quizzes x join quizzes q on q.id = x.quiz_id where x.content_id = ${id} order by x.place`);
  return { lessons, quizzes };
};
const publishedParts = ({ lessons, quizzes }: ContentDocument): Parts => ({
  lessons: lessons.map(({ topics, ...lesson }) => ({
    ...{ ...lesson, published: true, editable: false },
    topics: topics.map(({ blocks, parent_id: _, ...topic }) => ({ ...topic, block_count: blocks.length })),
  })),
  quizzes: quizzes.map((q) => ({ id: q.id, title: q.title, published: true, question_qty: q.question_qty, question_count: q.questions.length })),
});

/** The differences between two documents for learners, apart from number, course title and prerequisites. */
export const substance = ({ version: _v, course: _c, prerequisites: _p, ...document }: ContentDocument) => document;

/** The content of this id, as its authors see it, or 404. */
export const contentOf = async (on: Db, actor: Actor, id: string): Promise<Content> => {
  const line = existing(await on.one<ContentLine>(sql`select ${columns(actor)} from ${source} where c.id = ${id} and ${seen(actor)}`));
  const published = await publishedVersion(on, id);
  const working = line.editable && line.type === 'elearning' ? await composed(on, id) : undefined;
  const document = working?.document ?? published?.document;
  const none: Parts = { lessons: [], quizzes: [] };
  const parts: Parts = line.designed
    ? none
    : line.editable
      ? await workingParts(on, actor, id)
      : published
        ? publishedParts(published.document)
        : none;
  return {
    ...line,
    ...parts,
    topics: parts.lessons.flatMap((l) => l.topics.map((t) => ({ id: t.id, title: t.title }))),
    prerequisites: await prerequisitesOf(on, id),
    has_changes: working !== undefined && !sameForLearners(working, published),
    changes: working && published ? changesOf(working, published) : [],
    problems: working ? problemsOf(working) : [],
    complete_when: document ? completionSentence(document) : '',
    uncounted: working?.uncounted ?? document?.uncounted ?? [],
  };
};

/** A designed content of the actor's own organisation with its design, or 404. */
export const designedContentOf = async (on: Db, actor: Actor, id: string): Promise<DesignedContent> => {
  const content = await contentOf(on, actor, id);
  const design = existing(content.designed && content.editable ? await designOf(on, id) : null);
  return { ...content, design, design_problems: designProblems(design) };
};

/** Whether learners already have exactly what is written, including the answers. */
export const sameForLearners = (working: Composed, published: Awaited<ReturnType<typeof publishedVersion>>): boolean =>
  published !== undefined &&
  canonical(substance(working.document)) === canonical(substance(published.document)) &&
  canonical(working.keys) === canonical(published.answer_keys);

/** Their differences, in sentences. */
const changesOf = (working: Composed, published: NonNullable<Awaited<ReturnType<typeof publishedVersion>>>): string[] =>
  documentChanges(
    published.document,
    working.document,
    (question) => canonical(working.keys[question]) !== canonical(published.answer_keys[question]),
  );

type Asked = Omit<QueryOf<typeof listContent>, 'type'>;
const linesOf = (on: Db, actor: Actor, path: string, query: Asked, which: Statement) => {
  const where = sql`${which} and ${seen(actor)} and ${contains([sql`c.title`, sql`k.title`], query.search)}`;
  const order = orderBy(query.sort ?? '-updated_at', { updated_at: sql`c.updated_at`, title: sql`c.title`, course: sql`k.title` }, sql`c.id`);
  return pageOf<ContentLine>(on, path, query, { columns: columns(actor), from: source, where, order });
};
export const contentPage = (on: Db, actor: Actor, { type, ...query }: QueryOf<typeof listContent>) =>
  linesOf(on, actor, '/content', query, type ? sql`c.type = ${type}` : sql`c.type = any(${[...authoredTypes]})`);
export const designedPage = (on: Db, actor: Actor, query: Asked) => linesOf(on, actor, '/designed-contents', query, sql`c.designed`);

/** How long a device counts after its last report: a lost one would keep its version for ever. */
const heardOfDays = 90;

/**
 * The versions of a content, newest first, with how many of the actor's people and their devices are on each, are asked to take it and have
 * taken it.
 */
export const versionsOf = (on: Db, actor: Actor, id: string, now: Date): Promise<ContentVersion[]> => {
  const theirs = actor.seesAll ? sql`true` : sql`u.primary_entity_id = any(${[...actor.entityIds]}::uuid[])`;
  // Of everybody who completed a version: the first and last of them, and the version of their newest result of the course while it is valid.
  const completed = sql`select a.user_id, min(a.content_version) as min_version, max(a.content_version) as max_version,
      max(r.content_version) as valid_version
    from attempts a join users u on u.id = a.user_id and ${theirs} and u.disabled_at is null join contents c on c.id = a.content_id
    left join lateral (${newestResult(sql`a.user_id`, sql`c.course_id`)}) r on r.content_id = a.content_id and (r.expires_at is null or not is_over(r.expires_at, ${now}, (select h.time_zone from entity_names h where h.id = u.primary_entity_id)))
    where a.content_id = ${id} and a.completed_at is not null group by a.user_id`;
  const storedOnDevices = sql`select (k ->> 'version')::int as version, count(distinct d.device_id)::int as devices from device_contacts d
    join users u on u.id = d.user_id and ${theirs} and u.disabled_at is null cross join jsonb_array_elements(d.kept) k
    where d.contact_at > ${now}::timestamptz - make_interval(days => ${heardOfDays}) and k ->> 'content_id' = ${id}::text group by 1`;
  const ofAsked = (which: Statement) =>
    sql`case when v.take_within_days is null then 0 else (select count(*)::int from completed where min_version < v.version and ${which}) end`;
  return on.all<ContentVersion>(sql`with completed as (${completed}), kept as (${storedOnDevices}) select v.version, ${instant(sql`v.published_at`)} as published_at, ${reference('person_names', sql`v.published_by`)} as by, v.note, v.material, v.take_within_days,
    ${ofAsked(sql`max_version >= v.version`)} as taken, ${ofAsked(sql`valid_version < v.version and c.published and c.deleted_at is null`)} as asked,
    v.version = c.current_version as current, count(distinct a.user_id)::int as people, count(distinct a.user_id) filter (where a.state = 'open')::int as open,
    coalesce((select devices from kept where kept.version = v.version), 0) as devices
    from contents c join content_versions v on v.content_id = c.id
    left join (select a.* from attempts a join users u on u.id = a.user_id and ${theirs} where a.content_id = ${id}) a on a.content_version = v.version
    where c.id = ${id} group by v.version, v.published_at, v.published_by, v.note, v.material, v.take_within_days, c.current_version, c.published, c.deleted_at order by v.version desc`);
};

/** What prevents a content from being deleted, in words: offers and purchases of its course, if it is the last content that can be taken. */
export const contentNeededBy = async (on: Db, id: string): Promise<string[]> => {
  const { items = 0, licences = 0 } =
    (await on.one<{ needs: { items: number; licences: number } }>(sql`select content_needs(${id}) as needs`))?.needs ?? {};
  return [
    ...(items > 0 ? [items === 1 ? 'an item of the marketplace' : `${items} items of the marketplace`] : []),
    ...(licences > 0 ? [`${licences === 1 ? '1 licence' : `${licences} licences`} that others have bought`] : []),
  ];
};
