import type { Design } from '#contract/entities/design.ts';
import type { Block, ContentDocument, AnswerKey, Question, Topic } from '#contract/entities/content.ts';
import type { ContentType } from '#contract/entities/authored-content.ts';
import { coursePartsOf, playedDesign } from '#contract/rules/design.ts';
import { designProblems } from '#contract/rules/design-problems.ts';
import { countedQuizzes, requiredTopics } from '#contract/rules/completion.ts';
import { practiceProblem } from '#contract/rules/question-parts.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { designOf } from '#server/features/content-creator/designs.rows.ts';
import { mediaColumn } from '#server/features/content-creator/files.rows.ts';
import { partsOfQuestion } from '#server/features/content-creator/question-parts.ts';

/** The working copy of a content, assembled: what would be its next version, with the answers to its questions. */
export type Composed = {
  document: ContentDocument;
  keys: Record<string, AnswerKey> /** Parts that are not published, by their titles. */;
  left_out: string[];
  /** The working copy of a designed content. */
  design: Design | null;
  /** The optional ones of its lessons and quizzes, published or not. */
  uncounted: string[];
};

type Row = Omit<
  ContentDocument,
  'uncounted' | 'lessons' | 'quizzes' | 'prerequisites' | 'package' | 'accepts_late_progress' | 'image_alt' | 'type'
> & {
  type: ContentType;
  designed: boolean;
  image_alt: string;
  uncounted: string[];
  completion: NonNullable<ContentDocument['package']>['completion'] | null;
  package: Omit<NonNullable<ContentDocument['package']>, 'completion'> | null;
};
type LessonRow = { id: string; title: string; published: boolean; question_qty: number };
type TopicRow = Omit<Topic, 'parent_id' | 'blocks'> & { lesson_id: string; blocks: Block[] };
type QuizRow = Omit<ContentDocument['quizzes'][number], 'questions'> & { published: boolean };

/** A child topic belongs to the nearest preceding topic that is not one; without one it is an ordinary topic. */
const withParents = (topics: readonly Omit<TopicRow, 'lesson_id'>[]): Topic[] => {
  let parent: string | null = null;
  return topics.map((t) => {
    const is_child = t.is_child && parent !== null;
    if (!is_child) parent = t.id;
    return { ...t, is_child, parent_id: is_child ? parent : null };
  });
};

export const composed = async (on: Db, id: string): Promise<Composed | undefined> => {
  const row =
    await on.one<Row>(sql`select c.id, c.current_version as version, c.title, c.type, c.designed, c.aims, c.outcomes, c.estimated_duration, c.cpd_accredited, c.image_alt,
    c.uncounted, c.completion, ${mediaColumn} as image, json_build_object('id', k.id, 'title', k.title, 'short_title', k.short_title) as course,
    case when p.id is not null then json_build_object('id', p.id, 'tree', p.tree, 'bytes', p.bytes, 'files', p.files, 'manifest', p.manifest) end as package
    from contents c join course_titles k on k.id = c.course_id left join media m on m.hash = c.image left join packages p on p.id = c.package_id where c.id = ${id}`);
  if (!row) return undefined;
  const lessons =
    await on.all<LessonRow>(sql`select l.id, l.title, l.published, l.question_qty from content_lessons x join lessons l on l.id = x.lesson_id
    where x.content_id = ${id} order by x.place`);
  const topics = await on.all<TopicRow>(sql`select y.lesson_id, t.id, t.title, t.hidden, t.skippable, t.is_child, t.blocks from content_lessons x
    join lesson_topics y on y.lesson_id = x.lesson_id join topics t on t.id = y.topic_id where x.content_id = ${id} order by x.place, y.place`);
  const quizzes =
    await on.all<QuizRow>(sql`select q.id, q.title, q.published, q.is_randomized, x.question_qty, q.pass_percent, q.max_tries from content_quizzes x
    join quizzes q on q.id = x.quiz_id where x.content_id = ${id} order by x.place`);
  const questions = await on.all<{ quiz_id: string; question: Question; answer_key: AnswerKey }>(sql`select q.quiz_id, q.question, q.answer_key
    from content_quizzes x join questions q on q.quiz_id = x.quiz_id where x.content_id = ${id} order by x.place, q.place`);
  const { image_alt, completion, package: pack, type, designed, uncounted, ...facts } = row;
  const design = designed ? ((await designOf(on, id)) ?? null) : null;
  const played = design && playedDesign(design, partsOfQuestion);
  const topicsOf = Map.groupBy(topics, (t) => t.lesson_id);
  const questionsOf = Map.groupBy(questions, (q) => q.quiz_id);
  const publishedQuizzes = quizzes.filter((q) => q.published);
  const uncountedParts = [...lessons, ...quizzes].filter((part) => uncounted.includes(part.id));
  const left = uncountedParts.flatMap((part) => (part.published ? [part.id] : [])).sort();
  return {
    document: {
      ...facts,
      // Only these two types are played; the others have no document for learners.
      type: type as ContentDocument['type'],
      ...(pack ? { package: { ...pack, ...(completion ? { completion } : {}) } } : {}),
      ...(image_alt !== '' ? { image_alt } : {}),
      ...(left.length > 0 ? { uncounted: left } : {}),
      accepts_late_progress: true,
      lessons: lessons
        .filter((l) => l.published)
        .map(({ published: _, ...lesson }) => ({
          ...lesson,
          topics: withParents((topicsOf.get(lesson.id) ?? []).map(({ lesson_id: _lesson, ...topic }) => topic)),
        })),
      quizzes: publishedQuizzes.map(({ published: _, ...quiz }) => ({ ...quiz, questions: (questionsOf.get(quiz.id) ?? []).map((q) => q.question) })),
      ...(played ? { ...coursePartsOf(id, played.design), design: played.design } : {}),
      prerequisites: [],
    },
    keys:
      played?.keys ??
      Object.fromEntries(publishedQuizzes.flatMap((quiz) => (questionsOf.get(quiz.id) ?? []).map((q) => [q.question.id, q.answer_key]))),
    left_out: [...lessons, ...quizzes].filter((part) => !part.published).map((part) => part.title),
    design,
    uncounted: uncountedParts.map((part) => part.id),
  };
};

/** What prevents an e-learning content from being published, in words. */
export const problemsOf = ({ document, left_out, design }: Composed): string[] => {
  const { lessons, quizzes } = document;
  if (design)
    return designProblems(design).map(({ page, block, message }) => {
      const pageIndex = design.pages.findIndex((p) => p.id === page);
      return block === null ? message : `Page ${pageIndex + 1}, “${design.pages[pageIndex]?.title}”: ${message}`;
    });
  const problems: string[] = [];
  if (lessons.length === 0 && quizzes.length === 0)
    problems.push(left_out.length > 0 ? 'None of its lessons and quizzes is published.' : 'It has no lesson and no quiz yet.');
  for (const lesson of lessons) {
    if (!lesson.topics.some((t) => !t.hidden)) problems.push(`The lesson “${lesson.title}” has no topic that learners see.`);
    for (const topic of lesson.topics) {
      if (topic.blocks.length === 0 && !topic.hidden) problems.push(`The topic “${topic.title}” is empty.`);
      for (const block of topic.blocks) {
        const missing = block.kind === 'question' ? practiceProblem(block) : null;
        if (missing) problems.push(`A question in the topic “${topic.title}” is not finished. ${missing}`);
      }
    }
  }
  for (const quiz of quizzes) {
    if (quiz.questions.length === 0) problems.push(`The quiz “${quiz.title}” has no questions.`);
    else if (quiz.question_qty > quiz.questions.length)
      problems.push(`The quiz “${quiz.title}” asks ${quiz.question_qty} questions, but has ${quiz.questions.length}.`);
  }
  if (document.uncounted && requiredTopics(document).length + countedQuizzes(document).length === 0)
    problems.push('Nothing in it counts: it would be complete as soon as it is opened.');
  const shown = lessons.flatMap((l) => l.topics.map((t) => t.id));
  const twice = lessons.flatMap((l) => l.topics).find((t, i) => shown.indexOf(t.id) !== i);
  if (twice) problems.push(`The topic “${twice.title}” is in two of its lessons.`);
  return problems;
};
