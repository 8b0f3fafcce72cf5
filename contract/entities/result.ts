import * as z from 'zod/mini';
import { Choice, Count, Day, Id, Instant, Percent, Ref } from '#contract/entities/fields.ts';
import { isExpiryAfter } from '#contract/rules/result-dates.ts';

/** The kind of training of a result. Source: the specification. */
export const resultTypes = ['elearning', 'exempt', 'face2face', 'historical', 'scorm', 'assessment', 'pathway', 'unknown'] as const;
export type ResultType = (typeof resultTypes)[number];
/** Their labels, on screens and in files. */
export const resultTypeWords: Record<ResultType, string> = {
  elearning: 'E-learning',
  exempt: 'Exempt',
  face2face: 'Face to face',
  historical: 'Historical',
  scorm: 'E-learning',
  assessment: 'Assessment',
  pathway: 'Pathway',
  unknown: 'Other',
};
/** Those that can be entered by hand; the others are recorded by the product. */
export const enteredTypes = ['historical', 'exempt', 'face2face', 'assessment'] as const;
/** The state of a result; only an approved one counts. Ours: the specification has no values. */
export const resultStatuses = ['approved', 'pending', 'rejected', 'deleted'] as const;
export type ResultStatus = (typeof resultStatuses)[number];
/** Where a result comes from. */
export const resultOrigins = ['attempt', 'register', 'import', 'manual', 'approval', 'pathway', 'transfer'] as const;
/** The kinds of changes to a result; each creates a version. */
export const resultChanges = [
  'recorded',
  'submitted',
  'corrected',
  'approved',
  'rejected',
  'deleted',
  'restored',
  'redated',
  'evidence',
  'withdrawn',
] as const;
export type ResultChange = (typeof resultChanges)[number];
export const resultLimits = { atOnce: 500, decidedAtOnce: 200, listed: 1000 } as const;

/** How the expiry date is set: by the renewal rule of course and job role, to a chosen day, or never. */
export const expiryKinds = ['rule', 'day', 'never'] as const;

/** The version of a result: which change created it, when, by whom (null: the product itself) and why. */
export const ResultVersion = z.object({
  rev: Count,
  change: z.enum(resultChanges),
  at: Instant,
  by: z.nullable(Ref),
  reason: z.string(),
  status: z.enum(resultStatuses),
  completed_at: Instant,
  expires_at: z.nullable(Instant),
  score: z.nullable(Percent),
  note: z.string(),
  minutes: z.nullable(Count),
  cpd_hours: z.nullable(z.number()),
  /** The name of the evidence file. */
  evidence: z.nullable(z.string()),
  certificate_suppressed: z.boolean(),
});
export type ResultVersion = z.infer<typeof ResultVersion>;

/** A line of a training record. Instants in UTC; their days are those of the person's organisation, `zone`. */
export const Result = z.object({
  id: Id,
  user: Ref,
  place: z.string(),
  zone: z.string(),
  course_id: Id,
  course_title: z.string(),
  content_id: z.nullable(Id),
  content_version: z.nullable(Count),
  type: z.enum(resultTypes),
  status: z.enum(resultStatuses),
  origin: z.enum(resultOrigins),
  completed_at: Instant,
  expiry: z.enum(expiryKinds),
  expires_at: z.nullable(Instant),
  score: z.nullable(Percent),
  attempt_id: z.nullable(Id),
  /** Whether a certificate can be downloaded. */
  certificate: z.boolean(),
  /** The certificate number; null if there is none. */
  certificate_number: z.nullable(z.string()),
  certificate_suppressed: z.boolean(),
  /** The name of the evidence file. */
  evidence: z.nullable(z.string()),
  note: z.string(),
  /** Learning time. */
  minutes: z.nullable(Count),
  cpd_hours: z.nullable(z.number()),
  recorded_by: z.nullable(Ref),
  recorded_at: Instant,
  /** Whether it determines the person's compliance in the course: the latest approved one. */
  counts: z.boolean(),
  rev: Count,
  /** The change that made this version. */
  change: z.enum(resultChanges),
  changed_at: Instant,
  changed_by: z.nullable(Ref),
  change_reason: z.string(),
});
export type Result = z.infer<typeof Result>;

const Note = (most: number) => z.string().check(z.trim(), z.maxLength(most, `Use no more than ${most.toLocaleString('en-GB')} characters.`));
/** The reason for changing a result, where required. */
export const ResultReason = z
  .string({ error: 'Enter the reason.' })
  .check(z.trim(), z.minLength(3, 'Enter the reason.'), z.maxLength(500, 'Use no more than 500 characters.'));

/** A comment on a decision. */
export const DecisionNote = z.string().check(z.trim(), z.maxLength(500, 'Use no more than 500 characters.'));

const Hours = z
  .number('Enter a number of hours.')
  .check(z.gte(0, 'Enter 0 or more.'), z.lte(1000, 'Enter no more than 1,000.'), z.multipleOf(0.25, 'Use quarters of an hour.'));
const Minutes = z.int('Enter a whole number of minutes.').check(z.gte(0, 'Enter 0 or more.'), z.lte(100_000, 'Enter no more than 100,000.'));
const Score = z
  .int('Enter a whole number from 0 to 100.')
  .check(z.gte(0, 'Enter a number from 0 to 100.'), z.lte(100, 'Enter a number from 0 to 100.'));

/** The fields of a result entered by hand. Days as YYYY-MM-DD in the time zone of the person's organisation. */
export const resultFields = {
  completed_on: Day,
  expiry: z.enum(expiryKinds),
  /** The last day on which it is valid; required if `expiry` is `day`. */
  expires_on: z.nullable(Day),
  score: z.nullable(Score),
  /** Where it was taken, comments on it; for an exemption the reason. */
  note: Note(1000),
  evidence_id: z.nullable(Id),
  minutes: z.nullable(Minutes),
  cpd_hours: z.nullable(Hours),
};
type Dates = { completed_on?: string; expiry?: (typeof expiryKinds)[number]; expires_on?: string | null };
const expiryIsChosen = z.refine<Dates>(({ expiry, expires_on }) => expiry !== 'day' || expires_on != null, {
  error: 'Enter the date until which it is valid.',
  path: ['expires_on'],
});
const expiryIsLater = z.refine<Dates>((dates) => isExpiryAfter(dates), {
  error: 'This has to be later than the date of completion.',
  path: ['expires_on'],
});

/** The same result for one or more people and courses. `id` is created by the client and makes the call idempotent. */
export const NewResults = z
  .object({
    id: Id,
    type: z.enum(enteredTypes),
    user_ids: z.array(Choice('Choose who it is for.')).check(z.minLength(1, 'Choose at least one person.')),
    course_ids: z.array(Choice('Choose a course.')).check(z.minLength(1, 'Choose at least one course.')),
    ...resultFields,
  })
  .check(
    expiryIsChosen,
    expiryIsLater,
    z.refine(({ type, note }) => type !== 'exempt' || note.length >= 3, { error: 'Enter the reason for the exemption.', path: ['note'] }),
    z.refine(({ user_ids, course_ids }) => user_ids.length * course_ids.length <= resultLimits.atOnce, {
      error: `Record no more than ${resultLimits.atOnce} results at once: fewer people or fewer courses.`,
      path: ['user_ids'],
    }),
  );

/**
 * A correction. `rev` is the version that was edited; `reason` is kept in the history. Without an `evidence_id` the file stays, unless
 * `remove_evidence` is true; earlier versions keep it.
 */
export const ResultCorrection = z
  .object({ rev: Count, ...resultFields, remove_evidence: z._default(z.boolean(), false), certificate_suppressed: z.boolean(), reason: ResultReason })
  .check(expiryIsChosen, expiryIsLater);

/** What anybody with a certificate number is told. Days are those of the issuing organisation. */
export const CertificateValidity = z.object({
  status: z.enum(['valid', 'expired']),
  /** The last day on which it is or was valid; null: it does not expire. */
  valid_until: z.nullable(Day),
  /** The day on which it expired, at the end of its last valid day or before; null while it is valid. */
  expired_on: z.nullable(Day),
  /** Whether the same person has a later certificate of the course. */
  replaced: z.boolean(),
});

/** What could not be recorded, and why; everything else was. */
export const ResultProblem = z.object({ user: Ref, course: z.object({ id: Id, title: z.string() }), problem: z.string() });
export type ResultProblem = z.infer<typeof ResultProblem>;

/** A batch of certificates to download: of results, or the newest per course of people. Ours: the specification shows no body. */
export const certificatesAtOnce = 10_000;
const Chosen = z._default(
  z.array(Id).check(z.maxLength(certificatesAtOnce, `Choose no more than ${certificatesAtOnce.toLocaleString('en-GB')}.`)),
  [],
);
export const ChosenCertificates = z
  .object({ result_ids: Chosen, user_ids: Chosen })
  .check(z.refine(({ result_ids, user_ids }) => result_ids.length + user_ids.length > 0, { error: 'Choose at least one.', path: ['user_ids'] }));
export type ChosenCertificates = z.infer<typeof ChosenCertificates>;

/** The people whose wallet cards are printed together. */
export const cardsAtOnce = 200;
export const ChosenCards = z.object({
  user_ids: z.array(Id).check(z.minLength(1, 'Choose at least one.'), z.maxLength(cardsAtOnce, `Choose no more than ${cardsAtOnce}.`)),
});
