import type { ObservationRecord } from '#contract/entities/care-certificate.ts';

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
