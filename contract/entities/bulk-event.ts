import * as z from 'zod/mini';
import { Choice, Count, Id, Instant, isInCalendar, Ref } from '#contract/entities/fields.ts';

/** How a course was completed, if not on a device. */
export const bulkTypes = ['face2face', 'historical', 'exempt'] as const;
export const bulkLimits = { atOnce: 50, people: 2000 } as const;
/** Training evidence: a PDF or picture up to this size. */
export const evidenceLimits = { bytes: 10_000_000, accept: 'application/pdf,image/jpeg,image/png,image/webp' } as const;

const Day = z
  .string()
  .check(z.regex(/^(19|20)\d\d-\d\d-\d\d$/, { error: 'Enter a date.', abort: true }), z.refine(isInCalendar, 'This date does not exist.'));
/** Fields of an event, common to everyone it is recorded for. `completed_on` as YYYY-MM-DD, not in the future. */
export const bulkFields = {
  course_id: Choice('Choose a course.'),
  type: z.enum(bulkTypes),
  completed_on: Day,
  /** The evidence file. Required if the organisation of any of the people requires it, except for exemptions. */
  evidence_id: z._default(z.nullable(Id), null),
  note: z._default(z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.')), ''),
};

/** An evidence file for training. `bytes`: size as stored. */
export const Evidence = z.object({ id: Id, name: z.string(), type: z.enum(['application/pdf', 'image/jpeg']), bytes: Count });
export type Evidence = z.infer<typeof Evidence>;

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
/** One of the people: recorded, or the reason why not. */
export const BulkPerson = z.object({ id: Id, name: z.string(), problem: z.nullable(z.string()) });
export type BulkPerson = z.infer<typeof BulkPerson>;
