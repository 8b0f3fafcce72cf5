import * as z from 'zod/mini';
import { Count, Id, Instant, Ref } from '#contract/entities/fields.ts';

/** A criterion by its code within the standards, such as `9.1a`. The standards themselves are data. */
export const CriterionCode = z.string().check(z.regex(/^\d{1,2}\.\d{1,2}[a-z]{0,2}$/, 'This is not the code of a criterion.'));
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
const Words = (most: number) => z.string().check(z.trim(), z.minLength(1, 'Please fill this in.'), z.maxLength(most));

/** What an assessor says of one criterion in one record. */
export const CriterionNote = z.object({
  criterion: CriterionCode,
  outcome: CriterionOutcome,
  action: z.nullable(Text(1000)),
  due: z.nullable(Instant),
});

/** What is written down when somebody is observed. Never the name of the person who is supported. */
export const ObservationRecord = z.object({
  done_at: Instant,
  method: ObservationMethod,
  setting: Text(300),
  seen: Words(10_000),
  feedback: Text(5000),
  criteria: z.array(CriterionNote).check(z.minLength(1), z.maxLength(100)),
});
export type ObservationRecord = z.infer<typeof ObservationRecord>;

/** One entry of a certificate. Entries are only ever added: a correction or a withdrawal is an entry about another one. */
export const Observation = z.object({
  id: Id,
  kind: z.enum(['observation', 'correction', 'withdrawal']),
  about: z.nullable(Id),
  reason: z.nullable(z.string()),
  record: z.nullable(ObservationRecord),
  assessor: Ref,
  at: Instant,
  received_at: Instant,
});
export type Observation = z.infer<typeof Observation>;

/** What counts for a criterion now, and on which entry it stands. */
export const Decision = z.object({ id: Id, criterion: CriterionCode, outcome: CriterionOutcome, observation_id: Id, by: Ref, at: Instant });
export type Decision = z.infer<typeof Decision>;

/** What the registered manager said of the whole, the newest last. */
export const Approval = z.object({ id: Id, approved: z.boolean(), reason: z.nullable(z.string()), by: Ref, at: Instant });
export type Approval = z.infer<typeof Approval>;

/** A person's care certificate. `rev` grows with every entry and every decision. */
export const CareCertificate = z.object({
  id: Id,
  user: Ref,
  assigned_at: Instant,
  /** The version of the standards that it stands on. */
  standards_id: z.string(),
  approved_at: z.nullable(Instant),
  approvals: z.array(Approval),
  rev: Count,
  observations: z.array(Observation),
  decisions: z.array(Decision),
});
export type CareCertificate = z.infer<typeof CareCertificate>;

/** Which certificates are looked for: those not approved yet, those approved, or either. Source: the specification's care_certificate_filter. */
export const certificateFilters = ['in_progress', 'complete', 'either'] as const;

/** A certificate in a list: how far it has got. `waiting`: every criterion is met, and the registered manager has not approved it yet. */
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
});
export type CertificateRow = z.infer<typeof CertificateRow>;
