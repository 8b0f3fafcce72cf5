import type { CourseDescription } from '#contract/entities/course-file.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { questionsOf } from '#server/features/content-creator/parts.rows.ts';
import type { Actor } from '#server/actor.ts';

type Lesson = CourseDescription['lessons'][number];
type Quiz = CourseDescription['quizzes'][number];

/** False for an optional part, otherwise absent. */
const required = (part: 'l' | 'q') => sql`case when ${part === 'l' ? sql`l.id` : sql`q.id`} = any(c.uncounted) then false end as required`;
/** A part without its absent fields. */
const bare = <T extends { required?: boolean | undefined }>({ required: is, ...part }: T) => ({ ...part, ...(is === false ? { required: is } : {}) });

/** The lessons of a content with their topics, as in the working copy. */
export const lessonsOf = async (on: Db, content: string): Promise<Lesson[]> => {
  const lessons = await on.all<Omit<Lesson, 'topics'> & { id: string }>(
    sql`select l.id, l.title, l.published, l.question_qty, ${required('l')} from content_lessons x join contents c on c.id = x.content_id join lessons l on l.id = x.lesson_id where x.content_id = ${content} order by x.place`,
  );
  const topics = await on.all<Lesson['topics'][number] & { lesson_id: string }>(
    sql`select y.lesson_id, t.title, t.hidden, t.skippable, t.is_child, t.blocks from content_lessons x join lesson_topics y on y.lesson_id = x.lesson_id
      join topics t on t.id = y.topic_id where x.content_id = ${content} order by x.place, y.place`,
  );
  const topicsByLesson = Map.groupBy(topics, (t) => t.lesson_id);
  return lessons.map(({ id, ...lesson }) => ({ ...bare(lesson), topics: (topicsByLesson.get(id) ?? []).map(({ lesson_id: _, ...topic }) => topic) }));
};

/** The quizzes of a content with their questions and answers, as in the working copy. */
export const quizzesOf = async (on: Db, content: string): Promise<Quiz[]> => {
  const quizzes = await on.all<Omit<Quiz, 'questions'> & { id: string }>(
    sql`select q.id, q.title, q.published, q.is_randomized, q.pass_percent, q.max_tries, x.question_qty, ${required('q')} from content_quizzes x
      join contents c on c.id = x.content_id join quizzes q on q.id = x.quiz_id where x.content_id = ${content} order by x.place`,
  );
  const whole: Quiz[] = [];
  for (const { id, ...quiz } of quizzes) {
    const questions = (await questionsOf(on, id)).map(({ id: _, ...question }) => question) as Quiz['questions'];
    whole.push({ ...bare(quiz), questions });
  }
  return whole;
};

/** Names and sizes of stored files, by their hashes. */
export const namesOfFiles = async (
  on: Db,
  actor: Actor,
  hashes: readonly string[],
): Promise<Map<string, { ending: string; name: string; bytes: number }>> => {
  const rows = await on.all<{ hash: string; stored: string; name: string | null; bytes: number }>(
    sql`select m.hash, m.name as stored, f.name, m.bytes::float8 as bytes from media m
      left join content_files f on f.hash = m.hash and f.entity_id = ${actor.place.id} where m.hash = any(${[...hashes]})`,
  );
  return new Map(
    rows.map(({ hash, stored, name, bytes }) => {
      const ending = stored.split('.').at(-1) ?? 'bin';
      return [hash, { ending, name: name ?? `file.${ending}`, bytes }];
    }),
  );
};

/** Whether the organisation has an e-learning of this title. */
export const hasTitle = async (on: Db, actor: Actor, title: string): Promise<boolean> =>
  (await on.one(
    sql`select 1 as one from contents where entity_id = ${actor.place.id} and type = 'elearning' and deleted_at is null and lower(title) = lower(${title}) limit 1`,
  )) !== undefined;
