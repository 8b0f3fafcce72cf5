import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { Hash, Id } from '#contract/entities/fields.ts';

/** Bytes in base64, with a maximum size. */
export const base64 = (bytes: number) =>
  z.string().check(z.minLength(4), z.maxLength(Math.ceil(bytes / 3) * 4), z.regex(/^[A-Za-z0-9+/]+={0,2}$/, 'This is not valid base64.'));
/** The size of a file that is uploaded in pieces. */
export const fileSize = z.int().check(z.gte(1), z.lte(evidenceLimits.bytes, 'This file is too large.'));

/** The number of pieces of a file of this size. */
export const partsOf = (bytes: number): number => Math.ceil(bytes / evidenceLimits.pieceBytes);

/**
 * A file that belongs to a record of this certificate. On a device its bytes are part of the entry; over the network they are sent ahead in
 * pieces, and the command follows without them. Only a sealed copy contains both.
 */
export const AddEvidence = z.object({
  ...change,
  command: z.literal('evidence.add'),
  args: z.object({ certificate_id: Id, bytes: fileSize, hash: Hash, data: z.optional(base64(evidenceLimits.bytes)) }),
});
export type AddEvidence = z.infer<typeof AddEvidence>;

/** One piece of such a file. Sending the same piece again is harmless. */
export const EvidencePiece = z.object({ certificate_id: Id, bytes: fileSize, data: base64(evidenceLimits.pieceBytes) });
