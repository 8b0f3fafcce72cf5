import * as z from 'zod/mini';
import { CheckedIn } from '#contract/entities/check-in.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Day, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { EvaluationAsked } from '#contract/entities/evaluation.ts';
import { DocumentFile } from '#contract/entities/session-document.ts';
import { DelegateAnswer, gradingMethods, WallTime } from '#contract/entities/training-session.ts';

/**
 * The state of somebody's place on a session: `booked`; `waiting` for a place; `cancelled` with the session; `not_coming`, declined by them;
 * `removed` by others; `recorded` in their training record; `past` without having been recorded.
 */
export const ownBookingStates = ['booked', 'waiting', 'cancelled', 'not_coming', 'removed', 'recorded', 'past'] as const;

/** A person's own place on a training session, with all that they need to attend, readable offline. Ours. */
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
  /** Of one of the organisation's venues; empty if the venue was typed. */
  address: z.string(),
  access: z.nullable(z.object({ step_free: z.boolean(), hearing_loop: z.boolean(), parking: z.boolean(), notes: z.string() })),
  aim: z.string(),
  /** What to bring or wear. */
  bring: z.optional(z.string()),
  /** The trainer's name, if external; otherwise empty. */
  external_trainer: z.string(),
  virtual: z.boolean(),
  /** The link to join a virtual session; empty until it is known, and for people without a place. */
  joining_link: z.string(),
  grading_method: z.enum(gradingMethods),
  state: z.enum(ownBookingStates),
  /** Why it was cancelled, why they do not come, or that they did not accept in time. */
  reason: z.string(),
  added_by: Ref,
  /** The session was moved after they were booked, and they have not confirmed. */
  move_asked: z.boolean(),
  /** Null if they are not asked whether they come. The same answer settles `move_asked`. */
  answer: z.optional(z.nullable(DelegateAnswer)),
  /** The time zone of the organisation that holds it. */
  zone: z.optional(z.string()),
  checked_in: z.optional(z.nullable(CheckedIn)),
  /** Their position on the waiting list; null if they do not wait. */
  waiting_no: z.nullable(z.int()),
  /** Documents for delegates; reading one needs a connection. */
  documents: z.optional(z.array(DocumentFile)),
  /** Null if they did not attend, or the register is not finished. */
  evaluation: z.optional(z.nullable(EvaluationAsked)),
  /** Grows with each change of the session: the sequence number of its calendar entry. */
  rev: z.int(),
});
export type OwnBooking = z.infer<typeof OwnBooking>;
