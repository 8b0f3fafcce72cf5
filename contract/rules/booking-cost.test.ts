import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placesLines, placesTotal, unpricedPlaces } from '#contract/rules/booking-cost.ts';

const both = { per_person_pence: 4500, per_session_pence: 12_000, vat_rate: 20 };

describe('what places on a session cost', () => {
  it('is the price of each person and that of the session once, each line with its VAT', () => {
    expect(placesLines({ people: 3, bought: 0, price: both, paysSession: true })).toEqual([
      { of: 'person', quantity: 3, price_pence: 4500, vat_rate: 20, net_pence: 13_500, vat_pence: 2700, gross_pence: 16_200 },
      { of: 'session', quantity: 1, price_pence: 12_000, vat_rate: 20, net_pence: 12_000, vat_pence: 2400, gross_pence: 14_400 },
    ]);
    expect(placesLines({ people: 3, bought: 0, price: both, paysSession: false }).map((l) => l.of)).toEqual(['person']);
  });
  it('is nothing for places that were bought before, and nothing for a session of which all were', () => {
    expect(placesLines({ people: 3, bought: 2, price: both, paysSession: true }).map((l) => [l.of, l.quantity])).toEqual([
      ['person', 1],
      ['session', 1],
    ]);
    expect(placesLines({ people: 3, bought: 3, price: both, paysSession: true })).toEqual([]);
    expect(placesLines({ people: 0, bought: 0, price: both, paysSession: true })).toEqual([]);
  });
  it('is not known where no price is named: those places are counted, bought ones are not', () => {
    expect(placesLines({ people: 3, bought: 1, price: null, paysSession: true })).toEqual([]);
    expect([unpricedPlaces({ people: 3, bought: 1, price: null }), unpricedPlaces({ people: 3, bought: 1, price: both })]).toEqual([2, 0]);
  });
  it('adds up to the penny, whatever the rate', () => {
    const pence = fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: null });
    const price = fc.record({ per_person_pence: pence, per_session_pence: pence, vat_rate: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100) });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 }), fc.nat(200), price, fc.boolean(), (people, n, named, paysSession) => {
        const lines = placesLines({ people, bought: Math.min(n, people), price: named, paysSession });
        const total = placesTotal(lines);
        expect(total.gross_pence).toBe(total.net_pence + total.vat_pence);
        expect([total.net_pence, total.vat_pence].every(Number.isInteger)).toBe(true);
        expect(total.net_pence).toBe(lines.reduce((sum, l) => sum + l.quantity * l.price_pence, 0));
      }),
    );
  });
});
