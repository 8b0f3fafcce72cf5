import * as z from 'zod/mini';
import { CertificateRow } from '#contract/entities/care-certificate.ts';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { recordDoubts } from '#contract/rules/approval-review.ts';
import { stuckReasons } from '#contract/rules/certificate-outlook.ts';

/** A certificate that is not approved yet, as whoever approves it sees it: how it gets on, and why it does not. */
export const OverviewRow = z.object({
  ...CertificateRow.shape,
  days: Count,
  forecast: z.nullable(Instant),
  usual_end: Instant,
  reasons: z.array(z.enum(stuckReasons)),
  /** What the approver wrote when they sent it back last; null where they have not. */
  sent_back: z.nullable(z.string()),
  /** Codes of the standards in which less than line of sight has been granted. */
  indirect: z.array(z.string()),
});
export type OverviewRow = z.infer<typeof OverviewRow>;

/** A record that was chosen to be looked at again. `agrees` is null until somebody has. */
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

/** A certificate as whoever approves it reviews it. `rev` is the version that they sign. */
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
      /** The names of those whose decisions count. */
      assessors: z.array(z.string()),
    }),
  ),
  doubtful: z.array(
    z.object({ record_id: Id, done_at: Instant, assessor: z.string(), criteria: z.array(z.string()), doubts: z.array(z.enum(recordDoubts)) }),
  ),
  samples: z.array(SampledRecord),
});
export type CertificateReview = z.infer<typeof CertificateReview>;

/** Which share of the records of the last days is chosen. */
export const sampleShares = [5, 10, 25, 50] as const;
export const sampleDays = [7, 30, 90] as const;
