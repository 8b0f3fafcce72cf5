import type { RecordDoubt } from '#contract/rules/approval-review.ts';
import type { StuckReason } from '#contract/rules/certificate-outlook.ts';
import type { ObservationRecord, Signature } from '#contract/entities/care-certificate.ts';

export const methodWords: Record<ObservationRecord['method'], string> = {
  observation: 'Seen in real work',
  natural_evidence: 'Evidence from everyday work',
  witness_testimony: 'Told by a witness',
  questioning: 'Questions or a conversation',
  workbook: 'Workbook',
  reflective_account: 'Reflective account',
  simulation: 'Simulation',
  test: 'Test',
};
export const outcomeWords = { met: 'Met', not_yet_met: 'Not yet', not_observed: 'Not seen' } as const;
export const evidenceWords = { photo: 'Photograph', audio: 'Recording', document: 'Document' } as const;
export const peopleWords = { nobody: 'Nobody', hidden: 'Nobody: people were made unrecognisable', agreed: 'Yes, and they agreed' } as const;
export const supervisionWords = { line_of_sight: 'In line of sight', indirect: 'Indirect supervision' } as const;
export const signedHow: Record<Signature['method'], string> = { drawn: 'by hand', pin: 'with a PIN', signed_in: 'signed in' };
export const doubtWords: Record<RecordDoubt, string> = {
  assessor_unsigned: 'The assessor has not signed.',
  learner_unsigned: 'The learner has not signed.',
  learner_disagrees: 'The learner does not agree.',
  witness_unverified: 'The witness has not been asked.',
};
export const reasonWords: Record<StuckReason, string> = {
  sent_back: 'Sent back, and nothing new since.',
  disagrees: 'The learner does not agree with a record.',
  action_overdue: 'The day of an agreed action has gone by.',
  not_begun: 'Nobody has recorded anything yet.',
  quiet: 'Nothing recorded for three weeks.',
  behind: 'Will take longer than twelve weeks.',
  unverified: 'A witness has not been asked yet.',
  unsigned: 'The learner has not signed every record.',
};
