import * as z from 'zod/mini';
import { CertificateRow } from '#contract/entities/care-certificate.ts';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { recordDoubts } from '#contract/rules/approval-review.ts';
import { stuckReasons } from '#contract/rules/certificate-outlook.ts';

/** A certificate that is not yet approved, as its approver sees it: progress, and what holds it up. */
export const OverviewRow = z.object({
  ...CertificateRow.shape,
  days: Count,
  forecast: z.nullable(Instant),
  usual_end: Instant,
  reasons: z.array(z.enum(stuckReasons)),
  /** The approver's comment when they last sent it back, or null. */
  sent_back: z.nullable(z.string()),
  /** Codes of the standards with less than line-of-sight supervision. */
  indirect: z.array(z.string()),
});
export type OverviewRow = z.infer<typeof OverviewRow>;

/** A record sampled for quality review. `agrees` is null until it has been reviewed. */
export const SampledRecord = z.object({
  id: Id,
  certificate_id: Id,
  record_id: Id,
  user: Ref,
  assessor: Ref,
  done_at: Instant,
  chosen_at: Instant,
  agrees: z.nullable(z.boolean()),
  note: z.nullable(z.string()),
  checked_by: z.nullable(Ref),
  checked_at: z.nullable(Instant),
});
export type SampledRecord = z.infer<typeof SampledRecord>;

/** A certificate as its approver reviews it. `rev` is the version they sign. */
export const CertificateReview = z.object({
  rev: Count,
  complete: z.boolean(),
  records: Count,
  standards: z.array(
    z.object({
      code: z.string(),
      title: z.string(),
      met: Count,
      of: Count,
      last_met_at: z.nullable(Instant),
      /** Names of the people whose decisions count. */
      assessors: z.array(z.string()),
    }),
  ),
  doubtful: z.array(
    z.object({ record_id: Id, done_at: Instant, assessor: z.string(), criteria: z.array(z.string()), doubts: z.array(z.enum(recordDoubts)) }),
  ),
  samples: z.array(SampledRecord),
});
export type CertificateReview = z.infer<typeof CertificateReview>;

/** Percentage of recent records that is sampled. */
export const sampleShares = [5, 10, 25, 50] as const;
export const sampleDays = [7, 30, 90] as const;
