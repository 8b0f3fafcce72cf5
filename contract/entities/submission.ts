import * as z from 'zod/mini';
import { Count, Id } from '#contract/entities/fields.ts';
import { resultStatuses } from '#contract/entities/result.ts';

/** A certificate from elsewhere that somebody submits. Its result has the same id. */
export const Submission = z.object({
  id: Id,
  /** Indexes of the missing pieces of its file, from 0. */
  missing: z.array(Count),
  /** What became of it; null until it was received whole. `deleted`: also where it was withdrawn. */
  status: z.nullable(z.enum(resultStatuses)),
  /** The version of its result; 0 where there is none. */
  rev: Count,
});
export type Submission = z.infer<typeof Submission>;
