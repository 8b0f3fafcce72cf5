import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { base64, fileSize } from '#contract/commands/evidence-commands.ts';
import { Choice, Day, Hash, NeededLine } from '#contract/entities/fields.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { isExpiryAfter } from '#contract/rules/result-dates.ts';

/** What a certificate from elsewhere may be: a picture, re-encoded on the device, or a PDF. */
export const submissionTypes = ['image/jpeg', 'application/pdf'] as const;

/** The details of training that somebody did elsewhere. Days as YYYY-MM-DD in the time zone of their organisation. */
const details = {
  course_id: Choice('Choose the course.'),
  completed_on: Day,
  /** The last day on which it is valid, if the certificate names one. */
  expires_on: z.nullable(Day),
  note: z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.')),
};
const expiryIsLater = z.refine<{ completed_on: string; expires_on: string | null }>((dates) => isExpiryAfter({ expiry: 'day', ...dates }), {
  error: 'This has to be later than the date of completion.',
  path: ['expires_on'],
});
const fields = {
  ...details,
  file: z.object(
    { name: NeededLine(200), type: z.enum(submissionTypes), bytes: fileSize, hash: Hash },
    'Add a photograph or the PDF of the certificate.',
  ),
};
/** The fields of the form. */
export const SubmissionFields = z.object(fields).check(expiryIsLater);
/**
 * Submits a certificate from elsewhere, for approval. On a device its bytes are part of the entry; over the network they are sent ahead in
 * pieces, and the command follows without them. Only a sealed copy contains both.
 */
export const AddSubmission = z.object({
  ...change,
  command: z.literal('submission.add'),
  args: z.object({ ...fields, data: z.optional(base64(evidenceLimits.bytes)) }).check(expiryIsLater),
});
export type AddSubmission = z.infer<typeof AddSubmission>;

/** Withdraws a submission on which nobody has decided yet. */
export const WithdrawSubmission = z.object({ ...change, command: z.literal('submission.withdraw'), args: z.object({}) });

export const SubmissionChange = z.discriminatedUnion('command', [AddSubmission, WithdrawSubmission]);
export type SubmissionChange = z.infer<typeof SubmissionChange>;

/** One piece of the file. Sending the same piece again is harmless. */
export const SubmissionPiece = z.object({ bytes: fileSize, data: base64(evidenceLimits.pieceBytes) });
