import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askOf } from '#contract/rules/asked-version.ts';

const london = 'Europe/London';
const asking = { version: 3, published_at: '2026-03-01T10:00:00.000Z', take_within_days: 28, completed_at: '2025-11-04T09:00:00.000Z' };

describe('a version that people are asked to take', () => {
  it('is due so many days after it was published, in words too', () => {
    expect(askOf(asking, new Date('2026-03-02T12:00:00Z'), london)).toEqual({
      ...{ due_at: '2026-03-29T22:59:59.000Z', late: false },
      words: 'The course has changed since (version 3): please take the new version by 29/03/2026. What was completed still counts.',
    });
  });
  it('is late once its last day is over where the person is', () => {
    expect(askOf(asking, new Date('2026-03-29T22:59:00Z'), london).late).toBe(false);
    const late = askOf(asking, new Date('2026-03-29T23:01:00Z'), london);
    expect([late.late, late.words]).toEqual([true, expect.stringContaining('by 29/03/2026')]);
  });
  it('gives the same number of days to somebody who finished the earlier version later, from the day they finished', () => {
    expect(askOf({ ...asking, completed_at: '2026-03-20T10:00:00.000Z' }, new Date('2026-04-17T12:00:00Z'), london).late).toBe(false);
  });
  it('never becomes less late as time goes by', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 365 }), fc.nat(800), fc.nat(100), (take_within_days, day, more) => {
        const at = (days: number) => askOf({ ...asking, take_within_days }, new Date(Date.parse(asking.published_at) + days * 86_400_000), london);
        expect(at(day + more).due_at).toBe(at(day).due_at);
        expect(Number(at(day + more).late)).toBeGreaterThanOrEqual(Number(at(day).late));
      }),
    );
  });
});
