import * as z from 'zod/mini';
import { CriterionCode } from '#contract/entities/care-certificate.ts';

export const criterionKinds = ['knowledge', 'practice'] as const;
/** One item of knowledge or practice. `simulation`: may be shown in a simulation, because real cases are rare. */
export const Criterion = z.object({ code: CriterionCode, text: z.string(), kind: z.enum(criterionKinds), simulation: z.boolean() });
export type Criterion = z.infer<typeof Criterion>;

/**
 * A version of the standards: standards with outcomes and criteria, and the activities an assessor observes, each with the
 * criteria it can be evidence of. A version is immutable, because certificates refer to it.
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

/** The version for certificates assigned from now on. */
export const currentStandards = 'england-2025';
