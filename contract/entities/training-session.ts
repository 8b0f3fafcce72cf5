import * as z from 'zod/mini';
import { Drawing } from '#contract/entities/care-certificate.ts';
import { CheckedIn } from '#contract/entities/check-in.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Choice, Day, Id, Instant, Line, NeededLine, Ref } from '#contract/entities/fields.ts';

/** Local time and day at the venue. */
export const WallTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, for example 09:30.'));
const Text = (most: number) => z.string().check(z.trim(), z.maxLength(most, `Use no more than ${most} characters.`));

/**
 * What completes the training: attendance; passing its practical part as well; passing it; a score of at least the pass mark; or passing both its practical
 * and its theoretical part.
 */
export const gradingMethods = ['attendance', 'practical', 'pass_fail', 'score', 'practical_theory'] as const;

/** Who may book: the organisation that holds it and those below it, or its clients as well. */
export const availabilities = ['own', 'clients'] as const;

/** Why a session is cancelled, in the words that everybody is told. `other`: what is written beside it. */
export const cancellationReasons = {
  trainer_unavailable: 'The trainer is not available.',
  too_few: 'Too few people are booked.',
  venue_unavailable: 'The venue is not available.',
  staffing: 'The staff are needed at work.',
  weather: 'Weather or travel.',
  infection: 'An outbreak of infection.',
  moved: 'Another session takes its place.',
  other: 'Another reason.',
} as const;
export type CancellationReason = keyof typeof cancellationReasons;
const reasonIds = Object.keys(cancellationReasons) as [CancellationReason, ...CancellationReason[]];
/** For sessions of a series: whether those that follow are changed, or cancelled, as well. */
export const andFollowing = { following: z.optional(z.boolean()) };

/** A reason of the list, or words, or both. */
export const Cancellation = z
  .object({
    cancellation_reason_id: z.optional(z.nullable(z.enum(reasonIds, 'Choose a reason.'))),
    notes: z.string().check(z.trim(), z.maxLength(1000, 'Use no more than 1,000 characters.')),
    ...andFollowing,
  })
  .check(
    z.refine(({ cancellation_reason_id: reason, notes }) => notes !== '' || (!!reason && reason !== 'other'), {
      error: 'Enter a reason.',
      path: ['notes'],
    }),
  );

const fewest = z.int().check(z.gte(1, 'Enter at least 1.'), z.lte(500, 'Enter no more than 500.'));
/** What else a session says of itself. */
const details = {
  /** The way of taking the course; its first face-to-face content where nothing is chosen. */
  contentId: z.nullable(Id),
  learningOutcomes: Text(2000),
  contentCovered: Text(2000),
  /** What those booked are to bring or wear. */
  bring: Text(1000),
  minDelegates: z.nullable(fewest),
  /** The least score that completes it, where it is graded by one. */
  pass_mark: z.nullable(z.int().check(z.gte(1, 'Enter at least 1.'), z.lte(100, 'Enter no more than 100.'))),
  availableTo: z.enum(availabilities),
  /** The part of the country, or the service, that it is for. */
  area: Line(200),
  /** Given by somebody from outside, known by name; `trainer_id` takes the register. */
  external_provider: z.boolean(),
  external_trainer: Line(200),
  virtual: z.boolean(),
  /** Where a virtual session is joined; empty until it is known. */
  joining_link: z
    .string()
    .check(
      z.trim(),
      z.maxLength(500, 'Use no more than 500 characters.'),
      z.regex(/^(https:\/\/[^\s/]+\S*)?$/, 'Enter an address that starts with https://.'),
    ),
};
export const sessionDetails = z.partial(z.object(details)).shape;

/** The plan of a session; it can be changed until the session is over. Field names: the specification's training session. */
export const sessionFields = {
  date: Day,
  startTime: WallTime,
  endTime: WallTime,
  venue: NeededLine(200, 'Enter the venue.'),
  room: Text(200),
  aim: Text(1000),
  maxDelegates: z.nullable(fewest),
  grading_method: z.enum(gradingMethods),
};

/** What of the organisation’s venues was chosen; `venue` and `room` are the names that it had then. Nothing where they were typed. */
const chosen = { venue_id: z.nullable(Id), room_id: z.nullable(Id) };
export const venueChoice = { venue_id: z.optional(chosen.venue_id), room_id: z.optional(chosen.room_id) };

export const passMarkNeeded = 'Enter the pass mark.';
export const whoGivesIt = 'Enter who gives it.';
export const moreThanMost = 'This is more than the maximum.';
const within = (least: number, most: number) =>
  z.int('Enter a whole number.').check(z.gte(least, `Enter at least ${least}.`), z.lte(most, `Enter no more than ${most}.`));
/** The same session again: every so many weeks, so many times in all. */
const Repeat = z.object({ every_weeks: within(1, 8), times: within(2, 26) });
/** A new session also names its course. */
export const NewTrainingSession = z
  .object({
    ...{ ...sessionFields, ...sessionDetails, ...venueChoice, repeat: z.optional(z.nullable(Repeat)) },
    ...{ course_id: Choice('Choose a course.'), trainer_id: Choice('Choose who gives it.') },
  })
  .check(z.refine(({ startTime, endTime }) => endTime > startTime, { error: 'The end is before the beginning.', path: ['endTime'] }))
  .check(z.refine(({ minDelegates: min, maxDelegates: max }) => !min || !max || min <= max, { error: moreThanMost, path: ['minDelegates'] }))
  .check(z.refine((plan) => !plan.external_provider || !!plan.external_trainer, { error: whoGivesIt, path: ['external_trainer'] }))
  .check(z.refine((plan) => plan.grading_method !== 'score' || !!plan.pass_mark, { error: passMarkNeeded, path: ['pass_mark'] }));

/** Maximum number of delegates per session. */
export const mostDelegates = 500;

/** A mark for one delegate. `arrived` and `left` only if they did not attend from beginning to end. */
export const MarkArgs = z.object({
  presence: z.enum(['present', 'absent']),
  arrived: z.nullable(WallTime),
  left: z.nullable(WallTime),
  /** Of its practical part, or of the whole where it is passed or failed. */
  outcome: z.nullable(z.enum(['passed', 'not_yet'])),
  /** Where it is graded by them; devices that know nothing of them leave them out. */
  score: z.optional(z.nullable(z.int('Enter a whole number.').check(z.gte(0, 'Enter 0 to 100.'), z.lte(100, 'Enter 0 to 100.')))),
  theory: z.optional(z.nullable(z.enum(['passed', 'not_yet']))),
  note: Text(1000),
});
export type MarkArgs = z.infer<typeof MarkArgs>;
export const Mark = z.object({ ...MarkArgs.shape, id: Id, by: Ref, at: Instant });
export type Mark = z.infer<typeof Mark>;

const signed = { method: z.enum(['drawn', 'pin']), drawing: z.nullable(Drawing) };
/** A delegate's signature under one of their marks, which never changes. */
export const MarkSignatureArgs = z.object({ mark_id: Id, ...signed });
export type MarkSignatureArgs = z.infer<typeof MarkSignatureArgs>;
/** The trainer's confirmation that the register is complete, bound to the marks current at that time. */
export const CompleteArgs = z.object({
  marks: z.array(Id).check(z.maxLength(mostDelegates)),
  note: Text(2000),
  method: z.enum(['drawn', 'pin', 'signed_in']),
  drawing: signed.drawing,
});
export type CompleteArgs = z.infer<typeof CompleteArgs>;
/** Someone who attended without being on the list: a person of the organisation, or a name to be matched later. */
export const WalkInArgs = z.object({
  user_id: z.nullable(Id),
  name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(200, 'Use no more than 200 characters.')),
  note: Text(500),
});
export type WalkInArgs = z.infer<typeof WalkInArgs>;

/**
 * Whether somebody on a list has said that they come: when, or from when on no answer counts as coming (null never). `lapses_at`: of who moved up
 * from the waiting list, until when they can accept the place; then it goes to who waits next.
 */
export const DelegateAnswer = z.object({ at: z.nullable(Instant), counts_at: z.nullable(Instant), lapses_at: z.optional(z.nullable(Instant)) });

/** A person on the list of a session. `also`: other ids under which a device recorded the same person. */
export const Delegate = z.object({
  id: Id,
  also: z.array(Id),
  user: z.nullable(Ref),
  name: z.string(),
  place: z.string(),
  note: z.string(),
  walk_in: z.boolean(),
  /** `declined`: they, or somebody for them, said that they do not come; `why` in their words. `lapsed`: they did not accept in time. */
  removed: z.nullable(
    z.object({ at: Instant, by: Ref, declined: z.optional(z.boolean()), lapsed: z.optional(z.boolean()), why: z.optional(z.string()) }),
  ),
  /** All marks, oldest first; the last one counts. */
  marks: z.array(Mark),
  signature: z.nullable(z.object({ ...MarkSignatureArgs.shape, id: Id, at: Instant })),
  /** Whether this session has been added to their training record. */
  recorded: z.boolean(),
  /** The session was moved after they were booked: whether they have said that they can come. Null where they need not. */
  move: z.optional(z.nullable(z.enum(['asked', 'agreed']))),
  /** Null where nobody asks them whether they come. The same answer settles `move`. */
  answer: z.optional(z.nullable(DelegateAnswer)),
  /** They said themselves that they are there, with the code that was shown. Beside the marks, and none of them. */
  checked_in: z.optional(z.nullable(CheckedIn)),
});
export type Delegate = z.infer<typeof Delegate>;

/** A person who waits for a place on a full session; the first of a list gets the next one. Ours. */
export const WaitingPerson = z.object({ id: Id, user: Ref, place: z.string(), added_by: Ref, added_at: Instant });
export type WaitingPerson = z.infer<typeof WaitingPerson>;

const header = {
  id: Id,
  course: Ref,
  entity: EntityRef,
  trainer: Ref,
  ...sessionFields,
  ...details,
  ...chosen,
  cancelled: z.nullable(z.object({ at: Instant, by: Ref, reason_id: z.nullable(z.enum(reasonIds)), notes: z.string() })),
  /** Whether a cancelled session with a register took place; null until decided. */
  held: z.nullable(z.boolean()),
  /** A day that the session had before it was moved, for which its register was finished all the same; null where nobody has to say whether it took place. */
  taken_on: z.nullable(Day),
  completed: z.nullable(z.object({ id: Id, at: Instant, by: Ref, note: z.string() })),
  /** The register was finished, and is marked as incomplete until it is finished again. */
  incomplete: z.nullable(z.object({ at: Instant, by: Ref, reason: z.string() })),
  /** Which one it is of how many that were planned together; null where it stands alone. */
  series: z.nullable(z.object({ id: Id, no: z.int(), of: z.int() })),
  /** Certificates wait until they are released. */
  certificates_withheld: z.boolean(),
};

export const SessionRow = z.object({ ...header, delegates: z.int(), present: z.int(), waiting: z.int() });
export type SessionRow = z.infer<typeof SessionRow>;

/** A session with its register. `rev` grows with every change. */
export const Register = z.object({ ...header, rev: z.int(), delegates: z.array(Delegate) });
export type Register = z.infer<typeof Register>;

/** A session of the same provider that is still to come: where people of a list can be copied or moved to. Ours. */
export const OtherSession = z.object({
  id: Id,
  course: Ref,
  date: Day,
  startTime: WallTime,
  endTime: WallTime,
  venue: z.string(),
  room: z.string(),
  maxDelegates: z.nullable(z.int()),
  delegates: z.int(),
  /** Of the people of the first session those who are on its list, or wait for it. */
  there: z.array(Id),
});
export type OtherSession = z.infer<typeof OtherSession>;

/** People put on the list of another session; `delegate_ids` null: everybody. Without `waiting`, nobody is put there unless there is a place for all. */
export const GiveDelegates = z.object({
  session_id: Choice('Choose a session.'),
  delegate_ids: z.nullable(z.array(Id).check(z.minLength(1, 'Choose at least one person.'), z.maxLength(mostDelegates))),
  waiting: z.boolean(),
});
export type GiveDelegates = z.infer<typeof GiveDelegates>;
/** What came of it: who has a place on the other session, who waits for one, and who was there already. */
export const DelegatesGiven = z.object({ session_id: Id, booked: z.array(Ref), waiting: z.array(Ref), already: z.array(Ref) });
export type DelegatesGiven = z.infer<typeof DelegatesGiven>;

/** What somebody said of their place, noted by the office or the trainer. */
export const NotedAnswer = z.object({ answer: z.enum(['accepted', 'declined'], 'Choose an answer.'), reason: Text(500) });
export type NotedAnswer = z.infer<typeof NotedAnswer>;

/** A training session by the names of the specification: those of the graph. What it does not name is ours. */
export const TrainingSession = z.object({
  id: Id,
  ...sessionFields,
  ...details,
  trainerId: Id,
  cancelled: z.boolean(),
  cancellation_reason_id: z.nullable(z.enum(reasonIds)),
  cancellation_notes: z.string(),
  completed: z.boolean(),
  incomplete: z.boolean(),
  release_certificates: z.boolean(),
  course: Ref,
  entity: EntityRef,
  trainer: Ref,
});
export type TrainingSession = z.infer<typeof TrainingSession>;
/** The same as it is planned, changed or cancelled. What is left out stays as it is. */
export const TrainingSessionInput = z.partial(
  z.object({
    id: Id,
    course_id: Id,
    trainerId: Id,
    ...sessionFields,
    ...details,
    ...chosen,
    following: z.boolean(),
    cancelled: z.boolean(),
    cancellation_reason_id: z.nullable(z.enum(reasonIds)),
    cancellation_notes: z.string(),
  }),
);
/** Somebody on the list of a session, as the graph names what became of them. */
export const SessionDelegate = z.object({
  id: Id,
  training_session_id: Id,
  user: z.nullable(Ref),
  name: z.string(),
  accepted: z.boolean(),
  declined: z.boolean(),
  deleted: z.boolean(),
  reason: z.string(),
});
export type SessionDelegate = z.infer<typeof SessionDelegate>;

/** How many minutes before a virtual session it can be joined from a booking. */
export const joinAheadMinutes = 15;

export const sessionFilters = ['coming', 'past', 'all'] as const;
/** How many days ahead trainers' registers are stored on their devices. */
export const registersAheadDays = 7;
