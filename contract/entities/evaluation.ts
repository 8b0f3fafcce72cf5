import * as z from 'zod/mini';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { FeedbackWords, RatingStars } from '#contract/entities/feedback.ts';

/** What those who were at a training session say of its course and its trainer. Ours. */

/** So many days after the register was finished it can be said, and changed. */
export const evaluationDays = 14;
/** From so many answers on, averages and comments are shown; below it only how many answered. The database holds the same number (migration 0095). */
export const fewestAnswers = 3;

export const EvaluationFields = z
  .object({ course_rating: z.nullable(RatingStars), trainer_rating: z.nullable(RatingStars), message: FeedbackWords })
  .check(
    z.refine(({ course_rating, trainer_rating, message }) => course_rating !== null || trainer_rating !== null || message !== '', {
      error: 'Give a rating, or write a few words.',
      path: ['course_rating'],
    }),
  );

/** What somebody said, as they see it. `id` is that of their place on the session. */
export const OwnEvaluation = z.object({
  ...{ id: Id, course: Ref, course_rating: z.nullable(Count), trainer_rating: z.nullable(Count), message: z.string() },
  ...{ at: Instant, received_at: Instant },
});
export type OwnEvaluation = z.infer<typeof OwnEvaluation>;
/** Until when somebody who attended can give an evaluation, and the one they gave. */
export const EvaluationAsked = z.object({ until: Instant, given: z.nullable(OwnEvaluation) });

/** A session that somebody was at and has said nothing of yet. `id` is that of their place on it; until when they can say it. */
export const OpenEvaluation = z.object({ id: Id, course: z.string(), until: Instant });
export type OpenEvaluation = z.infer<typeof OpenEvaluation>;

/** How many were there, how many of them answered, and the averages; null where too few rated. */
const evaluated = { asked: Count, answered: Count, course: z.nullable(z.number()), trainer: z.nullable(z.number()) };
export const Evaluated = z.object({ ...evaluated, comments: z.array(z.string()) });
export type Evaluated = z.infer<typeof Evaluated>;
/** Of the sessions that a trainer gave, in all and by course. */
export const TrainerEvaluation = z.object({ ...Evaluated.shape, courses: z.array(z.object({ ...evaluated, id: Id, name: z.string() })) });
export type TrainerEvaluation = z.infer<typeof TrainerEvaluation>;
