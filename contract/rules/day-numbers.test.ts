import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayNumbersIn } from '#contract/rules/day-numbers.ts';
import { dayIn } from '#contract/rules/days.ts';

describe('the days of many instants', () => {
  it.each(['Europe/London', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'])('are those of each, in %s', (zone) => {
    const day = dayNumbersIn(zone);
    const near = fc.oneof(
      fc.integer({ min: 0, max: 4_000_000_000 }),
      // About the changes of the clock.
      fc.integer({ min: Date.UTC(2026, 2, 28) / 1000, max: Date.UTC(2026, 2, 30) / 1000 }),
      fc.integer({ min: Date.UTC(2026, 9, 24) / 1000, max: Date.UTC(2026, 9, 26) / 1000 }),
    );
    fc.assert(
      fc.property(near, (seconds) => {
        expect(new Date(day(seconds) * 86_400_000).toISOString().slice(0, 10)).toBe(dayIn(new Date(seconds * 1000), zone));
      }),
      { numRuns: 400 },
    );
  });
});
