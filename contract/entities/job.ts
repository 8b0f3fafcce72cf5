import * as z from 'zod/mini';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** Background work on the server. Each kind is provided by a feature (`server/features.ts`). */
export const jobKinds = [
  'certificates',
  'compliance',
  'decisions',
  'delivery',
  'figures',
  'import',
  'inspection',
  'licences',
  'mail',
  'places',
  'redate',
  'reminders',
  'report',
  'retention',
  'schedules',
  'score',
  'sessions',
  'welcomes',
] as const;
export type JobKind = (typeof jobKinds)[number];

export const Job = z.object({
  id: Id,
  kind: z.enum(jobKinds),
  /** For example “Import of staff.csv”. */
  title: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped']),
  /** Progress in `unit`; `total` is null if unknown. */
  done: Count,
  total: z.nullable(Count),
  unit: z.string(),
  /** Why it failed or stopped, or, while it waits, why the last attempt failed. */
  problem: z.nullable(z.string()),
  /** Cancellation was requested; it stops after the current step. */
  stopping: z.boolean(),
  /** Null: started by the server. */
  started_by: z.nullable(Ref),
  organisation: z.nullable(Ref),
  asked_at: Instant,
  started_at: z.nullable(Instant),
  ended_at: z.nullable(Instant),
  can_cancel: z.boolean(),
  can_retry: z.boolean(),
  /** The page that shows its result. */
  link: z.nullable(z.string()),
});
export type Job = z.output<typeof Job>;
