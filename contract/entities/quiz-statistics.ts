import * as z from 'zod/mini';
import { TitleRef } from '#contract/entities/authored-parts.ts';
import { questionKinds } from '#contract/entities/authored-question.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** How questions were answered at the first try of each attempt. Ours; anonymous. */

/** The fewest answers with which a share is meaningful and reveals nothing about one person; below it only numbers are shown. */
export const fewestForPercent = 5;
/** How many different wrong answers are listed. */
export const mostWrongAnswers = 8;

/** A wrong answer, in words, and how often it was given. */
const WrongAnswer = z.object({ words: z.string(), count: Count });
export const QuestionStatistics = z.object({
  question_id: Id,
  kind: z.enum(questionKinds),
  prompt: z.string(),
  asked: Count,
  right: Count,
  /** Asked, but not answered. */
  skipped: Count,
  /** Most frequent first. None for free text: it is people’s own words. */
  instead: z.array(WrongAnswer),
});
export type QuestionStatistics = z.infer<typeof QuestionStatistics>;
export const QuizStatistics = z.object({
  /** First tries that were submitted, and those that passed. */
  tries: Count,
  passed: Count,
  questions: z.array(QuestionStatistics),
  /** All versions of contents in which the quiz was taken, regardless of the filter. */
  versions: z.array(z.object({ content: TitleRef, version: Count, tries: Count })),
});
export type QuizStatistics = z.infer<typeof QuizStatistics>;
