import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScormFacts } from '#contract/entities/package-work.ts';
import { mergeScormSession, scormTotals } from '#contract/rules/merge-scorm.ts';

/** Reports of one session; the n-th report of a session is always the same. */
const reports = fc.array(
  fc.record({
    seconds: fc.nat(100),
    completion: fc.constantFrom('not attempted' as const, 'incomplete' as const, 'completed' as const),
    success: fc.constantFrom('unknown' as const, 'failed' as const, 'passed' as const),
    score: fc.option(fc.integer({ min: 0, max: 100 })),
    percent: fc.integer({ min: 0, max: 100 }),
    at: fc.string(),
  }),
  { minLength: 1, maxLength: 6 },
);
const facts = (all: readonly (Omit<ScormFacts, 'ticks' | 'cmi'> & { at: string })[]): ScormFacts[] =>
  all.map(({ at, ...r }, i) => ({ ...r, ticks: i, cmi: { 'cmi.suspend_data': at } }));

describe('merging SCORM sessions', () => {
  it('gives the same result in any order and with repeated reports', () => {
    fc.assert(
      fc.property(reports, fc.array(fc.nat(20), { maxLength: 20 }), (all, order) => {
        const told = facts(all);
        const inOrder = told.reduce(mergeScormSession);
        const shuffled = [...order.map((i) => told[i % told.length] as ScormFacts), ...told.toReversed()].reduce(mergeScormSession);
        expect(shuffled).toEqual(inOrder);
        expect(inOrder.cmi).toEqual(told.at(-1)?.cmi);
      }),
    );
  });
  it('counts the time of every session once, and keeps the furthest state and the best score', () => {
    const session = (more: Partial<ScormFacts>): ScormFacts => ({
      ticks: 1,
      seconds: 60,
      completion: 'incomplete',
      success: 'unknown',
      score: null,
      percent: 10,
      cmi: {},
      ...more,
    });
    expect(
      scormTotals([
        session({ completion: 'completed', success: 'passed', score: 80 }),
        session({ seconds: 30, success: 'failed', score: 40 }),
        session({ completion: 'not attempted' }),
      ]),
    ).toEqual({ completion: 'completed', success: 'passed', score: 80, seconds: 150 });
    expect(scormTotals([])).toEqual({ completion: 'not attempted', success: 'unknown', score: null, seconds: 0 });
  });
});
