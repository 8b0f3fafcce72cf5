import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptBy, acceptUntil, answerAsked, answerState, withAsked } from '#contract/rules/delegate-answer.ts';

const now = '2026-11-27T09:00:00.000Z';
describe('whether a delegate comes', () => {
  it('is no question where nobody asks', () => {
    expect([answerState(null, now), answerState(undefined, now), answerAsked(0)]).toEqual([null, null, '']);
  });
  it.each([
    ['said', { at: '2026-11-20T09:00:00.000Z', counts_at: null }, 'accepted'],
    ['said nothing, and nothing counts as coming', { at: null, counts_at: null }, 'asked'],
    ['said nothing, and still has time', { at: null, counts_at: '2026-11-27T09:00:00.001Z' }, 'asked'],
    ['moved up, and still has time', { at: null, counts_at: null, lapses_at: '2026-11-27T09:00:00.001Z' }, 'asked'],
    ['moved up, and has not accepted in time', { at: null, counts_at: null, lapses_at: now }, 'lapsed'],
    ['moved up, and has accepted', { at: '2026-11-20T09:00:00.000Z', counts_at: null, lapses_at: now }, 'accepted'],
    ['said nothing in time', { at: null, counts_at: now }, 'accepted'],
  ])('%s', (_, answer, state) => {
    expect(answerState(answer, now)).toBe(state);
  });
  it('is asked with the time there is to answer', () => {
    expect(answerAsked(null)).toBe('Please say under Your bookings whether you can come.');
    expect(answerAsked(1)).toMatch(/within 1 hour, you count as coming\.$/);
    expect(answerAsked(48)).toMatch(/within 48 hours, you count as coming\.$/);
  });
  it('is asked on a line of its own where a message has several', () => {
    expect([withAsked('You are booked.', ''), withAsked('You are booked.', 'Come?')]).toEqual(['You are booked.', 'You are booked. Come?']);
    expect(withAsked('You are booked.\nWhat to bring: a pen.', 'Come?')).toBe('You are booked.\nWhat to bring: a pen.\nCome?');
  });
});

describe('the time to accept a place', () => {
  it.each([
    ['is as long as the provider says', '2026-12-27T09:00:00.000Z', 24, '2026-11-28T09:00:00.000Z'],
    ['is half of what is left where the session is near', '2026-11-27T19:00:00.000Z', 24, '2026-11-27T14:00:00.000Z'],
    ['is to the minute', '2026-11-27T09:15:00.000Z', 24, '2026-11-27T09:07:00.000Z'],
  ])('%s', (_, begins, hours, until) => {
    expect(acceptUntil(new Date(now), begins, hours)?.toISOString()).toBe(until);
  });
  it('is told in the time of the provider', () => {
    expect(acceptBy('2026-07-01T09:00:00.000Z', 'Europe/London')).toMatch(/by 01\/07\/2026 at 10:00\./);
  });
  it('is never in the past, never longer than the setting, and leaves at least half of the remaining time to the next person waiting', () => {
    const minutes = fc.integer({ min: -3 * 24 * 60 * 1000, max: 400 * 24 * 60 * 1000 });
    fc.assert(
      fc.property(
        fc.date({ min: new Date('2026-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        minutes,
        fc.integer({ min: 0, max: 720 }),
        (at, left, hours) => {
          const begins = new Date(at.getTime() + left).toISOString();
          const until = acceptUntil(at, begins, hours);
          if (hours === 0 || left < 2) return until === null;
          if (!until) return false;
          const took = until.getTime() - at.getTime();
          return took > 0 && took <= hours * 3_600_000 && took <= left / 2 && (took < 60_000 || until.getTime() % 60_000 === 0 || left / 2 < 60_000);
        },
      ),
    );
  });
});
