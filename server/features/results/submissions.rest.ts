import type { submissionEndpoints } from '#contract/api/submissions.ts';
import { submissionQueued } from '#server/features/results/queued.ts';
import { submissionsOf } from '#server/features/results/submissions.service.ts';
import { requireActor } from '#server/http/queued-request.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import { receive } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

export const submissionHandlers = (services: Services): HandlersOf<typeof submissionEndpoints> => {
  const submissions = submissionsOf(services);
  const take = submissionQueued(services);
  return {
    submissionCourses: async ({ actor }) => ({ data: await submissions.courses(actor) }),
    addSubmissionPiece: async ({ params, body, actor, request }) => {
      requireActor(request, actor);
      return { data: await submissions.keepPiece(actor, params.id, params.piece, body) };
    },
    updateSubmission: ({ params, body, actor, request, reply }) =>
      receive(services, { actor, request, reply }, body.changes, () => take(actor, params.id, body.changes)),
  };
};
