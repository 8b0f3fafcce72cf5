import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { Hash, Id } from '#contract/entities/fields.ts';

/** Bytes as they travel: at most so many. */
export const base64 = (bytes: number) =>
  z.string().check(z.minLength(4), z.maxLength(Math.ceil(bytes / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'This is not valid base64.'));
/** The size of a file that travels in pieces. */
export const fileSize = z.int().check(z.gte(1), z.lte(evidenceLimits.bytes, 'This file is too large.'));

/** How many pieces a file of so many bytes travels in. */
export const partsOf = (bytes: number): number => Math.ceil(bytes / evidenceLimits.pieceBytes);

/**
 * A file that belongs to a record of this certificate. On a device its bytes are part of the entry; on the line they go ahead in
 * pieces, and the command follows without them. Only a sealed copy brings both at once.
 */
export const AddEvidence = z.object({
  ...change,
  command: z.literal('evidence.add'),
  args: z.object({ certificate_id: Id, bytes: fileSize, hash: Hash, data: z.optional(base64(evidenceLimits.bytes)) }),
});
export type AddEvidence = z.infer<typeof AddEvidence>;

/** One piece of such a file. The same piece may come any number of times. */
export const EvidencePiece = z.object({ certificate_id: Id, bytes: fileSize, data: base64(evidenceLimits.pieceBytes) });
