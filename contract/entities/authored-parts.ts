import * as z from 'zod/mini';
import { AuthoredQuestion } from '#contract/entities/authored-question.ts';
import { Block, Media } from '#contract/entities/content.ts';
import { Count, Id, Instant, NeededLine, Percent, Ref } from '#contract/entities/fields.ts';

/**
 * The parts of contents, as their authors see them: working copies. Learners see the version published last
 * (POST /content/{id}/publish); changing a part changes no version.
 */

const title = NeededLine(200, 'Enter a title.');
/** The most of each that its parent can have. */
export const partLimits = { blocks: 200, topics: 200, lessons: 100, quizzes: 30, questions: 300, bodyBytes: 2_000_000 } as const;

/** Something with a title. */
export const TitleRef = z.object({ id: Id, title: z.string() });
export type TitleRef = z.infer<typeof TitleRef>;

/** Ours: who owns the part (others use it but cannot change it), its version (`rev`), and where it is used. */
const storedFields = {
  entity: Ref,
  editable: z.boolean(),
  rev: Count,
  used_in: z.array(TitleRef),
  created_at: Instant,
  updated_at: Instant,
};

/** What an author enters for a topic. `is_child`: it is a child of the topic before it. */
export const topicFields = {
  title,
  hidden: z.boolean(),
  skippable: z.boolean(),
  is_child: z.boolean(),
  blocks: z.array(Block).check(z.maxLength(partLimits.blocks, `Use no more than ${partLimits.blocks} blocks in one topic.`)),
};
/** A topic in a list or within a lesson. `block_count` says how much is in it. */
export const TopicLine = z.object({
  ...{ id: Id, title: z.string(), hidden: z.boolean(), skippable: z.boolean(), is_child: z.boolean(), block_count: Count },
  ...storedFields,
});
export type TopicLine = z.infer<typeof TopicLine>;
/** `resources`: files to download; `h5ps`: activities from the library in it; `h5p`: the first of these. `blocks` is ours. */
export const AuthoredTopic = z.object({
  ...TopicLine.shape,
  h5p: z.nullable(TitleRef),
  h5ps: z.array(TitleRef),
  resources: z.array(z.object({ title: z.string(), media: Media })),
  blocks: z.array(Block),
});
export type AuthoredTopic = z.infer<typeof AuthoredTopic>;

/** A topic as a lesson lists it. */
export const TopicOfLesson = z.pick(TopicLine, { id: true, title: true, hidden: true, skippable: true, is_child: true, block_count: true });
export const lessonFields = { title, published: z.boolean(), question_qty: Count.check(z.lte(1000, 'Use no more than 1,000 questions.')) };
export const LessonLine = z.object({ id: Id, title: z.string(), published: z.boolean(), question_qty: Count, topic_count: Count, ...storedFields });
export type LessonLine = z.infer<typeof LessonLine>;
export const AuthoredLesson = z.object({ ...LessonLine.shape, topics: z.array(TopicOfLesson) });
export type AuthoredLesson = z.infer<typeof AuthoredLesson>;

/** `max_tries` 0: unlimited. */
export const quizFields = {
  title,
  published: z.boolean(),
  is_randomized: z.boolean(),
  pass_percent: Percent.check(z.int('Enter a whole number of percent.')),
  max_tries: Count.check(z.lte(100, 'Use no more than 100 tries.')),
  questions: z.array(AuthoredQuestion).check(z.maxLength(partLimits.questions, `Use no more than ${partLimits.questions} questions.`)),
};
export const QuizLine = z.object({
  ...{
    id: Id,
    title: z.string(),
    published: z.boolean(),
    is_randomized: z.boolean(),
    pass_percent: Percent,
    max_tries: Count,
    question_count: Count,
  },
  ...storedFields,
});
export type QuizLine = z.infer<typeof QuizLine>;
export const AuthoredQuiz = z.object({ ...QuizLine.shape, questions: z.array(AuthoredQuestion) });
export type AuthoredQuiz = z.infer<typeof AuthoredQuiz>;

/** A question of one of the organisation's quizzes, to be used in another. */
export const BankQuestion = z.object({ question: AuthoredQuestion, quiz: TitleRef });
export type BankQuestion = z.infer<typeof BankQuestion>;
