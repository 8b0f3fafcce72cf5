import { describe, expect, it } from 'vitest';
import { answerAsked, answerState } from '#contract/rules/delegate-answer.ts';

const now = '2026-11-27T09:00:00.000Z';
describe('whether a delegate comes', () => {
  it('is no question where nobody asks', () => {
    expect([answerState(null, now), answerState(undefined, now), answerAsked(0)]).toEqual([null, null, '']);
  });
  it.each([
    ['said', { at: '2026-11-20T09:00:00.000Z', counts_at: null }, 'accepted'],
    ['said nothing, and nothing counts as coming', { at: null, counts_at: null }, 'asked'],
    ['said nothing, and still has time', { at: null, counts_at: '2026-11-27T09:00:00.001Z' }, 'asked'],
    ['said nothing in time', { at: null, counts_at: now }, 'accepted'],
  ])('%s', (_, answer, state) => {
    expect(answerState(answer, now)).toBe(state);
  });
  it('is asked with the time there is to answer', () => {
    expect(answerAsked(null)).toBe(' Please say under Your bookings whether you can come.');
    expect(answerAsked(1)).toMatch(/within 1 hour, you count as coming\.$/);
    expect(answerAsked(48)).toMatch(/within 48 hours, you count as coming\.$/);
  });
});
