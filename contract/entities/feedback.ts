import * as z from 'zod/mini';
import { TitleRef } from '#contract/entities/authored-parts.ts';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** Learners' feedback on a content, for its authors. Ours, except the rating and its words. */

/** The fewest people with whom an average is shown, so that no single rating is revealed; below it only their number. */
export const fewestForAverage = 5;
/** For how many months ratings are shown. */
export const ratingMonths = 12;

const feedbackKinds = ['rating', 'question', 'problem'] as const;
export const FeedbackKind = z.enum(feedbackKinds);
export type FeedbackKind = z.infer<typeof FeedbackKind>;

/** The kinds of problems of a page. */
export const problemKinds = ['text', 'outdated', 'broken', 'hard', 'other'] as const;
export const ProblemKind = z.enum(problemKinds);
export type ProblemKind = z.infer<typeof ProblemKind>;

/** The state of feedback. `received`: a rating, which needs no answer; `open` and `looked_at` wait for the author. */
const feedbackStates = ['received', 'open', 'looked_at', 'answered', 'closed', 'mended', 'no_fault'] as const;
export const FeedbackState = z.enum(feedbackStates);
export type FeedbackState = z.infer<typeof FeedbackState>;
/** The states that an author can set for each kind. */
export const answerStates = {
  rating: ['answered'],
  question: ['answered', 'closed'],
  problem: ['looked_at', 'mended', 'no_fault'],
} as const satisfies Record<FeedbackKind, readonly FeedbackState[]>;
/** States that need a message to the person. */
export const needsWords = (state: FeedbackState): boolean => state !== 'looked_at' && state !== 'mended';

const words = z.string().check(z.trim(), z.maxLength(2000, 'Use no more than 2,000 characters.'));
export const FeedbackWords = words;
export const NeededFeedbackWords = words.check(z.minLength(1, 'Write a few words.'));
const ratingWords = 'Choose a rating from 1 to 5.';
export const RatingStars = z.int(ratingWords).check(z.gte(1, ratingWords), z.lte(5, ratingWords));

/**
 * A place in a content: the topic, quiz, designed page or item of a package, and in it the question or activity, with the titles of that
 * version.
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
  /** The version in which a problem was fixed. */
  mended_in: z.nullable(Count),
  at: Instant,
});
export type FeedbackAnswer = z.infer<typeof FeedbackAnswer>;

/** One person's feedback on a content, as they see it. `id` is that of the change that created it; `at`: when it was written. */
export const OwnFeedback = z.object({
  id: Id,
  content_id: Id,
  kind: FeedbackKind,
  rating: z.nullable(Count),
  what: z.nullable(ProblemKind),
  message: z.string(),
  place: z.nullable(FeedbackPlace),
  /** The version concerned; null if it was not recorded. */
  version: z.nullable(Count),
  at: Instant,
  received_at: Instant,
  state: FeedbackState,
  answers: z.array(FeedbackAnswer),
});
export type OwnFeedback = z.infer<typeof OwnFeedback>;

/** The same as the authors see it. `rev` counts the answers. */
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

/** The ratings of contents, by each person's newest rating; an average is null below the minimum number of people. */
export const FeedbackSummary = z.object({
  /** The content of the filter, if the caller may see it. */
  content: z.nullable(TitleRef),
  course: z.nullable(TitleRef),
  people: Count,
  average: z.nullable(z.number()),
  /** The number of ratings with one star, two … five; null below the minimum. */
  stars: z.nullable(z.array(Count)),
  months: z.array(z.object({ month: z.string(), people: Count, average: z.nullable(z.number()) })),
  open: OpenFeedback,
});
export type FeedbackSummary = z.infer<typeof FeedbackSummary>;
