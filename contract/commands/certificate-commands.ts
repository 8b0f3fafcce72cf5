import * as z from 'zod/mini';
import { changeFields as change } from '#contract/commands/change.ts';
import { CriterionCode, CriterionOutcome, ObservationRecord, SignatureArgs, SupervisionArgs } from '#contract/entities/care-certificate.ts';
import { Id } from '#contract/entities/fields.ts';

const reason = (missing: string) => z.string().check(z.trim(), z.minLength(1, missing), z.maxLength(1000));

/** Every change to a care certificate that a device may queue. The change's id is the id of the entry it adds. */
export const RecordObservation = z.object({ ...change, command: z.literal('observation.record'), args: ObservationRecord });
export const CorrectObservation = z.object({
  ...change,
  command: z.literal('observation.correct'),
  args: z.object({ about: Id, reason: reason('Say why it is corrected.'), record: ObservationRecord }),
});
export const WithdrawObservation = z.object({
  ...change,
  command: z.literal('observation.withdraw'),
  args: z.object({ about: Id, reason: reason('Enter a reason.') }),
});
/** Decides what counts for a criterion from now on, replacing the decision that the assessor knew. Only this can conflict. */
export const DecideCriterion = z.object({
  ...change,
  command: z.literal('observation.decide'),
  args: z.object({ criterion: CriterionCode, outcome: CriterionOutcome, observation_id: Id, instead_of: z.nullable(Id) }),
});

/** Confirms a record with a signature; the learner can also disagree with it. */
export const SignObservation = z.object({ ...change, command: z.literal('observation.sign'), args: SignatureArgs });
/** Sets how closely the learner is supervised in a standard from now on. Less than line of sight requires that the standard is met. */
export const GrantSupervision = z.object({ ...change, command: z.literal('supervision.grant'), args: SupervisionArgs });

export const CertificateChange = z.discriminatedUnion('command', [
  RecordObservation,
  CorrectObservation,
  WithdrawObservation,
  DecideCriterion,
  SignObservation,
  GrantSupervision,
]);
export type CertificateChange = z.infer<typeof CertificateChange>;
