import { describe, expect, it } from 'vitest';
import { stepOf } from '#contract/rules/pathway-steps.ts';

const now = new Date('2026-03-31T12:00:00Z');
const london = 'Europe/London';
const step = { since: '2026-03-01', within_days: 30, done_at: null };

describe('a step of a pathway', () => {
  it('is due until its last day is over, and late from then', () => {
    expect(stepOf(step, now, london)).toEqual({ state: 'due', due_on: '2026-03-31' });
    // Midnight in London, in summer time.
    expect(stepOf(step, new Date('2026-03-31T22:59:59Z'), london).state).toBe('due');
    expect(stepOf(step, new Date('2026-03-31T23:00:00Z'), london).state).toBe('late');
    expect(stepOf(step, new Date('2026-03-31T23:00:00Z'), 'UTC').state).toBe('due');
  });
  it('is open where no period is given', () => {
    expect(stepOf({ ...step, within_days: null }, now, london)).toEqual({ state: 'open', due_on: null });
  });
  it('stays done after its last day', () => {
    expect(stepOf({ ...step, done_at: '2026-05-01T00:00:00Z' }, new Date('2027-01-01T00:00:00Z'), london)).toEqual({
      state: 'done',
      due_on: '2026-03-31',
    });
  });
});
