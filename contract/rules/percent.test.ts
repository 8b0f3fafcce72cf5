import fc from 'fast-check';
import { expect, it } from 'vitest';
import { percentOf } from '#contract/rules/percent.ts';

it('is rounded, 100 only for all and 0 only for none', () => {
  expect([percentOf(2, 3), percentOf(1, 3), percentOf(1, 2), percentOf(999, 1000), percentOf(1, 1000), percentOf(0, 5), percentOf(5, 5)]).toEqual([
    ...[67, 33, 50, 99, 1, 0, 100],
  ]);
  expect(percentOf(0, 0)).toBeNull();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(), (whole, n) => {
      const part = n % (whole + 1);
      const percent = percentOf(part, whole) as number;
      expect(percent === 100).toBe(part === whole);
      expect(percent === 0).toBe(part === 0);
      expect(Math.abs(percent - (100 * part) / whole)).toBeLessThanOrEqual(1);
      if (part < whole) expect(percentOf(part + 1, whole) as number).toBeGreaterThanOrEqual(percent);
    }),
  );
});
