import { describe, expect, it } from 'vitest';
import type { Decision, Observation, ObservationRecord } from '#contract/entities/care-certificate.ts';
import { criteriaNow, methodFits, progressOf, recordsNow } from '#contract/rules/certificate-progress.ts';

const standards = {
  standards: [
    {
      ...{ code: '8', title: 'Fluids' },
      outcomes: [
        {
          ...{ code: '8.1', title: 'Know' },
          criteria: [{ code: '8.1a', text: '', kind: 'knowledge' as const, simulation: false }],
        },
        {
          ...{ code: '8.2', title: 'Do' },
          criteria: [{ code: '8.2a', text: '', kind: 'practice' as const, simulation: false }],
        },
      ],
    },
    {
      ...{ code: '12', title: 'Life support' },
      outcomes: [{ code: '12.1', title: 'Do', criteria: [{ code: '12.1a', text: '', kind: 'practice' as const, simulation: true }] }],
    },
  ],
};
const at = '2026-01-01T10:00:00.000Z';
const by = { id: 'a', name: 'Assessor' };
type Outcome = 'met' | 'not_yet_met' | 'not_observed';
const record = (criteria: Record<string, Outcome>, method: ObservationRecord['method'] = 'observation'): ObservationRecord => ({
  ...{ done_at: at, method, setting: '', seen: 'Seen.', feedback: '' },
  criteria: Object.entries(criteria).map(([criterion, outcome]) => ({
    criterion,
    outcome,
    action: outcome === 'not_yet_met' ? 'Again' : null,
    due: null,
  })),
});
const entry = (id: string, kind: Observation['kind'], about: string | null, said: ObservationRecord | null): Observation => ({
  ...{ id, kind, about, reason: about && 'Mistaken', record: said, assessor: by, at, received_at: at, skew_ms: null },
});
const decision = (criterion: string, observation_id: string, outcome: Outcome = 'met'): Decision => ({
  id: `d-${criterion}`,
  criterion,
  outcome,
  observation_id,
  by,
  at,
});

describe('a care certificate', () => {
  it('accepts practice seen in real work, and in a simulation only where the criterion allows it', () => {
    const practice = { kind: 'practice' as const, simulation: false };
    expect((['observation', 'natural_evidence', 'witness_testimony'] as const).every((m) => methodFits(practice, m))).toBe(true);
    expect((['questioning', 'workbook', 'reflective_account', 'simulation', 'test'] as const).some((m) => methodFits(practice, m))).toBe(false);
    expect(methodFits({ ...practice, simulation: true }, 'simulation')).toBe(true);
    expect(methodFits({ ...practice, simulation: true }, 'workbook')).toBe(false);
    expect(methodFits({ kind: 'knowledge', simulation: false }, 'workbook')).toBe(true);
  });

  it('reports progress of knowledge and practice separately, and is complete when every criterion is met', () => {
    const first = entry('o1', 'observation', null, record({ '8.1a': 'met', '8.2a': 'not_yet_met' }));
    const said = { observations: [first], decisions: [decision('8.1a', 'o1'), decision('8.2a', 'o1', 'not_yet_met')] };
    expect(progressOf(standards, said)).toMatchObject({ met: 1, of: 3, standards_met: 0, complete: false });
    expect(progressOf(standards, said).standards.map(({ code, state, knowledge, practice }) => [code, state, knowledge, practice])).toEqual([
      ['8', 'under_way', { met: 1, of: 1 }, { met: 0, of: 1 }],
      ['12', 'not_begun', { met: 0, of: 0 }, { met: 0, of: 1 }],
    ]);
    const more = entry('o2', 'observation', null, record({ '8.2a': 'met', '12.1a': 'met' }, 'natural_evidence'));
    expect(
      progressOf(standards, { observations: [first, more], decisions: [decision('8.1a', 'o1'), decision('8.2a', 'o2'), decision('12.1a', 'o2')] }),
    ).toMatchObject({ met: 3, standards_met: 2, complete: true });
  });

  it('never accepts a workbook as practice, even if an assessor did', () => {
    const said = { observations: [entry('o1', 'observation', null, record({ '8.2a': 'met' }, 'workbook'))], decisions: [decision('8.2a', 'o1')] };
    expect(criteriaNow(standards, said).get('8.2a')?.state).toBe('open');
  });

  it('follows a correction of a correction; a withdrawn record stays withdrawn even if it is corrected later', () => {
    const observations = [
      entry('o1', 'observation', null, record({ '8.1a': 'met', '8.2a': 'met' })),
      entry('c1', 'correction', 'o1', record({ '8.1a': 'not_yet_met' })),
    ];
    const decisions = [decision('8.1a', 'o1'), decision('8.2a', 'o1')];
    const states = criteriaNow(standards, { observations, decisions });
    expect(states.get('8.1a')).toMatchObject({ state: 'not_yet_met', action: 'Again', observation_id: 'o1' });
    expect(states.get('8.2a')?.state).toBe('open');
    const again = [...observations, entry('c2', 'correction', 'c1', record({ '8.1a': 'met' }))];
    expect(criteriaNow(standards, { observations: again, decisions }).get('8.1a')?.state).toBe('met');
    const withdrawn = [...again, entry('w', 'withdrawal', 'c2', null), entry('c3', 'correction', 'o1', record({ '8.1a': 'met' }))];
    expect(recordsNow(withdrawn).get('o1')).toBeNull();
    expect(criteriaNow(standards, { observations: withdrawn, decisions }).get('8.1a')?.state).toBe('open');
  });
});
