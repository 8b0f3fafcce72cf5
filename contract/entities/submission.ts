import * as z from 'zod/mini';
import { Count, Id } from '#contract/entities/fields.ts';
import { resultStatuses } from '#contract/entities/result.ts';

/** A certificate from elsewhere that somebody submits. Its result has the same id. */
export const Submission = z.object({
  id: Id,
  /** Indexes of the missing pieces of its file, from 0. */
  missing: z.array(Count),
  /** The state of its result; null until it was received completely. `deleted`: also if it was withdrawn. */
  status: z.nullable(z.enum(resultStatuses)),
  /** The version of its result; 0 if there is none. */
  rev: Count,
});
export type Submission = z.infer<typeof Submission>;
