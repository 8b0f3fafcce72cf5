import type { evaluationEndpoints } from '#contract/api/evaluations.ts';
import { evaluationsOf, takeEvaluation } from '#server/features/training-sessions/evaluations.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const evaluationHandlers = (services: Services): HandlersOf<typeof evaluationEndpoints> => {
  const { db, now } = services;
  const evaluations = evaluationsOf(services);
  return {
    evaluateSession: ({ params, body, actor, request, reply }) =>
      receive(services, { actor, request, reply }, body.changes, () => takeEvaluation(db, actor, params.id, body.changes, now())),
    sessionEvaluation: async ({ params, actor }) => ({ data: await evaluations.ofSession(actor, params.id) }),
    trainerEvaluation: async ({ params, actor }) => ({ data: await evaluations.ofTrainer(actor, params.trainer) }),
  };
};
