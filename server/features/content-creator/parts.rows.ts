import type { AuthoredLesson, AuthoredQuiz, AuthoredTopic, LessonLine, QuizLine, TitleRef, TopicLine } from '#contract/entities/authored-parts.ts';
import type { AnswerKey, Block, Question } from '#contract/entities/content.ts';
import { authoredQuestion } from '#contract/rules/question-parts.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

/** Lessons, topics and quizzes as rows `t`: their columns, and who sees them. */
export type PartKind = 'lesson' | 'topic' | 'quiz';

/** Only the organisation that it belongs to changes it. */
export const ownPart = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`t.entity_id = ${actor.place.id}`);
/** Organisations below use it. Quizzes contain answers, so only their own organisation sees them. */
const seenPart = (kind: PartKind, actor: Actor): Statement =>
  actor.seesAll || kind === 'quiz' ? ownPart(actor) : sql`t.entity_id in (select entity_and_above(${actor.place.id}))`;

const commonColumns = (
  actor: Actor,
  used: Statement,
): Statement => sql`json_build_object('id', e.id, 'name', e.name) as entity, ${ownPart(actor)} as editable, t.rev,
  coalesce((select json_agg(json_build_object('id', u.id, 'title', u.title) order by u.title, u.id) from (${used}) u), '[]'::json) as used_in,
  ${instant(sql`t.created_at`)} as created_at, ${instant(sql`t.updated_at`)} as updated_at`;
/** Where a part is used, as far as the actor may know. */
const visible = (actor: Actor, row: Statement): Statement => (actor.seesAll ? sql`true` : sql`${row} = any(${[...actor.entityIds]}::uuid[])`);

const columnsOf: Record<PartKind, (actor: Actor) => Statement> = {
  lesson: (
    actor,
  ) => sql`t.id, t.title, t.published, t.question_qty, (select count(*)::int from lesson_topics x where x.lesson_id = t.id) as topic_count,
    ${commonColumns(actor, sql`select c.id, c.title from content_lessons x join contents c on c.id = x.content_id where x.lesson_id = t.id and c.deleted_at is null and ${visible(actor, sql`c.entity_id`)}`)}`,
  topic: (actor) => sql`t.id, t.title, t.hidden, t.skippable, t.is_child, jsonb_array_length(t.blocks) as block_count,
    ${commonColumns(actor, sql`select l.id, l.title from lesson_topics x join lessons l on l.id = x.lesson_id where x.topic_id = t.id and ${visible(actor, sql`l.entity_id`)}`)}`,
  quiz: (
    actor,
  ) => sql`t.id, t.title, t.published, t.is_randomized, t.pass_percent, t.max_tries, (select count(*)::int from questions x where x.quiz_id = t.id) as question_count,
    ${commonColumns(actor, sql`select c.id, c.title from content_quizzes x join contents c on c.id = x.content_id where x.quiz_id = t.id and c.deleted_at is null and ${visible(actor, sql`c.entity_id`)}`)}`,
};
const tables = { lesson: sql`lessons`, topic: sql`topics`, quiz: sql`quizzes` } as const;
/** Existing parts, by the id of what they were made for. */
const attached = {
  lesson: (parent: string) => sql`select 1 from content_lessons x where x.lesson_id = t.id and x.content_id = ${parent}`,
  topic: (parent: string) => sql`select 1 from lesson_topics x where x.topic_id = t.id and x.lesson_id = ${parent}`,
  quiz: (parent: string) => sql`select 1 from content_quizzes x where x.quiz_id = t.id and x.content_id = ${parent}`,
} as const;

export const partSource = (kind: PartKind, actor: Actor, available_to?: string) => ({
  columns: columnsOf[kind](actor),
  from: sql`${tables[kind]} t join entity_names e on e.id = t.entity_id`,
  where: sql`${seenPart(kind, actor)} and ${available_to ? sql`not exists (${attached[kind](available_to)})` : sql`true`}`,
});

type Lines = { lesson: LessonLine; topic: TopicLine; quiz: QuizLine };
type Wholes = { lesson: AuthoredLesson; topic: AuthoredTopic; quiz: AuthoredQuiz };
export type Part<K extends PartKind> = Wholes[K] & { entity_id: string };

const lineOf = async <K extends PartKind>(on: Db, kind: K, actor: Actor, id: string) => {
  const { columns, from, where } = partSource(kind, actor);
  return existing(await on.one<Lines[K] & { entity_id: string }>(sql`select ${columns}, t.entity_id from ${from} where t.id = ${id} and ${where}`));
};

/** The parts as their authors see them, or 404. */
export const partOf: { [K in PartKind]: (on: Db, actor: Actor, id: string) => Promise<Part<K>> } = {
  lesson: async (on, actor, id) => {
    const line = await lineOf(on, 'lesson', actor, id);
    const topics = await on.all<
      AuthoredLesson['topics'][number]
    >(sql`select t.id, t.title, t.hidden, t.skippable, t.is_child, jsonb_array_length(t.blocks) as block_count
      from lesson_topics x join topics t on t.id = x.topic_id where x.lesson_id = ${id} order by x.place`);
    return { ...line, topics };
  },
  topic: async (on, actor, id) => {
    const line = await lineOf(on, 'topic', actor, id);
    const blocks = (await on.one<{ blocks: Block[] }>(sql`select blocks from topics where id = ${id}`))?.blocks ?? [];
    const ids = blocks.flatMap((b) => (b.kind === 'h5p' && b.h5p_id ? [b.h5p_id] : []));
    const found = new Map((await on.all<TitleRef>(sql`select id, title from h5ps where id = any(${ids}::uuid[])`)).map((h) => [h.id, h]));
    const h5ps = [...new Set(ids)].flatMap((h) => found.get(h) ?? []);
    const resources = blocks.flatMap((b) => (b.kind === 'download' ? [{ title: b.title, media: b.media }] : []));
    return { ...line, h5p: h5ps[0] ?? null, h5ps, resources, blocks };
  },
  quiz: async (on, actor, id) => {
    const line = await lineOf(on, 'quiz', actor, id);
    return { ...line, questions: await questionsOf(on, id) };
  },
};

/** The questions of a quiz, in order, with their answers. */
export const questionsOf = async (on: Db, quiz: string) =>
  (
    await on.all<{ question: Question; key: AnswerKey }>(
      sql`select question, answer_key as key from questions where quiz_id = ${quiz} order by place, id`,
    )
  ).map(authoredQuestion);
