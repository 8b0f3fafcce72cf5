import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { ContentFeedbackChange } from '#contract/commands/feedback-commands.ts';
import {
  FeedbackKind,
  FeedbackLine,
  FeedbackState,
  FeedbackSummary,
  FeedbackWords,
  needsWords,
  OwnFeedback,
  RatingStars,
} from '#contract/entities/feedback.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** Learners' feedback on contents, and the authors' answers. The specification has the rating; the rest is ours. */
const byId = z.object({ id: Id });
const queuedErrors = ['invalid_input', 'not_found', 'idempotency_mismatch', 'actor_mismatch', 'unauthenticated', 'csrf_mismatch'] as const;

export const sendFeedback = endpoint({
  id: 'sendFeedback',
  method: 'POST',
  path: '/feedback/{id}',
  summary: 'Sends a learner’s rating (1 to 5) and comments on a content, once per Idempotency-Key.',
  params: byId,
  body: z.object({ rating: RatingStars, message: z._default(FeedbackWords, '') }),
  response: z.object({ message: z.string() }),
  status: 201,
  errors: queuedErrors,
  access: 'signed-in',
  offline: 'queue',
});
export const giveFeedback = endpoint({
  id: 'giveFeedback',
  method: 'PATCH',
  path: '/content/{id}/feedback',
  ours: true,
  summary:
    'Takes a learner’s rating, question or report of a problem with a content, exactly once. It is accepted also where the content was withdrawn meanwhile, with the version that it is about.',
  params: byId,
  body: z.object({ changes: z.array(ContentFeedbackChange).check(z.length(1)) }),
  response: OwnFeedback,
  errors: queuedErrors,
  access: 'signed-in',
  offline: 'queue',
});
export const ownFeedback = endpoint({
  id: 'ownFeedback',
  method: 'GET',
  path: '/content/{id}/feedback',
  ours: true,
  summary: 'Lists the caller’s feedback on a content, newest first, with the answers.',
  params: byId,
  response: z.array(OwnFeedback),
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});

const contentQuery = { content_id: z.optional(Id), course_id: z.optional(Id) };
const toAuthors = {
  errors: ['invalid_input', 'forbidden', 'unauthenticated'],
  access: ['content.creator', 'content.update'],
  offline: 'online-only',
} as const;
export const listFeedback = endpoint({
  ...{ id: 'listFeedback', method: 'GET', path: '/learner-feedback', ours: true, ...toAuthors },
  summary:
    'Lists the comments, questions and reports of people of the caller’s organisation and of those below it: what is open first, then the newest. A rating without words is only counted.',
  query: z.object({
    ...{ ...pageQuery, ...contentQuery },
    filter: z.optional(z.enum(['open', 'answered', 'unanswered'])),
    kind: z.optional(FeedbackKind),
    rating: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(5))),
  }),
  response: z.array(FeedbackLine),
});
export const feedbackSummary = endpoint({
  ...{ id: 'feedbackSummary', method: 'GET', path: '/learner-feedback/summary', ours: true, ...toAuthors },
  summary:
    'Says how contents are rated by people of the caller’s organisation and of those below it, month by month, and how much is open. Below five people there is no average.',
  query: z.object(contentQuery),
  response: FeedbackSummary,
});
export const answerFeedback = endpoint({
  id: 'answerFeedback',
  method: 'POST',
  path: '/learner-feedback/{id}/answers',
  ours: true,
  summary:
    'Answers a comment or question, closes a question with a reason, or says how a reported problem stands. What is said is also sent to the person as a message. If `rev` is not the number of answers so far, answers 409 with `current`.',
  params: byId,
  body: z
    .object({ state: FeedbackState, message: FeedbackWords, mended_in: z.nullable(Count), rev: Count })
    .check(z.refine(({ state, message }) => message !== '' || !needsWords(state), { error: 'Write a few words.', path: ['message'] })),
  response: FeedbackLine,
  status: 201,
  errors: ['rev_mismatch', 'invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  access: ['content.update'],
  offline: 'online-only',
});

export const feedbackEndpoints = [sendFeedback, giveFeedback, ownFeedback, listFeedback, feedbackSummary, answerFeedback] as const;
