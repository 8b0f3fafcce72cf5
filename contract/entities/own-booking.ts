import * as z from 'zod/mini';
import { CheckedIn } from '#contract/entities/check-in.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Day, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { EvaluationAsked } from '#contract/entities/evaluation.ts';
import { DocumentFile } from '#contract/entities/session-document.ts';
import { DelegateAnswer, gradingMethods, WallTime } from '#contract/entities/training-session.ts';

/**
 * How somebody's place on a session stands: `booked`; `waiting` for a place; `cancelled` with the session; `not_coming`, as they said themselves; `removed` by
 * others; `recorded`, in their training record; `past` without having been recorded.
 */
export const ownBookingStates = ['booked', 'waiting', 'cancelled', 'not_coming', 'removed', 'recorded', 'past'] as const;

/** A person's own place on a training session: all that they need to come, readable without a connection. Ours. */
export const OwnBooking = z.object({
  id: Id,
  session_id: Id,
  course: Ref,
  entity: EntityRef,
  trainer: Ref,
  date: Day,
  startTime: WallTime,
  endTime: WallTime,
  /** The same as instants, so that calendars in other time zones are right. */
  starts_at: Instant,
  ends_at: Instant,
  venue: z.string(),
  room: z.string(),
  /** Of a venue of the organisation; empty where it was typed. */
  address: z.string(),
  access: z.nullable(z.object({ step_free: z.boolean(), hearing_loop: z.boolean(), parking: z.boolean(), notes: z.string() })),
  aim: z.string(),
  /** What to bring or wear. */
  bring: z.optional(z.string()),
  /** Who gives it, where that is somebody from outside; else empty. */
  external_trainer: z.string(),
  virtual: z.boolean(),
  /** Where a virtual session is joined; empty until it is known, and for those without a place. */
  joining_link: z.string(),
  grading_method: z.enum(gradingMethods),
  state: z.enum(ownBookingStates),
  /** Why it is cancelled, why they do not come, or that they did not accept in time. */
  reason: z.string(),
  added_by: Ref,
  /** The session was moved after they were booked, and they have not said that they can come. */
  move_asked: z.boolean(),
  /** Null where they are not asked whether they come. The same answer settles `move_asked`. */
  answer: z.optional(z.nullable(DelegateAnswer)),
  /** The time zone of the organisation that holds it. */
  zone: z.optional(z.string()),
  checked_in: z.optional(z.nullable(CheckedIn)),
  /** Which one of those who wait; null where they do not. */
  waiting_no: z.nullable(z.int()),
  /** What is there for those on the list; to read one needs a connection. */
  documents: z.optional(z.array(DocumentFile)),
  /** Null where they were not there, or the register is not finished. */
  evaluation: z.optional(z.nullable(EvaluationAsked)),
  /** Grows with each change of the session: the sequence number of its calendar entry. */
  rev: z.int(),
});
export type OwnBooking = z.infer<typeof OwnBooking>;
