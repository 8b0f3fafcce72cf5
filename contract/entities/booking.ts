import * as z from 'zod/mini';
import { EntityRef } from '#contract/entities/entity.ts';
import { Choice, Count, Day, Id, Instant, Ref } from '#contract/entities/fields.ts';
import { WallTime } from '#contract/entities/training-session.ts';

/** `requested`: waits for approval; it holds no place. `declined`: a request that was not confirmed. */
export const bookingStates = ['requested', 'confirmed', 'declined', 'cancelled'] as const;
/**
 * The state of somebody’s place: `requested` with its booking; `booked`, without being asked; `asked`, no answer yet; `accepted`, by themselves
 * or because no answer counts as yes; `waiting` for a place; `declined` by themselves; `removed` by others, or with the booking or session.
 */
export const placeStates = ['requested', 'booked', 'asked', 'accepted', 'waiting', 'declined', 'removed'] as const;
/** The states of people who have a place or wait for one. */
export const heldStates: readonly (typeof placeStates)[number][] = ['booked', 'asked', 'accepted', 'waiting'];

/** A person for whom a place is booked. `id`: of the place in its booking; `delegate_id`: on the list of the session, once they are on it. */
export const BookingPlace = z.object({
  id: Id,
  delegate_id: z.nullable(Id),
  user: Ref,
  /** The organisation to which they belong. */
  place: z.string(),
  state: z.enum(placeStates),
  /** For somebody who moved up from the waiting list and has not accepted yet: the deadline. */
  accept_by: z.optional(z.nullable(Instant)),
  /** Why they declined or were removed. */
  reason: z.string(),
});
export type BookingPlace = z.infer<typeof BookingPlace>;

/** A session as it is shown to the person booking: its plan, and how many places there are. `free` null: no limit. */
const sessionPlan = {
  id: Id,
  course: Ref,
  provider: EntityRef,
  trainer: Ref,
  date: Day,
  startTime: WallTime,
  endTime: WallTime,
  starts_at: Instant,
  venue: z.string(),
  room: z.string(),
  cancelled: z.boolean(),
  maxDelegates: z.nullable(z.int()),
  /** With fewer delegates it is at risk. */
  minDelegates: z.nullable(z.int()),
  taken: Count,
  free: z.nullable(Count),
};
/** A session in the booking calendar. */
export const CalendarSession = z.object({
  ...sessionPlan,
  /** Whether the caller sees its register. */
  register: z.boolean(),
  /** Whether it can be booked: neither cancelled nor begun. */
  open: z.boolean(),
  /** How many of the caller’s people are on its list. */
  own: Count,
});
export type CalendarSession = z.infer<typeof CalendarSession>;
/** A month of the calendar: for each day with sessions, how many there are and the first of them; and the options of the filter. */
export const CalendarMonth = z.object({
  days: z.array(z.object({ date: Day, total: Count, sessions: z.array(CalendarSession) })),
  ...{ courses: z.array(Ref), trainers: z.array(Ref), providers: z.array(Ref), venues: z.array(z.string()) },
  /** The names of the chosen filter values, even if no session of these days has them. */
  chosen: z.array(Ref),
});
export type CalendarMonth = z.infer<typeof CalendarMonth>;

/** A booking in a list. The specification’s names, and ours. */
const header = {
  id: Id,
  reference: z.string(),
  trainingProviderId: Id,
  clientId: Id,
  notes: z.string(),
  confirmed: z.boolean(),
  cancelled_at: z.nullable(Instant),
  cancellation_reason: z.string(),
  provider: EntityRef,
  client: EntityRef,
  state: z.enum(bookingStates),
  created_by: Ref,
  created_at: Instant,
  rev: z.int(),
};
/** The fields of a booking in the specification, and those in every answer beside them. */
export const BookingHeader = z.object(header);
export const BookingRow = z.object({
  ...header,
  courses: z.array(z.string()),
  /** The day of its first session. */
  first_on: Day,
  sessions: Count,
  /** How many people have a place or wait for one. */
  people: Count,
  waiting: Count,
});
export type BookingRow = z.infer<typeof BookingRow>;

const amounts = { net_pence: Count, vat_pence: Count, gross_pence: Count };
const onSession = { session_id: Id, title: z.string(), on: Day };
/** A line of the cost of a booking: a number of people on a session, or the session itself. `held`: the session is over, so the line is due. */
export const CostLine = z.object({
  ...onSession,
  of: z.enum(['person', 'session']),
  quantity: Count,
  price_pence: Count,
  /** Per cent. */
  vat_rate: z.number(),
  ...amounts,
  held: z.boolean(),
});
export type CostLine = z.infer<typeof CostLine>;
/** What places cost, in pence: everybody on the list of a session is charged for, present or absent. */
export const BookingCost = z.object({
  lines: z.array(CostLine),
  /** Places that were bought earlier by an order; `number` is null if the caller cannot see the order. */
  bought: z.array(z.object({ ...onSession, number: z.nullable(z.string()), places: Count })),
  /** Places without a price in the provider's list. */
  unpriced: z.array(z.object({ ...onSession, places: Count })),
  ...amounts,
});
export type BookingCost = z.infer<typeof BookingCost>;

/** The cost that a form displayed: the sums, the number of places without a price, and of places already bought. */
export const ShownCost = z.object({ ...amounts, unpriced: Count, bought: z.optional(Count) });
export type ShownCost = z.infer<typeof ShownCost>;

/** One change of a booking: who made it, when, and what it was, in words. */
export const BookingChange = z.object({ id: Id, at: Instant, by: Ref, words: z.string() });

/** One session of a booking, with its people. */
export const BookingSession = z.object({ ...sessionPlan, places: z.array(BookingPlace) });
/** The actions that the caller may take on a booking. */
const may = { change: z.boolean(), cancel: z.boolean(), decide: z.boolean() };
/** A booking with its sessions, its people and its history. */
export const Booking = z.object({
  ...header,
  requested_by: z.nullable(Ref),
  confirmed_by: z.nullable(Ref),
  confirmed_at: z.nullable(Instant),
  cancelled_by: z.nullable(Ref),
  sessions: z.array(BookingSession),
  /** Until when the client itself can cancel; null if no session is to come. */
  cancel_until: z.nullable(Instant),
  may: z.object(may),
  /** Null within one tree of organisations, where nothing is charged, and for callers who may not see it. */
  cost: z.nullable(BookingCost),
  history: z.array(BookingChange),
});
export type Booking = z.infer<typeof Booking>;

const Text = (most: number) => z.string().check(z.trim(), z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`));
export const BookingNotes = Text(2000);
export const BookingReason = z.string().check(z.trim(), z.minLength(1, 'Enter a reason.'), z.maxLength(1000, 'Use no more than 1,000 characters.'));
const Chosen = (missing: string, most: number) => z.array(Id).check(z.minLength(1, missing), z.maxLength(most, `Choose no more than ${most}.`));
/** `waiting`: people who get no place are put on the waiting list; otherwise nobody is booked unless there is a place for everybody. */
export const NewBooking = z.object({
  session_ids: Chosen('Choose a session.', 20),
  user_ids: Chosen('Choose at least one person.', 200),
  notes: BookingNotes,
  waiting: z.boolean(),
  /** Refused (409) if the cost has changed; null if nothing was to be paid. */
  shown: z.optional(z.nullable(ShownCost)),
});
export type NewBooking = z.infer<typeof NewBooking>;
/** Approves a request. `waiting` and `shown` as of a new booking. */
export const BookingApproval = z.object({ waiting: z.boolean(), shown: z.optional(z.nullable(ShownCost)) });
export type BookingApproval = z.infer<typeof BookingApproval>;

/** Input for a booking in the graph: without `id` a new one. `confirmed` approves a request. */
export const BookingInput = z.partial(
  z.object({
    id: Id,
    training_session_ids: z.array(Id),
    user_ids: z.array(Id),
    notes: BookingNotes,
    waiting: z.boolean(),
    confirmed: z.boolean(),
    shown: z.nullable(ShownCost),
    clientId: Id,
    trainingProviderId: Id,
  }),
);
/** Warnings before somebody is booked. `refused`: why it is impossible. */
export const Eligibility = z.object({
  user: Ref,
  session: z.object({ id: Id, title: z.string(), on: Day }),
  warnings: z.array(z.string()),
  refused: z.nullable(z.string()),
});
export type Eligibility = z.infer<typeof Eligibility>;

export const RemovePlace = z.object({ action: z.literal('remove'), reason: BookingReason });
export const ReplacePlace = z.object({ action: z.literal('replace'), user_id: Choice('Choose a person.') });
/** Changes one place of a booking. A person who is booked again waits if there is no free place. */
export const PlaceChange = z.discriminatedUnion('action', [RemovePlace, z.object({ action: z.literal('restore') }), ReplacePlace]);
export type PlaceChange = z.infer<typeof PlaceChange>;
