import * as z from 'zod/mini';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { FeedbackWords, RatingStars } from '#contract/entities/feedback.ts';

/** Evaluations of a training session, its course and its trainer by those who attended. Ours. */

/** For how many days after the register was finished an evaluation can be given and changed. */
export const evaluationDays = 14;
/** The fewest answers with which averages and comments are shown; below it only their number. The database has the same number (migration 0095). */
export const fewestAnswers = 3;

export const EvaluationFields = z
  .object({ course_rating: z.nullable(RatingStars), trainer_rating: z.nullable(RatingStars), message: FeedbackWords })
  .check(
    z.refine(({ course_rating, trainer_rating, message }) => course_rating !== null || trainer_rating !== null || message !== '', {
      error: 'Give a rating, or write a few words.',
      path: ['course_rating'],
    }),
  );

/** An evaluation as its author sees it. `id` is that of their place on the session. */
export const OwnEvaluation = z.object({
  ...{ id: Id, course: Ref, course_rating: z.nullable(Count), trainer_rating: z.nullable(Count), message: z.string() },
  ...{ at: Instant, received_at: Instant },
});
export type OwnEvaluation = z.infer<typeof OwnEvaluation>;
/** Until when somebody who attended can give an evaluation, and the one they gave. */
export const EvaluationAsked = z.object({ until: Instant, given: z.nullable(OwnEvaluation) });

/** A session that somebody attended and has not evaluated yet, with the deadline. `id` is that of their place on it. */
export const OpenEvaluation = z.object({ id: Id, course: z.string(), until: Instant });
export type OpenEvaluation = z.infer<typeof OpenEvaluation>;

/** How many attended, how many of them answered, and the averages; null if too few answered. */
const evaluated = { asked: Count, answered: Count, course: z.nullable(z.number()), trainer: z.nullable(z.number()) };
export const Evaluated = z.object({ ...evaluated, comments: z.array(z.string()) });
export type Evaluated = z.infer<typeof Evaluated>;
/** For the sessions of a trainer, in total and by course. */
export const TrainerEvaluation = z.object({ ...Evaluated.shape, courses: z.array(z.object({ ...evaluated, id: Id, name: z.string() })) });
export type TrainerEvaluation = z.infer<typeof TrainerEvaluation>;
