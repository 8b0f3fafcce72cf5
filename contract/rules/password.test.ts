import { expect, it } from 'vitest';
import { isPasswordOld } from '#contract/rules/password.ts';

it('is good to the end of the same day of a later month, or of its last day', () => {
  const oldAt = (changed: string, months: number, now: string, zone = 'Europe/London') => isPasswordOld(changed, months, new Date(now), zone);
  expect(oldAt('2026-01-31T09:00:00Z', 1, '2026-02-28T23:59:59Z')).toBe(false);
  expect(oldAt('2026-01-31T09:00:00Z', 1, '2026-03-01T00:00:00Z')).toBe(true);
  expect(oldAt('2028-01-31T09:00:00Z', 1, '2028-02-29T12:00:00Z')).toBe(false);
  expect(oldAt('2026-01-31T09:00:00Z', 12, '2027-01-31T18:00:00Z')).toBe(false);
  // It is the next day there already.
  expect(oldAt('2026-01-31T09:00:00Z', 1, '2026-02-28T15:00:00Z', 'Asia/Tokyo')).toBe(true);
});
