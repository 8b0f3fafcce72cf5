import { expect, it } from 'vitest';
import type { ResultVersion } from '#contract/entities/result.ts';
import { completionOf, endOfValidity } from '#contract/rules/result-dates.ts';
import { versionChanges } from '#src/features/results/version-changes.ts';

const zone = 'Pacific/Auckland';
const first: ResultVersion = {
  ...{ rev: 1, change: 'recorded', at: '2026-03-12T10:00:00.000Z', by: null, reason: '', status: 'approved' },
  ...{ completed_at: completionOf('2026-03-12', zone), expires_at: null, score: null, note: '', minutes: null, cpd_hours: null },
  ...{ evidence: null, certificate_suppressed: false },
};

it('says nothing of the first version, nor of one in which only the status changed', () => {
  expect(versionChanges(first, undefined, zone)).toEqual([]);
  expect(versionChanges({ ...first, rev: 2, change: 'deleted', status: 'deleted', reason: 'Twice' }, first, zone)).toEqual([]);
});

it('names what changed, with both values and the days of the organisation', () => {
  const second: ResultVersion = {
    ...{ ...first, rev: 2, change: 'corrected', completed_at: completionOf('2026-03-11', zone), expires_at: endOfValidity('2027-03-11', zone) },
    ...{ score: 80, note: 'Riverside', minutes: 90, cpd_hours: 1.5, evidence: 'proof.pdf', certificate_suppressed: true },
  };
  expect(versionChanges(second, first, zone)).toEqual([
    'Completed on 12/03/2026 → 11/03/2026',
    'Valid until Does not expire → 11/03/2027',
    'Score none → 80 %',
    'Note none → “Riverside”',
    'Learning time none → 90 min',
    'CPD hours none → 1.5',
    'Evidence none → proof.pdf',
    'Certificate issued → withheld',
  ]);
});
