import * as z from 'zod/mini';
import { EvidenceFile, EvidenceNote } from '#contract/entities/care-evidence.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { ClockOffset, Count, Day, Hash, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** A criterion by its code in the standards, such as `9.1a`. */
export const CriterionCode = z.string().check(z.regex(/^\d{1,2}\.\d{1,2}[a-z]{0,2}$/, 'This is not a valid criterion code.'));
export const CriterionOutcome = z.enum(['met', 'not_yet_met', 'not_observed']);
export type CriterionOutcome = z.infer<typeof CriterionOutcome>;
export const ObservationMethod = z.enum([
  'observation',
  'questioning',
  'workbook',
  'witness_testimony',
  'reflective_account',
  'simulation',
  'natural_evidence',
  'test',
]);
const Text = (most: number) => z.string().check(z.trim(), z.maxLength(most));
const Words = (most: number, missing = 'This field is required.') => z.string().check(z.trim(), z.minLength(1, missing), z.maxLength(most));

/** An assessor's judgement of one criterion in one record. */
export const CriterionNote = z.object({
  criterion: CriterionCode,
  outcome: CriterionOutcome,
  action: z.nullable(Text(1000)),
  due: z.nullable(Instant),
});
export type CriterionNote = z.infer<typeof CriterionNote>;

/** Someone without an account who saw it. Their statement is unverified until a colleague of the assessor has asked them. */
export const Witness = z.object({
  name: Words(200, 'Enter their name.'),
  role: Words(200, 'Enter what they do.'),
  relationship: Text(200),
  contact: Text(200),
  statement: Words(5000, 'Enter what they say.'),
});
export type Witness = z.infer<typeof Witness>;

/** What an assessor records of an observation. Never contains the name of the supported person. */
export const ObservationRecord = z.object({
  done_at: Instant,
  method: ObservationMethod,
  setting: Text(300),
  seen: Words(10_000, 'Write what you saw or heard.'),
  feedback: Text(5000),
  criteria: z.array(CriterionNote).check(z.minLength(1), z.maxLength(100)),
  witness: z.optional(Witness),
  evidence: z.optional(z.array(EvidenceNote).check(z.minLength(1), z.maxLength(evidenceLimits.files))),
});
export type ObservationRecord = z.infer<typeof ObservationRecord>;

/** One entry of a certificate. Entries are append-only: a correction or a withdrawal is an entry that refers to another. */
export const Observation = z.object({
  id: Id,
  kind: z.enum(['observation', 'correction', 'withdrawal']),
  about: z.nullable(Id),
  reason: z.nullable(z.string()),
  record: z.nullable(ObservationRecord),
  assessor: Ref,
  at: Instant,
  received_at: Instant,
  /** How far the device's clock was behind at the time of saving, in milliseconds; null if it was right. `at` is already corrected. */
  skew_ms: z.nullable(ClockOffset),
  /** By how much the clock turned out to be wrong at the next contact: `at` may be wrong by that. Absent on older servers. */
  clock_off_ms: z.optional(z.nullable(ClockOffset)),
});
export type Observation = z.infer<typeof Observation>;

/** The outcome that counts for a criterion, and the observation it is based on. */
export const Decision = z.object({ id: Id, criterion: CriterionCode, outcome: CriterionOutcome, observation_id: Id, by: Ref, at: Instant });
export type Decision = z.infer<typeof Decision>;

/** A hand-drawn line: path strokes in a box of 400 by 160. */
export const Drawing = z.string().check(z.minLength(6), z.maxLength(20_000), z.regex(/^(M\d{1,3} \d{1,3}(L\d{1,3} \d{1,3})*)+$/));

/**
 * A signed statement about a record: the assessor confirms it, the learner agrees or disagrees, the witness confirms it, a
 * colleague (`verifier`) has asked the witness. It is bound to the entry `about` and to `content`, the hash of that entry's
 * content (contract/rules/content-hash.ts), so after a correction it still refers to the earlier version. Proof of identity: a
 * drawn signature, a PIN on the assessor’s device, or a sign-in on their own device.
 */
export const signers = ['assessor', 'learner', 'witness', 'verifier'] as const;
export const SignatureArgs = z.object({
  about: Id,
  signer: z.enum(signers),
  method: z.enum(['drawn', 'pin', 'signed_in']),
  drawing: z.nullable(Drawing),
  content: Hash,
  agrees: z.nullable(z.boolean()),
  comment: Text(2000),
});
export type SignatureArgs = z.infer<typeof SignatureArgs>;
export const Signature = z.object({ ...SignatureArgs.shape, id: Id, by: Ref, at: Instant });
export type Signature = z.infer<typeof Signature>;

/** How closely someone is supervised in a standard, until another level is granted. */
export const supervisionLevels = ['line_of_sight', 'indirect'] as const;
export const SupervisionArgs = z.object({
  standard: z.string().check(z.regex(/^\d{1,2}$/)),
  level: z.enum(supervisionLevels),
  note: Text(1000),
});
export type SupervisionArgs = z.infer<typeof SupervisionArgs>;
export const Supervision = z.object({ ...SupervisionArgs.shape, id: Id, by: Ref, at: Instant });
export type Supervision = z.infer<typeof Supervision>;

/** A standard in which someone is competent to assess others, with the basis and the last valid day (null: no end). */
export const Competence = z.object({
  standard: z.string().check(z.regex(/^\d{1,2}$/)),
  basis: Words(500, 'Say what makes them competent.'),
  until: z.nullable(Day),
});
export type Competence = z.infer<typeof Competence>;

/** How the approver proves their identity: a drawn signature, their PIN on the device, or their current sign-in. */
export const approvalProof = { method: z.enum(['drawn', 'pin', 'signed_in']), drawing: z.nullable(Drawing) };
/**
 * The registered manager's decisions on the whole certificate, newest last: approved and signed, sent back, or an approval
 * withdrawn (`withdraws`). `doubtful`: how many records lacked a signature at approval; null if unknown.
 */
export const Approval = z.object({
  id: Id,
  approved: z.boolean(),
  reason: z.nullable(z.string()),
  by: Ref,
  at: Instant,
  method: z.nullable(approvalProof.method),
  drawing: approvalProof.drawing,
  doubtful: z.nullable(Count),
  withdraws: z.nullable(Id),
});
export type Approval = z.infer<typeof Approval>;

/** A person's care certificate. `rev` grows with every entry and decision. */
export const CareCertificate = z.object({
  id: Id,
  user: Ref,
  assigned_at: Instant,
  /** The version of the standards it is assessed against. */
  standards_id: z.string(),
  approved_at: z.nullable(Instant),
  approvals: z.array(Approval),
  rev: Count,
  observations: z.array(Observation),
  decisions: z.array(Decision),
  /** Signatures and supervision, newest last. */
  signatures: z.array(Signature),
  supervision: z.array(Supervision),
  /** Files of its records that the server has, complete or in part. */
  evidence: z.array(EvidenceFile),
});
export type CareCertificate = z.infer<typeof CareCertificate>;

/** Not yet approved, approved, or both. Source: the specification's care_certificate_filter. */
export const certificateFilters = ['in_progress', 'complete', 'either'] as const;

/** A certificate in a list, with its progress. `waiting`: every criterion is met and approval is outstanding. */
export const CertificateRow = z.object({
  id: Id,
  user: Ref,
  place: z.string(),
  role: z.nullable(z.string()),
  assigned_at: Instant,
  approved_at: z.nullable(Instant),
  last_observed_at: z.nullable(Instant),
  met: z.int(),
  of: z.int(),
  standards_met: z.int(),
  standards_of: z.int(),
  waiting: z.boolean(),
  /** It was approved, until a record that it rests on was withdrawn or changed. */
  approval_ended: z.boolean(),
});
export type CertificateRow = z.infer<typeof CertificateRow>;
