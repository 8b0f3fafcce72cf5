import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { AttemptChange } from '#contract/commands/attempt-commands.ts';
import { Attempt, QuizSubmission, SecondsByDevice, TopicState } from '#contract/entities/attempt.ts';
import { Refusal } from '#contract/entities/refusal.ts';
import { Answer } from '#contract/entities/content.ts';
import { Count, Id, Percent } from '#contract/entities/fields.ts';
import { packageWorkBodyBytes } from '#contract/entities/package-work.ts';

const byId = z.object({ id: Id });

export const listAttempts = endpoint({
  id: 'listAttempts',
  method: 'GET',
  path: '/users/{id}/attempts',
  summary: 'Lists a person’s attempts, newest first.',
  params: byId,
  query: z.object({ content_id: z.optional(Id) }),
  response: z.array(Attempt),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const createAttempt = endpoint({
  id: 'createAttempt',
  method: 'POST',
  path: '/users/{id}/attempts',
  summary: 'Starts an attempt, or returns the open one: starting twice creates only one.',
  params: byId,
  body: z.object({ content_id: Id }),
  response: Attempt,
  status: 201,
  errors: ['invalid_input', 'not_found', 'prerequisite_missing', 'unauthenticated'],
  access: 'signed-in',
  offline: 'queue',
});
export const retakeAttempt = endpoint({
  id: 'retakeAttempt',
  method: 'POST',
  path: '/retake_attempt/{id}',
  summary: 'Closes an attempt and starts a new try at the same content.',
  params: byId,
  response: Attempt,
  status: 201,
  errors: ['not_found', 'attempt_closed', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const currentAttempt = endpoint({
  id: 'currentAttempt',
  method: 'GET',
  path: '/attempts/current-attempt',
  summary: 'Returns the open attempt that the signed-in person worked on last, or null.',
  response: z.nullable(Attempt),
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});
export const getAttempt = endpoint({
  id: 'getAttempt',
  method: 'GET',
  path: '/attempts/{id}',
  summary: 'Returns an attempt with its progress, answers, submissions and result. `rev` is also the ETag.',
  params: byId,
  response: Attempt,
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'cached',
});

/** A single step, as in the specification, not queued. */
const PlainStep = z.object({
  topic_id: Id,
  state: TopicState,
  percent: z.optional(Percent),
  seconds: z.optional(SecondsByDevice),
  base_rev: z.optional(Count),
});
export const updateAttempt = endpoint({
  id: 'updateAttempt',
  method: 'PATCH',
  path: '/attempts/{id}',
  bodyLimitBytes: packageWorkBodyBytes,
  summary:
    'Applies changes to an attempt: a single step, or (our addition) `changes`, everything a device has queued for this attempt, in order. Each change is applied exactly once, even if requests are lost or repeated; `meta.outcomes` gives the outcome of each. Stops at the first conflict and returns it.',
  params: byId,
  body: z.union([z.object({ changes: z.array(AttemptChange).check(z.minLength(1), z.maxLength(500)) }), PlainStep]),
  response: Attempt,
  errors: [
    'invalid_input',
    'not_found',
    'attempt_closed',
    'begun_after',
    'quiz_try_taken',
    'no_tries_left',
    'prerequisite_missing',
    'resume_elsewhere',
    'rev_mismatch',
    'idempotency_mismatch',
    'actor_mismatch',
    'unauthenticated',
    'csrf_mismatch',
  ],
  access: 'signed-in',
  offline: 'queue',
});
export const deleteAttempt = endpoint({
  id: 'deleteAttempt',
  method: 'DELETE',
  path: '/attempts/{id}',
  summary: 'Deletes an attempt that has no result.',
  params: byId,
  status: 204,
  errors: ['not_found', 'forbidden', 'attempt_closed', 'unauthenticated'],
  access: ['event.delete'],
  offline: 'online-only',
});
export const takeQuiz = endpoint({
  id: 'takeQuiz',
  method: 'POST',
  path: '/quizzes/take',
  summary: 'Submits a quiz and marks it. An offline device queues the same submission as a change of the attempt.',
  body: z.object({ attempt_id: Id, quiz_id: Id, try_no: Count, answers: z.record(Id, Answer) }),
  response: QuizSubmission,
  errors: ['invalid_input', 'not_found', 'attempt_closed', 'quiz_try_taken', 'no_tries_left', 'unauthenticated'],
  access: 'signed-in',
  offline: 'queue',
});
export const listRefusals = endpoint({
  id: 'listRefusals',
  method: 'GET',
  path: '/users/{id}/refusals',
  ours: true,
  summary: 'Lists a person’s changes that the server could not accept, with payload, reason and time.',
  params: byId,
  response: z.array(Refusal),
  errors: ['not_found', 'unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});

export const attemptEndpoints = [
  listAttempts,
  createAttempt,
  retakeAttempt,
  currentAttempt,
  getAttempt,
  updateAttempt,
  deleteAttempt,
  takeQuiz,
  listRefusals,
] as const;
