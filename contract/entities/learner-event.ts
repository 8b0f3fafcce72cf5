import * as z from 'zod/mini';
import { Id } from '#contract/entities/fields.ts';

export const LearnerEventStatus = z.enum(['current', 'overdue', 'completed']);

/** A course on a person's home page, to do or done. Times are ISO in UTC. */
export const LearnerEvent = z.object({
  id: Id,
  course_id: Id,
  course_title: z.string(),
  content_id: z.nullable(Id),
  /** Minutes. */
  estimated_duration: z.nullable(z.int()),
  delivery: z.string(),
  compliance_type: z.nullable(z.enum(['primary', 'secondary'])),
  /** Prioritised by the organisation or one above it. */
  focused: z.boolean(),
  status: LearnerEventStatus,
  due_at: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
  expires_at: z.nullable(z.string()),
  score: z.nullable(z.int()),
  result_id: z.nullable(Id),
  reason: z.string(),
  attempt_id: z.nullable(Id),
  /** The attempt's `rev`, so that a device knows whether it has all that was done in it. */
  attempt_rev: z.nullable(z.int()),
  percent: z.int(),
  image: z.nullable(z.string()),
  /** The pathway that has it as an open step. */
  pathway: z.nullable(z.string()),
  /** The version that they are asked to take, because the course has changed since they completed it. */
  asked_version: z.nullable(z.int()),
  /** There is content, but it needs a licence and they have none. */
  needs_licence: z.boolean(),
});
export type LearnerEvent = z.infer<typeof LearnerEvent>;
export const LearnerEventCounts = z.object({ current: z.int(), overdue: z.int(), completed: z.int() });
/** Ours: also how many courses are required of them now, and how many of those are Expired or Missing, as every figure counts them. */
export const PersonCounts = z.extend(LearnerEventCounts, { required: z.int(), required_overdue: z.int() });
