import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { partsOf } from '#contract/commands/evidence-commands.ts';
import { SubmissionChange, SubmissionPiece } from '#contract/commands/submission-commands.ts';
import { Id } from '#contract/entities/fields.ts';
import { Submission } from '#contract/entities/submission.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';

/** Certificates from elsewhere that people submit for themselves, to be approved. The specification has pending results; the calls are ours. */
const queued = { ours: true, access: 'signed-in', offline: 'queue' } as const;

export const submissionCourses = endpoint({
  ...{ id: 'submissionCourses', method: 'GET', path: '/submissions/courses', ours: true, access: 'signed-in', offline: 'cached' },
  ...{ response: z.array(z.object({ id: Id, title: z.string() })), errors: ['unauthenticated'] },
  summary: 'Lists the courses of the caller’s organisation for which they can submit a certificate from elsewhere, by title.',
});
export const addSubmissionPiece = endpoint({
  ...{ id: 'addSubmissionPiece', method: 'POST', path: '/submissions/{id}/pieces/{piece}', ...queued },
  params: z.object({ id: Id, piece: z.coerce.number().check(z.int(), z.gte(0), z.lte(partsOf(evidenceLimits.bytes) - 1)) }),
  ...{ body: SubmissionPiece, response: Submission, errors: ['invalid_input', 'not_found', 'unauthenticated', 'csrf_mismatch'] },
  summary: 'Uploads a chunk of the file of a certificate from elsewhere, in any order and any number of times.',
});
export const updateSubmission = endpoint({
  ...{ id: 'updateSubmission', method: 'PATCH', path: '/submissions/{id}', ...queued },
  ...{ params: z.object({ id: Id }), body: z.object({ changes: z.array(SubmissionChange).check(z.length(1)) }), response: Submission },
  errors: [
    ...(['invalid_input', 'not_found', 'unsupported_media', 'idempotency_mismatch', 'already_decided'] as const),
    ...(['actor_mismatch', 'unauthenticated', 'csrf_mismatch'] as const),
  ],
  summary:
    'Submits a certificate from elsewhere for the caller, once all chunks of its file have been uploaded, exactly once: it becomes a pending historical result with the same id. If chunks are missing, the response lists them and contains no outcome. Or withdraws it, while nobody has decided on it.',
});

export const submissionEndpoints = [submissionCourses, addSubmissionPiece, updateSubmission] as const;
