import * as z from 'zod/mini';
import { Count, Hash, Id, Instant } from '#contract/entities/fields.ts';
import { evidenceLimits, type EvidenceType, evidenceTypes } from '#contract/evidence-kinds.ts';

/**
 * A file attached to a record. `hash` is the SHA-256 of its bytes as they leave the device, so a signature on the record covers
 * the files. `people`: nobody is recognisable, people were made unrecognisable, or they are shown with their agreement (`consent`
 * says how it was given).
 */
export const EvidenceNote = z.object({
  id: Id,
  type: z.enum(Object.keys(evidenceTypes) as [EvidenceType, ...EvidenceType[]]),
  name: z.string().check(z.trim(), z.maxLength(200)),
  bytes: z.int().check(z.gte(1), z.lte(evidenceLimits.bytes)),
  hash: Hash,
  people: z.enum(['nobody', 'hidden', 'agreed'], 'Say whether anyone can be recognised.'),
  consent: z.string().check(z.trim(), z.maxLength(500)),
});
export type EvidenceNote = z.infer<typeof EvidenceNote>;

/** Upload state of a file. `fit`: whether it can be opened as its declared type; null until it is complete. */
export const EvidenceFile = z.object({
  id: Id,
  certificate_id: Id,
  bytes: Count,
  /** Indexes of the missing pieces, from 0. */
  missing: z.array(Count),
  received_at: z.nullable(Instant),
  fit: z.nullable(z.boolean()),
});
export type EvidenceFile = z.infer<typeof EvidenceFile>;
