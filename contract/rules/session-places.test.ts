import { describe, expect, it } from 'vitest';
import { minimumOf, placesWords } from '#contract/rules/session-places.ts';

describe('the places of a session', () => {
  it.each([
    [{ delegates: 4, maxDelegates: null }, '4'],
    [{ delegates: 4, maxDelegates: 12 }, '4 of 12'],
    [{ delegates: 12, maxDelegates: 12, waiting: 0 }, 'Full'],
    // A walk-in can be one more than planned.
    [{ delegates: 13, maxDelegates: 12, waiting: 3 }, 'Full, 3 waiting'],
  ])('are told in words: %o', (places, words) => {
    expect(placesWords(places)).toBe(words);
  });

  it('are at risk where too few are booked a week before', () => {
    const session = { date: '2026-12-10', delegates: 3, minDelegates: 4, cancelled: null, completed: null };
    expect(minimumOf(session, '2026-12-02')).toBe('few');
    expect(minimumOf(session, '2026-12-03')).toBe('risk');
    expect(minimumOf({ ...session, delegates: 4 }, '2026-12-03')).toBe('reached');
    for (const no of [{ minDelegates: null }, { cancelled: {} }, { completed: {} }])
      expect(minimumOf({ ...session, ...no }, '2026-12-03')).toBeNull();
    expect(minimumOf(session, '2026-12-11')).toBeNull();
  });
});
