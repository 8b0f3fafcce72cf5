import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complianceOf, complianceStatuses, dueDay, statusChangesAt, statusNumberOn } from '#contract/rules/compliance-status.ts';
import { countingOf } from '#contract/rules/counting-result.ts';
import { dayNumber, dayNumbersIn } from '#contract/rules/day-numbers.ts';
import { addDays, addMonthsToDay, dayIn, dayWords, endOfDay, instantOf, isOver, startOfDay } from '#contract/rules/days.ts';
import { expiryOf, lastValidDay, type Renewal } from '#contract/rules/result-dates.ts';

/** On both sides of UTC, with clock changes at night and at midnight, in both directions. */
const zones = fc.constantFrom(
  ...[
    'Europe/London',
    'UTC',
    'Pacific/Auckland',
    'America/St_Johns',
    'America/Santiago',
    'America/Havana',
    'Asia/Tokyo',
    'Asia/Kolkata',
    'Pacific/Kiritimati',
  ],
);
/** Every day of twelve years, clock changes and 29 February among them. */
const days = fc.oneof(
  fc.integer({ min: 0, max: 4400 }).map((n) => addDays('2023-01-01', n)),
  fc.constantFrom(
    '2024-02-29',
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
    '2026-03-29',
    '2026-10-25',
    '2026-04-04',
    '2026-04-05',
    '2026-09-05',
    '2026-12-31',
  ),
);
const rolling: Renewal = { kind: 'rolling', months: 12, window: 0, on: null };
/** Moments of a day at which a rule could turn. */
const momentsOf = (day: string, zone: string): [at: Date, over: boolean][] => [
  [new Date(startOfDay(day, zone)), false],
  ...['00:05', '11:50', '12:00', '12:05', '23:30'].map((time): [Date, boolean] => [new Date(instantOf(day, time, zone)), false]),
  [new Date(endOfDay(day, zone)), false],
  [new Date(Date.parse(endOfDay(day, zone)) + 999), false],
  [new Date(Date.parse(endOfDay(day, zone)) + 1000), true],
  [new Date(instantOf(addDays(day, 1), '00:05', zone)), true],
  [new Date(instantOf(addDays(day, 1), '12:00', zone)), true],
];

describe('a day that is named', () => {
  it('is good to its end by every rule: for a result that was finished at any time of day', () => {
    fc.assert(
      fc.property(days, zones, fc.constantFrom('00:00', '00:30', '12:00', '12:05', '23:59'), (day, zone, time) => {
        const completed_at = instantOf(day, time, zone);
        const expires_at = expiryOf(completed_at, null, rolling, zone) as string;
        const last = addMonthsToDay(dayIn(completed_at, zone), 12);
        expect(lastValidDay(expires_at, zone)).toBe(last);
        const facts = { required: true, started_on: '2020-01-01', starter_period: 28, expiry_warning: 0, zone, result: { completed_at, expires_at } };
        for (const [at, over] of momentsOf(last, zone)) {
          const { status, reason } = complianceOf(facts, at);
          const words = [zone, last, at.toISOString()];
          expect([...words, isOver(expires_at, at, zone)]).toEqual([...words, over]);
          expect([...words, status]).toEqual([...words, over ? 'expired' : 'expiring']);
          expect(reason).toContain(dayWords(last));
          const fast = statusNumberOn(true, 0, dayNumbersIn(zone)(Date.parse(expires_at) / 1000), 0, dayNumber(dayIn(at, zone)));
          expect(complianceStatuses[fast]).toBe(status);
          const links = { alternatives: new Map([['a', ['b']]]), parts: new Map() };
          const held = { links, now: at, zone, latest: (course: string) => (course === 'b' ? facts.result : undefined) };
          expect([...words, countingOf('a', held) !== null]).toEqual([...words, !over]);
        }
      }),
      { numRuns: 400 },
    );
  });
  it('is good to its end for who has to do a course by it', () => {
    fc.assert(
      fc.property(days, zones, fc.integer({ min: 0, max: 90 }), fc.option(days), fc.option(days), (started_on, zone, starter_period, since, from) => {
        const facts = {
          required: true,
          started_on,
          starter_period,
          expiry_warning: 30,
          zone,
          result: null,
          required_since: since,
          required_from: from,
        };
        const last = dueDay(facts);
        for (const [at, over] of momentsOf(last, zone)) {
          const { status, due_at, reason } = complianceOf(facts, at);
          expect([zone, last, at.toISOString(), status]).toEqual([zone, last, at.toISOString(), over ? 'missing' : 'starter']);
          expect(dayIn(due_at as string, zone)).toBe(last);
          expect(reason).toContain(dayWords(last));
          expect(complianceStatuses[statusNumberOn(true, dayNumber(last), Number.NaN, 30, dayNumber(dayIn(at, zone)))]).toBe(status);
        }
        expect(statusChangesAt(facts)).toContain(Date.parse(startOfDay(addDays(last, 1), zone)));
      }),
      { numRuns: 400 },
    );
  });
  it('leaves out no second and counts none twice: the end of each day is one second before the next', () => {
    fc.assert(
      fc.property(days, zones, (day, zone) => {
        expect(dayIn(endOfDay(day, zone), zone)).toBe(day);
        expect(Date.parse(endOfDay(day, zone)) + 1000).toBe(Date.parse(startOfDay(addDays(day, 1), zone)));
      }),
    );
  });
});
