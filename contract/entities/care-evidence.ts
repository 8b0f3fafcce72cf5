import * as z from 'zod/mini';
import { Count, Hash, Id, Instant } from '#contract/entities/fields.ts';
import { evidenceLimits, type EvidenceType, evidenceTypes } from '#contract/evidence-kinds.ts';

/**
 * A file that belongs to a record, as the record names it. `hash` is that of its bytes as they leave the device (SHA-256), so a
 * signature under the record holds the files, too. `people`: whether somebody can be recognised in it: nobody, made
 * unrecognisable, or shown with their agreement (then `consent` says how it was given).
 */
export const EvidenceNote = z.object({
  id: Id,
  type: z.enum(Object.keys(evidenceTypes) as [EvidenceType, ...EvidenceType[]]),
  name: z.string().check(z.trim(), z.maxLength(200)),
  bytes: z.int().check(z.gte(1), z.lte(evidenceLimits.bytes)),
  hash: Hash,
  people: z.enum(['nobody', 'hidden', 'agreed']),
  consent: z.string().check(z.trim(), z.maxLength(500)),
});
export type EvidenceNote = z.infer<typeof EvidenceNote>;

/** How much of a file the server has. `fit`: whether it can be opened as what it says it is; null until all of it is there. */
export const EvidenceFile = z.object({
  id: Id,
  certificate_id: Id,
  bytes: Count,
  /** The pieces that are not there yet, from 0. */
  missing: z.array(Count),
  received_at: z.nullable(Instant),
  fit: z.nullable(z.boolean()),
});
export type EvidenceFile = z.infer<typeof EvidenceFile>;
