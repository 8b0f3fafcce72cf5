import * as z from 'zod/mini';
import { CriterionCode } from '#contract/entities/care-certificate.ts';

export const criterionKinds = ['knowledge', 'practice'] as const;
/** One thing that somebody has to know, or to do. `simulation`: it may be shown with a manikin, because nobody can wait for it. */
export const Criterion = z.object({ code: CriterionCode, text: z.string(), kind: z.enum(criterionKinds), simulation: z.boolean() });
export type Criterion = z.infer<typeof Criterion>;

/**
 * A version of the standards: standards with outcomes with criteria, and what a care worker does in front of an assessor, with the
 * criteria that it can be evidence of. A version never changes: certificates stand on it.
 */
export const CareStandards = z.object({
  id: z.string(),
  name: z.string(),
  /** YYYY-MM-DD */
  valid_from: z.string(),
  standards: z.array(
    z.object({
      code: z.string(),
      title: z.string(),
      outcomes: z.array(z.object({ code: z.string(), title: z.string(), criteria: z.array(Criterion) })),
    }),
  ),
  activities: z.array(z.object({ id: z.string(), title: z.string(), criteria: z.array(CriterionCode) })),
});
export type CareStandards = z.infer<typeof CareStandards>;

/** The version that certificates stand on which are assigned from now on. */
export const currentStandards = 'england-2025';
