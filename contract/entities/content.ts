import * as z from 'zod/mini';
import { PlayedDesign } from '#contract/entities/design.ts';
import { Count, Hash, Id, Percent } from '#contract/entities/fields.ts';
import { Media } from '#contract/entities/media.ts';
import { H5pManifest, ScormManifest } from '#contract/entities/package.ts';
import { ItemId } from '#contract/entities/package-work.ts';
import { AnswerKey, Question } from '#contract/entities/question.ts';
import { RichNode, wholeText } from '#contract/entities/rich-text.ts';

export { Media } from '#contract/entities/media.ts';
export { Answer, AnswerKey, Picture, Question } from '#contract/entities/question.ts';

/** When an H5P activity counts as done: always, once opened, once it reports completion, or at a given score. */
export const activityGoals = ['optional', 'opened', 'completed', 'passed'] as const;

/** An H5P activity in a topic. `tree` names its package on the content origin; sizes in bytes. */
export const H5pBlock = z.object({
  kind: z.literal('h5p'),
  item_id: ItemId,
  /** The library activity from which it was chosen. */
  h5p_id: z.optional(Id),
  title: z.string(),
  package: z.object({
    id: Id,
    tree: Hash,
    bytes: Count,
    files: Count,
    ...z.pick(H5pManifest, { main_library: true, licence: true, authors: true, source: true }).shape,
  }),
  goal: z.enum(activityGoals),
  /** Percent of the maximum score, if the goal is `passed`. */
  pass_percent: Percent,
});
export type H5pBlock = z.infer<typeof H5pBlock>;

/**
 * A practice question in a topic. It does not count towards the result, so it comes with its answer and is marked on the device, also offline.
 * It may be unfinished while being written (`practiceProblem`); a true-or-false statement without a chosen answer has no key,
 * and its explanation is in `feedback`.
 */
export const QuestionBlock = z
  .object({ kind: z.literal('question'), question: Question, key: z.nullable(AnswerKey), feedback: z.optional(z.string()) })
  .check(
    z.refine(
      ({ question, key }) => (key === null ? question.kind === 'true_false' : key.kind === question.kind),
      'The answer to this question is of another kind than the question.',
    ),
  );
export type QuestionBlock = z.infer<typeof QuestionBlock>;

export const calloutTones = ['remember', 'danger', 'example'] as const;

export const Block = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), doc: RichNode }).check(wholeText),
  z.object({ kind: z.literal('callout'), tone: z.enum(calloutTones), title: z.string(), doc: RichNode }).check(wholeText),
  /** `decorative`: the author said that it needs no alternative text. Without it, an empty one is an omission. */
  z.object({ kind: z.literal('image'), media: Media, alt: z.string(), caption: z.string(), decorative: z.optional(z.boolean()) }),
  z.object({
    kind: z.literal('video'),
    media: Media,
    title: z.string(),
    poster: z.nullable(Media),
    transcript: z.string(),
    captions: z.array(z.object({ language: z.string(), label: z.string(), media: Media })),
  }),
  z.object({ kind: z.literal('audio'), media: Media, title: z.string(), transcript: z.string() }),
  z.object({ kind: z.literal('download'), media: Media, title: z.string() }),
  H5pBlock,
  QuestionBlock,
]);
export type Block = z.infer<typeof Block>;

/** One page of a lesson. `parent_id` is the topic of a child topic. */
export const Topic = z.object({
  id: Id,
  title: z.string(),
  hidden: z.boolean(),
  skippable: z.boolean(),
  is_child: z.boolean(),
  parent_id: z.nullable(Id),
  blocks: z.array(Block),
});
export type Topic = z.infer<typeof Topic>;

export const Lesson = z.object({ id: Id, title: z.string(), question_qty: Count, topics: z.array(Topic) });
export type Lesson = z.infer<typeof Lesson>;

export const Quiz = z.object({
  id: Id,
  title: z.string(),
  is_randomized: z.boolean(),
  /** Number of questions per try; 0 means all. */
  question_qty: Count,
  pass_percent: Percent,
  max_tries: Count,
  questions: z.array(Question),
});
export type Quiz = z.infer<typeof Quiz>;

/**
 * When a SCORM course is complete: its parts report it; every part was opened, for packages that report nothing; or the learner
 * confirms it at the end.
 */
export const completionRules = ['reported', 'opened', 'confirmed'] as const;
export const CompletionRule = z.enum(completionRules);
export type CompletionRule = z.infer<typeof CompletionRule>;

/** The package of a content. `tree` is its name on the content origin; sizes in bytes. Without a completion rule: `reported`. */
export const PackageRef = z.object({
  id: Id,
  tree: Hash,
  bytes: Count,
  files: Count,
  manifest: ScormManifest,
  completion: z.optional(CompletionRule),
});
export type PackageRef = z.infer<typeof PackageRef>;

/** One version of a course's e-learning content: everything a device needs to play it offline. */
export const ContentDocument = z.object({
  id: Id,
  version: Count,
  title: z.string(),
  type: z.enum(['elearning', 'scorm']),
  /** Of a SCORM course; replaces lessons and quizzes. */
  package: z.optional(PackageRef),
  course: z.object({ id: Id, title: z.string(), short_title: z.string() }),
  aims: z.string(),
  outcomes: z.array(z.string()),
  image: z.nullable(Media),
  /** The alternative text; absent if the picture is decorative. */
  image_alt: z.optional(z.string()),
  /** Minutes. */
  estimated_duration: Count,
  cpd_accredited: z.boolean(),
  /** Whether progress that arrives after the attempt was closed is still recorded. */
  accepts_late_progress: z.boolean(),
  lessons: z.array(Lesson),
  quizzes: z.array(Quiz),
  /** Lessons and quizzes that are optional; absent if all are required (`rules/completion.ts`). */
  uncounted: z.optional(z.array(Id)),
  /** For a content made in the content designer: its pages. Its lessons and quizzes say which of them are required. */
  design: z.optional(PlayedDesign),
  prerequisites: z.array(z.object({ prerequisite_contents: z.array(z.object({ id: Id, title: z.string(), met: z.boolean() })) })),
});
export type ContentDocument = z.infer<typeof ContentDocument>;
