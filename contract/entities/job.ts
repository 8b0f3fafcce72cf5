import * as z from 'zod/mini';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** Work that the server does in the background. Each kind is handed in by a feature (`server/features.ts`). */
export const jobKinds = ['import', 'mail', 'reminders', 'report', 'retention', 'score'] as const;
export type JobKind = (typeof jobKinds)[number];

export const Job = z.object({
  id: Id,
  kind: z.enum(jobKinds),
  /** In words: “Import of staff.csv”. */
  title: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'stopped']),
  /** How far it is, in `unit`; null where the end is not known. */
  done: Count,
  total: z.nullable(Count),
  unit: z.string(),
  /** Why it failed or stopped; while it waits, why the last try failed. */
  problem: z.nullable(z.string()),
  /** It was asked to stop, and stops after what it is doing now. */
  stopping: z.boolean(),
  /** Null: the server by itself. */
  started_by: z.nullable(Ref),
  organisation: z.nullable(Ref),
  asked_at: Instant,
  started_at: z.nullable(Instant),
  ended_at: z.nullable(Instant),
  can_cancel: z.boolean(),
  can_retry: z.boolean(),
  /** The page that shows what comes of it. */
  link: z.nullable(z.string()),
});
export type Job = z.output<typeof Job>;
