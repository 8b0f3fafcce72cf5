import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { Count } from '#contract/entities/fields.ts';
import { EvaluationFields } from '#contract/entities/evaluation.ts';
import { FeedbackWords, NeededFeedbackWords, problemKinds, RatingStars } from '#contract/entities/feedback.ts';

/** What a learner may queue about a content or a training session. Feedback on a content is only ever added; `version` is the one they saw. */
export const RatingFields = z.object({ rating: RatingStars, message: FeedbackWords });
export const QuestionFields = z.object({ message: NeededFeedbackWords });
export const ProblemFields = z.object({ what: z.enum(problemKinds, 'Choose what is wrong.'), message: FeedbackWords });

const version = { version: Count };
const name = z.nullable(z.string().check(z.maxLength(300)));
export const RateContent = z.object({ ...change, command: z.literal('feedback.rate'), args: z.object({ ...RatingFields.shape, ...version }) });
export const AskAboutContent = z.object({ ...change, command: z.literal('feedback.ask'), args: z.object({ ...QuestionFields.shape, ...version }) });
/** `part`: the topic, quiz, page or item; `item`: the question or activity in it; by their ids in the document. */
export const ReportProblem = z.object({
  ...change,
  command: z.literal('feedback.report'),
  args: z.object({ ...ProblemFields.shape, ...version, part: name, item: name }),
});

/** Feedback on a content. */
export const ContentFeedbackChange = z.discriminatedUnion('command', [RateContent, AskAboutContent, ReportProblem]);
export type ContentFeedbackChange = z.infer<typeof ContentFeedbackChange>;
/** An evaluation of a training session, by the person's place on it: it replaces the earlier one. */
export const EvaluateSession = z.object({ ...change, command: z.literal('feedback.evaluate'), args: EvaluationFields });
export type EvaluateSession = z.infer<typeof EvaluateSession>;
export const FeedbackChange = z.discriminatedUnion('command', [RateContent, AskAboutContent, ReportProblem, EvaluateSession]);
export type FeedbackChange = z.infer<typeof FeedbackChange>;
