import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LinePrice, lineAmounts, moneyWords, penceOf, plainAmount, totalOf } from '#contract/rules/money.ts';

const line = fc.record<LinePrice>({
  price_pence: fc.integer({ min: 0, max: 10_000_000 }),
  quantity: fc.integer({ min: 1, max: 1000 }),
  vat_rate: fc.constantFrom(0, 5, 20),
  platform_share: fc.integer({ min: 0, max: 100 }),
});

test('the parts of an order add up to the penny, whatever its lines are', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 50 }), (lines) => {
      const each = lines.map(lineAmounts);
      for (const amounts of [...each, totalOf(each)]) {
        expect(Object.values(amounts).every((a) => Number.isSafeInteger(a) && a >= 0)).toBe(true);
        expect(amounts.net_pence + amounts.vat_pence).toBe(amounts.gross_pence);
        expect(amounts.platform_pence + amounts.provider_pence).toBe(amounts.net_pence);
      }
      const printed = each.reduce((sum, a) => sum + Math.round(Number(plainAmount(a.gross_pence)) * 100), 0);
      expect(printed).toBe(totalOf(each).gross_pence);
    }),
  );
});

test('a rounded part is never further than half a penny from the exact one, and half a penny goes up', () => {
  fc.assert(
    fc.property(line, (of) => {
      const { net_pence, vat_pence, platform_pence } = lineAmounts(of);
      expect(Math.abs(vat_pence * 100 - net_pence * of.vat_rate)).toBeLessThanOrEqual(50);
      expect(Math.abs(platform_pence * 100 - net_pence * of.platform_share)).toBeLessThanOrEqual(50);
    }),
  );
  expect(lineAmounts({ price_pence: 10, quantity: 1, vat_rate: 5, platform_share: 15 })).toEqual({
    ...{ net_pence: 10, vat_pence: 1, gross_pence: 11, platform_pence: 2, provider_pence: 8 },
  });
});

test('an amount is written one way and read as people type it', () => {
  expect(moneyWords(123_450)).toBe('£1,234.50');
  expect(moneyWords(0)).toBe('£0.00');
  expect(['12', '£12.5', '1,234.50', ' 0.05 '].map(penceOf)).toEqual([1200, 1250, 123_450, 5]);
  expect(['', '1.234', '12,34', '-1', 'twelve', '1e3'].map(penceOf)).toEqual([null, null, null, null, null, null]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 99_999_999_999 }),
      (pence) => penceOf(moneyWords(pence)) === pence && penceOf(plainAmount(pence)) === pence,
    ),
  );
});
