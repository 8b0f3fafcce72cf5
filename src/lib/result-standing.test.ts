import { expect, it } from 'vitest';
import type { Result } from '#contract/entities/result.ts';
import { endOfValidity } from '#contract/rules/result-dates.ts';
import { standingOf, validUntilWords } from '#src/lib/result-standing.ts';

const result = (to: Partial<Result>) =>
  ({ status: 'approved', counts: true, type: 'historical', expires_at: null, zone: 'Europe/London', ...to }) as Result;
const now = '2026-11-25T12:00:00.000Z';

it('says how a result stands: by its status, then by what counts, its end and its type', () => {
  expect(standingOf(result({}), now)).toBe('counts');
  expect(standingOf(result({ type: 'exempt' }), now)).toBe('exempt');
  expect(standingOf(result({ type: 'exempt', expires_at: '2026-11-24T23:59:59.000Z' }), now)).toBe('expired');
  // The last day is good to its end.
  expect(standingOf(result({ expires_at: now }), '2026-11-25T23:59:59.999Z')).toBe('counts');
  expect(standingOf(result({ counts: false, expires_at: now }), now)).toBe('earlier');
  for (const status of ['pending', 'rejected', 'deleted'] as const) expect(standingOf(result({ status, counts: false }), now)).toBe(status);
});

it('names the last day on which it is valid', () => {
  expect(validUntilWords(endOfValidity('2026-07-01', 'Europe/London'), 'Europe/London')).toBe('01/07/2026');
  expect(validUntilWords(null, 'Europe/London')).toBe('Does not expire');
});
