import { areSessionTimes } from '#contract/rules/session-times.ts';
import * as z from 'zod/mini';
import { Drawing } from '#contract/entities/care-certificate.ts';
import { CheckedIn } from '#contract/entities/check-in.ts';
import { EntityRef } from '#contract/entities/entity.ts';
import { Choice, ClockOffset, Day, Id, Instant, Line, NeededLine, Ref } from '#contract/entities/fields.ts';
import { webAddress } from '#contract/rules/links.ts';

/** Local time and day at the venue. */
export const WallTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time, for example 09:30.'));
const Text = (most: number) => z.string().check(z.trim(), z.maxLength(most, `Use no more than ${most} characters.`));

/**
 * What completes the training: attendance; attendance and the practical part; passing; a score of at least the pass mark; or passing both the
 * practical and the theoretical part.
 */
export const gradingMethods = ['attendance', 'practical', 'pass_fail', 'score', 'practical_theory'] as const;

/** Who may book: the organising organisation and those below it, or its clients as well. */
export const availabilities = ['own', 'clients'] as const;

/** Reasons for cancelling a session, in the words that everybody is shown. `other`: the reason is written beside it. */
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
/** For a session of a series: whether the following sessions are changed or cancelled too. */
export const andFollowing = { following: z.optional(z.boolean()) };

/** A listed reason, or words, or both. */
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
/** Further details of a session. */
const details = {
  /** The content of the course; default: its first face-to-face content. */
  contentId: z.nullable(Id),
  learningOutcomes: Text(2000),
  contentCovered: Text(2000),
  /** What delegates should bring or wear. */
  bring: Text(1000),
  minDelegates: z.nullable(fewest),
  /** The lowest score that completes it, if it is graded by score. */
  pass_mark: z.nullable(z.int().check(z.gte(1, 'Enter at least 1.'), z.lte(100, 'Enter no more than 100.'))),
  availableTo: z.enum(availabilities),
  /** The region or service for which it is held. */
  area: Line(200),
  /** The name of an external trainer; `trainer_id` then takes the register. */
  external_provider: z.boolean(),
  external_trainer: Line(200),
  virtual: z.boolean(),
  /** The link to join a virtual session; empty until it is known. */
  joining_link: z.string().check(
    z.trim(),
    z.maxLength(500, 'Use no more than 500 characters.'),
    z.refine((text) => text === '' || (text.startsWith('https://') && webAddress(text) !== null), 'Enter an address that starts with https://.'),
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

/** The chosen venue and room of the organisation; `venue` and `room` are their names at that time. Absent if they were typed. */
const chosen = { venue_id: z.nullable(Id), room_id: z.nullable(Id) };
export const venueChoice = { venue_id: z.optional(chosen.venue_id), room_id: z.optional(chosen.room_id) };

export const passMarkNeeded = 'Enter the pass mark.';
export const whoGivesIt = 'Enter who gives it.';
export const moreThanMost = 'This is more than the maximum.';
const within = (least: number, most: number) =>
  z.int('Enter a whole number.').check(z.gte(least, `Enter at least ${least}.`), z.lte(most, `Enter no more than ${most}.`));
/** Repeats the session: every so many weeks, so many times in total. */
const Repeat = z.object({ every_weeks: within(1, 8), times: within(2, 26) });
/** A new session also names its course. */
export const NewTrainingSession = z
  .object({
    ...{ ...sessionFields, ...sessionDetails, ...venueChoice, repeat: z.optional(z.nullable(Repeat)) },
    ...{ course_id: Choice('Choose a course.'), trainer_id: Choice('Choose who gives it.') },
  })
  .check(z.refine(areSessionTimes, { error: 'The end is before the beginning.', path: ['endTime'] }))
  .check(z.refine(({ minDelegates: min, maxDelegates: max }) => !min || !max || min <= max, { error: moreThanMost, path: ['minDelegates'] }))
  .check(z.refine((plan) => !plan.external_provider || !!plan.external_trainer, { error: whoGivesIt, path: ['external_trainer'] }))
  .check(z.refine((plan) => plan.grading_method !== 'score' || !!plan.pass_mark, { error: passMarkNeeded, path: ['pass_mark'] }));

/** Maximum number of delegates per session. */
export const mostDelegates = 500;

/** The longest note of a mark. */
export const mostNote = 1000;

/** A mark for one delegate. `arrived` and `left` only if they did not attend from beginning to end. */
export const MarkArgs = z.object({
  presence: z.enum(['present', 'absent']),
  arrived: z.nullable(WallTime),
  left: z.nullable(WallTime),
  /** The result of the practical part, or of the whole if it is pass or fail. */
  outcome: z.nullable(z.enum(['passed', 'not_yet'])),
  /** For the grading methods that need them; older devices leave them out. */
  score: z.optional(z.nullable(z.int('Enter a whole number.').check(z.gte(0, 'Enter 0 to 100.'), z.lte(100, 'Enter 0 to 100.')))),
  theory: z.optional(z.nullable(z.enum(['passed', 'not_yet']))),
  note: Text(mostNote),
});
export type MarkArgs = z.infer<typeof MarkArgs>;
/** `clock_off_ms`: by how much the clock of the device turned out to be wrong at the next contact. `at` may be wrong by that. */
export const Mark = z.object({ ...MarkArgs.shape, id: Id, by: Ref, at: Instant, clock_off_ms: z.optional(z.nullable(ClockOffset)) });
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
 * A delegate's answer: when they accepted, or from when no answer counts as acceptance (null: never). `lapses_at`: for somebody who moved up
 * from the waiting list, the deadline to accept the place; then it goes to the next person waiting.
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
  /** The session was moved after they were booked: whether they have confirmed. Null if they need not. */
  move: z.optional(z.nullable(z.enum(['asked', 'agreed']))),
  /** Null if nobody asks them whether they come. The same answer settles `move`. */
  answer: z.optional(z.nullable(DelegateAnswer)),
  /** They checked in themselves with the displayed code. This is not a mark. */
  checked_in: z.optional(z.nullable(CheckedIn)),
});
export type Delegate = z.infer<typeof Delegate>;

/** A person on the waiting list of a full session; the first gets the next place. Ours. */
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
  /** An earlier day of a moved session for which its register was finished; null unless somebody has to confirm that it took place. */
  taken_on: z.nullable(Day),
  completed: z.nullable(z.object({ id: Id, at: Instant, by: Ref, note: z.string() })),
  /** The register was finished, then reopened; it is incomplete until it is finished again. */
  incomplete: z.nullable(z.object({ at: Instant, by: Ref, reason: z.string() })),
  /** Its number within its series, and the size of the series; null for a single session. */
  series: z.nullable(z.object({ id: Id, no: z.int(), of: z.int() })),
  /** Certificates are withheld until they are released. */
  certificates_withheld: z.boolean(),
};

export const SessionRow = z.object({ ...header, delegates: z.int(), present: z.int(), waiting: z.int() });
export type SessionRow = z.infer<typeof SessionRow>;

/** A session with its register. `rev` grows with every change. */
export const Register = z.object({ ...header, rev: z.int(), delegates: z.array(Delegate) });
export type Register = z.infer<typeof Register>;
/** A register after a change of its session. `told`: how many people have a message about it; nobody without an account has one. */
export const RegisterAndTold = z.extend(Register, { told: z.int() });
export type RegisterAndTold = z.infer<typeof RegisterAndTold>;

/** A coming session of the same provider, to which delegates can be copied or moved. Ours. */
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
  /** The people of the first session who are on its list or wait for it. */
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
/** The outcome: who has a place on the other session, who waits for one, and who was on it already. */
/** `asked`: people of clients, for whom a copy, or a move to a dearer session, only makes a booking request: their organisation decides, and pays. */
export const DelegatesGiven = z.object({ session_id: Id, booked: z.array(Ref), waiting: z.array(Ref), already: z.array(Ref), asked: z.array(Ref) });
export type DelegatesGiven = z.infer<typeof DelegatesGiven>;

/** Somebody's answer about their place, recorded by the office or the trainer. */
export const NotedAnswer = z.object({ answer: z.enum(['accepted', 'declined'], 'Choose an answer.'), reason: Text(500) });
export type NotedAnswer = z.infer<typeof NotedAnswer>;

/** A training session with the specification's field names, as in the graph. Fields that it does not name are ours. */
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
/** Input to plan, change or cancel it. Absent fields stay unchanged. */
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
/** A delegate of a session, with the graph's name of their state. */
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
/** The most registers that are sent to a device. */
export const mostRegisters = 50;
