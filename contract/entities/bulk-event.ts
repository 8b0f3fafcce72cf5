import * as z from 'zod/mini';
import { Count, Id, Instant, isInCalendar, Ref } from '#contract/entities/fields.ts';

/** How a course was completed that no device has recorded. */
export const bulkTypes = ['face2face', 'historical', 'exempt'] as const;
export const bulkLimits = { atOnce: 50, people: 2000 } as const;
/** What proves training: a PDF or a picture, of up to so many bytes. */
export const evidenceLimits = { bytes: 10_000_000, accept: 'application/pdf,image/jpeg,image/png,image/webp' } as const;

const Day = z
  .string()
  .check(z.regex(/^(19|20)\d\d-\d\d-\d\d$/, { error: 'Enter a date.', abort: true }), z.refine(isInCalendar, 'This date does not exist.'));
/** What is said of an event once, for everybody it is recorded for. `completed_on` as YYYY-MM-DD, not in the future. */
export const bulkFields = {
  course_id: Id,
  type: z.enum(bulkTypes),
  completed_on: Day,
  /** The file that proves it. Needed where the organisation of one of the people asks for it, but for exemptions. */
  evidence_id: z._default(z.nullable(Id), null),
  note: z._default(z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.')), ''),
};

/** A file that proves training. `bytes` as it is kept. */
export const Evidence = z.object({ id: Id, name: z.string(), type: z.enum(['application/pdf', 'image/jpeg']), bytes: Count });
export type Evidence = z.infer<typeof Evidence>;

/** One recorded event, as the history shows it. */
export const BulkEvent = z.object({
  id: Id,
  course: z.object({ id: Id, title: z.string() }),
  type: z.enum(bulkTypes),
  completed_on: Day,
  note: z.string(),
  evidence: z.nullable(Ref),
  actor: Ref,
  recorded: Count,
  refused: Count,
  created_at: Instant,
  undone_at: z.nullable(Instant),
});
export type BulkEvent = z.infer<typeof BulkEvent>;
/** One of the people: recorded, or why not. */
export const BulkPerson = z.object({ id: Id, name: z.string(), problem: z.nullable(z.string()) });
export type BulkPerson = z.infer<typeof BulkPerson>;
