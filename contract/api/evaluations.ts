import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { seesSessions } from '#contract/api/training-sessions.ts';
import { EvaluateSession } from '#contract/commands/feedback-commands.ts';
import { Evaluated, evaluationDays, fewestAnswers, OwnEvaluation, TrainerEvaluation } from '#contract/entities/evaluation.ts';
import { Id } from '#contract/entities/fields.ts';

/** How people found a training session: given by those who attended, read without names. The calls are ours. */
const reads = { method: 'GET', ours: true, offline: 'online-only', errors: ['not_found', 'forbidden', 'unauthenticated'] } as const;

export const evaluateSession = endpoint({
  ...{ id: 'evaluateSession', method: 'PATCH', path: '/bookings/own/{id}/evaluation', ours: true, access: ['booking.own'], offline: 'queue' },
  ...{ params: z.object({ id: Id }), body: z.object({ changes: z.array(EvaluateSession).check(z.length(1)) }), response: OwnEvaluation },
  errors: [
    'invalid_input',
    'not_found',
    'forbidden',
    'evaluation_closed',
    'idempotency_mismatch',
    'actor_mismatch',
    'unauthenticated',
    'csrf_mismatch',
  ],
  summary: `Records an evaluation of the course and the trainer by somebody who attended a training session, exactly once. It replaces their earlier one, until ${evaluationDays} days after the register was finished.`,
});
export const sessionEvaluation = endpoint({
  ...{ ...reads, id: 'sessionEvaluation', path: '/training-sessions/{id}/evaluation', access: seesSessions },
  ...{ params: z.object({ id: Id }), response: Evaluated },
  summary: `Returns the evaluations of a session, to its trainer and to the office. Averages and comments, without names, from ${fewestAnswers} answers on.`,
});
export const trainerEvaluation = endpoint({
  ...{ ...reads, id: 'trainerEvaluation', path: '/trainers/{trainer}/evaluation', access: ['trainer.create', ...seesSessions] },
  ...{ params: z.object({ trainer: Id }), response: TrainerEvaluation },
  summary: `Returns the evaluations of a trainer’s sessions, in total and by course, to the trainer and to the office. Averages from ${fewestAnswers} answers on; comments, without names, of sessions with ${fewestAnswers} answers.`,
});
export const evaluationEndpoints = [evaluateSession, sessionEvaluation, trainerEvaluation] as const;
