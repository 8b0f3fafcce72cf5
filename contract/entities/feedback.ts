import * as z from 'zod/mini';
import { TitleRef } from '#contract/entities/authored-parts.ts';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** What learners say of a content to those who make it. Ours, except the rating and its words. */

/** From so many people on, an average is shown, and nothing of one person; below it only how many there are. */
export const fewestForAverage = 5;
/** So many months of ratings are shown. */
export const ratingMonths = 12;

const feedbackKinds = ['rating', 'question', 'problem'] as const;
export const FeedbackKind = z.enum(feedbackKinds);
export type FeedbackKind = z.infer<typeof FeedbackKind>;

/** What can be wrong with a page. */
export const problemKinds = ['text', 'outdated', 'broken', 'hard', 'other'] as const;
export const ProblemKind = z.enum(problemKinds);
export type ProblemKind = z.infer<typeof ProblemKind>;

/** How it stands. `received`: a rating, which waits for nothing; `open` and `looked_at` wait for the author. */
const feedbackStates = ['received', 'open', 'looked_at', 'answered', 'closed', 'mended', 'no_fault'] as const;
export const FeedbackState = z.enum(feedbackStates);
export type FeedbackState = z.infer<typeof FeedbackState>;
/** What an author can make of each kind. */
export const answerStates = {
  rating: ['answered'],
  question: ['answered', 'closed'],
  problem: ['looked_at', 'mended', 'no_fault'],
} as const satisfies Record<FeedbackKind, readonly FeedbackState[]>;
/** Where the person has to be told something in words. */
export const needsWords = (state: FeedbackState): boolean => state !== 'looked_at' && state !== 'mended';

const words = z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.'));
export const FeedbackWords = words;
export const NeededFeedbackWords = words.check(z.minLength(1, 'Write a few words.'));
const ratingWords = 'Choose a rating from 1 to 5.';
export const RatingStars = z.int(ratingWords).check(z.gte(1, ratingWords), z.lte(5, ratingWords));

/**
 * Where in a content it was: the topic, quiz, designed page or item of a package, and in it the question or activity. As it was called
 * in that version.
 */
export const FeedbackPlace = z.object({
  lesson: z.nullable(z.string()),
  part: z.nullable(z.object({ kind: z.enum(['topic', 'quiz', 'page', 'item']), id: z.string(), title: z.string() })),
  item: z.nullable(z.object({ kind: z.enum(['question', 'activity']), id: z.string(), title: z.string() })),
});
export type FeedbackPlace = z.infer<typeof FeedbackPlace>;

export const FeedbackAnswer = z.object({
  id: Id,
  by: z.nullable(Ref),
  state: FeedbackState,
  message: z.string(),
  /** The version in which a fault was mended. */
  mended_in: z.nullable(Count),
  at: Instant,
});
export type FeedbackAnswer = z.infer<typeof FeedbackAnswer>;

/** What one person said of a content, as they see it. `id` is that of the change that created it; `at`: when it was written. */
export const OwnFeedback = z.object({
  id: Id,
  content_id: Id,
  kind: FeedbackKind,
  rating: z.nullable(Count),
  what: z.nullable(ProblemKind),
  message: z.string(),
  place: z.nullable(FeedbackPlace),
  /** The version that it is about; null where that was not recorded. */
  version: z.nullable(Count),
  at: Instant,
  received_at: Instant,
  state: FeedbackState,
  answers: z.array(FeedbackAnswer),
});
export type OwnFeedback = z.infer<typeof OwnFeedback>;

/** The same as those who make the content see it. `rev` counts the answers. */
export const FeedbackLine = z.object({
  ...OwnFeedback.shape,
  person: Ref,
  content: z.object({ ...TitleRef.shape, type: z.string(), designed: z.boolean(), version: Count, editable: z.boolean() }),
  course: TitleRef,
  rev: Count,
});
export type FeedbackLine = z.infer<typeof FeedbackLine>;

/** Questions and problems that wait for an author. */
export const OpenFeedback = z.object({ question: Count, problem: Count });

/** How contents are rated, by the newest rating of each person; an average is null below the fewest for one. */
export const FeedbackSummary = z.object({
  /** What was asked for, where the caller may see it. */
  content: z.nullable(TitleRef),
  course: z.nullable(TitleRef),
  people: Count,
  average: z.nullable(z.number()),
  /** How many gave one star, two … five; null below the fewest for an average. */
  stars: z.nullable(z.array(Count)),
  months: z.array(z.object({ month: z.string(), people: Count, average: z.nullable(z.number()) })),
  open: OpenFeedback,
});
export type FeedbackSummary = z.infer<typeof FeedbackSummary>;
