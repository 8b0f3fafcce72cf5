import * as z from 'zod/mini';
import { TitleRef } from '#contract/entities/authored-parts.ts';
import { questionKinds } from '#contract/entities/authored-question.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** How questions were answered at the first try of each attempt. Ours; nobody is named. */

/** From so many answers on a share says something, and nothing of one person; below it only the numbers are shown. */
export const fewestForPercent = 5;
/** So many of the answers that were not right are told apart. */
export const mostWrongAnswers = 8;

/** What was answered instead of what is right, in words; how often. */
const WrongAnswer = z.object({ words: z.string(), count: Count });
export const QuestionStatistics = z.object({
  question_id: Id,
  kind: z.enum(questionKinds),
  prompt: z.string(),
  asked: Count,
  right: Count,
  /** Without an answer, of those who were asked. */
  skipped: Count,
  /** The most frequent first. Of written answers none: they are people’s own words. */
  instead: z.array(WrongAnswer),
});
export type QuestionStatistics = z.infer<typeof QuestionStatistics>;
export const QuizStatistics = z.object({
  /** First tries that were handed in, and those that passed. */
  tries: Count,
  passed: Count,
  questions: z.array(QuestionStatistics),
  /** The versions of contents in which the quiz was taken, whatever the choice. */
  versions: z.array(z.object({ content: TitleRef, version: Count, tries: Count })),
});
export type QuizStatistics = z.infer<typeof QuizStatistics>;
