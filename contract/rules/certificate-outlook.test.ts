import { describe, expect, it } from 'vitest';
import type { CareCertificate, Observation, Signature } from '#contract/entities/care-certificate.ts';
import { outlookOf } from '#contract/rules/certificate-outlook.ts';

const day = 86_400_000;
const begun = Date.parse('2026-01-01T09:00:00.000Z');
const on = (days: number) => new Date(begun + days * day).toISOString();
const codes = Array.from({ length: 20 }, (_, i) => `1.1${String.fromCharCode(97 + i)}`);
const standards = {
  standards: [
    {
      ...{ code: '1', title: 'One' },
      outcomes: [{ code: '1.1', title: 'All', criteria: codes.map((code) => ({ code, text: code, kind: 'practice' as const, simulation: false })) }],
    },
  ],
};
const me = { id: 'a', name: 'Assessor' };

/** A certificate with these criteria met on these days. */
const certificate = (met: readonly { day: number; codes: readonly string[] }[], more: Partial<CareCertificate> = {}): CareCertificate => {
  const observations = met.map(
    ({ day: at, codes: seen }, i): Observation => ({
      ...{ id: `o${i}`, kind: 'observation', about: null, reason: null, assessor: me, at: on(at), received_at: on(at), skew_ms: null },
      record: {
        ...{ done_at: on(at), method: 'observation', setting: '', seen: 'Seen', feedback: '' },
        criteria: seen.map((criterion) => ({ criterion, outcome: 'met', action: null, due: null })),
      },
    }),
  );
  const decisions = met.flatMap(({ codes: seen, day: at }, i) =>
    seen.map((criterion) => ({ id: `d${criterion}`, criterion, outcome: 'met' as const, observation_id: `o${i}`, by: me, at: on(at) })),
  );
  return {
    ...{ id: 'c', user: { id: 'p', name: 'Person' }, assigned_at: on(0), standards_id: 's', approved_at: null, approvals: [], rev: 1 },
    ...{ observations, decisions, signatures: [], supervision: [], evidence: [] },
    ...more,
  };
};
const at = (days: number, of: CareCertificate) => outlookOf(standards, of, new Date(begun + days * day), 'Europe/London');
const learner = (about: string, agrees: boolean): Signature => ({
  ...{ id: `s${about}`, about, signer: 'learner', method: 'drawn', drawing: 'M1 1L2 2', content: '', agrees, comment: '', by: me, at: on(1) },
});

describe('the outlook of a certificate', () => {
  it('is forecast from the pace of the last four weeks and compared with twelve weeks', () => {
    const quick = at(28, certificate([{ day: 20, codes: codes.slice(0, 10) }]));
    expect(quick).toMatchObject({ days: 28, forecast: on(56), usual_end: on(84), reasons: [] });
    const slow = at(28, certificate([{ day: 20, codes: codes.slice(0, 4) }]));
    expect(slow).toMatchObject({ forecast: on(28 + 16 * 7), reasons: ['behind'] });
    // Criteria met long ago do not count towards the pace.
    expect(at(60, certificate([{ day: 1, codes: codes.slice(0, 10) }])).forecast).toBeNull();
    expect(at(90, certificate([{ day: 85, codes: codes.slice(0, 19) }])).reasons).toEqual(['behind']);
  });
  it('names a certificate that was not begun, or not assessed for three weeks', () => {
    expect(at(13, certificate([])).reasons).toEqual([]);
    expect(at(14, certificate([])).reasons).toEqual(['not_begun']);
    const one = [{ day: 1, codes: codes.slice(0, 19) }];
    expect(at(21.9, certificate(one)).reasons).toEqual([]);
    expect(at(22, certificate(one)).reasons).toEqual(['quiet']);
  });
  it('names what needs a conversation: sent back, disagreement, an overdue agreed action', () => {
    const approvals = [
      { id: 'x', approved: false, reason: 'Look again', by: me, at: on(5), method: null, drawing: null, doubtful: null, withdraws: null },
    ];
    expect(at(6, certificate([{ day: 4, codes }], { approvals })).reasons).toEqual(['sent_back', 'unsigned']);
    expect(
      at(
        7,
        certificate(
          [
            { day: 4, codes: codes.slice(0, 10) },
            { day: 6, codes: codes.slice(10) },
          ],
          { approvals },
        ),
      ).reasons,
    ).toEqual(['unsigned']);
    const all = [{ day: 4, codes }];
    expect(at(6, certificate(all, { signatures: [learner('o0', false)] })).reasons).toEqual(['disagrees']);
    expect(at(6, certificate(all, { signatures: [learner('o0', true)] })).reasons).toEqual([]);
    const waiting = certificate([{ day: 4, codes: codes.slice(0, 19) }]);
    const note = waiting.observations[0]?.record?.criteria[0];
    if (note) Object.assign(note, { outcome: 'not_yet_met', due: on(6).replace('T09', 'T00') });
    expect(at(6, waiting).reasons).toEqual([]);
    expect(at(7, waiting).reasons).toEqual(['action_overdue']);
  });
});
