import type { SubmissionChange } from '#contract/commands/submission-commands.ts';
import { submissionsOf } from '#server/features/results/submissions.service.ts';
import type { Queued } from '#server/ledger/kinds.ts';
import type { Services } from '#server/services.ts';

/** One change at a time: a file comes with it. */
export const submissionQueued =
  (services: Services): Queued<'submission'> =>
  (actor, id, [change]) =>
    submissionsOf(services).take(actor, id, change as SubmissionChange);
