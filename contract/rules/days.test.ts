import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  addMonths,
  addMonthsToDay,
  dayIn,
  daysBetween,
  endOfTerm,
  instantOf,
  isOver,
  isTimeZone,
  startOfDay,
  timeIn,
} from '#contract/rules/days.ts';

// London changes at 01:00 UTC, New York at 02:00, Lord Howe by half an hour, Beirut and Havana at midnight; Kathmandu never changes and
// is 5:45 ahead.
const zone = fc.constantFrom(
  ...['Europe/London', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut', 'America/Havana', 'Asia/Kathmandu', 'Pacific/Auckland', 'UTC'],
);
const instant = fc.date({ min: new Date('2000-01-01'), max: new Date('2037-12-31'), noInvalidDate: true }).map((d) => d.toISOString());
/** Instants around clock changes in London and New York. */
const nearChange = fc
  .tuple(
    fc.constantFrom('2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z', '2026-03-08T07:00:00.000Z', '2026-11-01T06:00:00.000Z'),
    fc.integer({ min: -5_400_000, max: 5_400_000 }),
  )
  .map(([at, by]) => new Date(Date.parse(at) + by).toISOString());
const anyInstant = fc.oneof(instant, nearChange);
const day = instant.map((at) => at.slice(0, 10));
/** The platform's own conversion. */
const platform = (at: string, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(new Date(at));

describe('days and times in an organisation’s time zone', () => {
  it('a day ends earlier than in UTC in summer, but not in winter', () => {
    expect(dayIn('2026-07-01T23:29:00.000Z', 'Europe/London')).toBe('2026-07-02');
    expect(dayIn('2026-12-01T23:29:00.000Z', 'Europe/London')).toBe('2026-12-01');
    expect(timeIn('2026-07-01T23:29:00.000Z', 'Europe/London')).toBe('00:29');
  });
  it('day and time agree with the platform, also around clock changes', () => {
    fc.assert(fc.property(anyInstant, zone, (at, z) => void expect(`${dayIn(at, z)} ${timeIn(at, z)}`).toBe(platform(at, z))));
  });
  it('day and time convert back to the instant, except in a repeated hour', () => {
    fc.assert(
      fc.property(anyInstant, zone, (at, z) => {
        const back = instantOf(dayIn(at, z), timeIn(at, z), z);
        expect([dayIn(back, z), timeIn(back, z)]).toEqual([dayIn(at, z), timeIn(at, z)]);
        expect(Date.parse(back)).toBeLessThanOrEqual(Date.parse(at));
      }),
    );
  });
  it('a day begins at its first instant', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          day,
          nearChange.map((at) => at.slice(0, 10)),
        ),
        zone,
        (d, z) => {
          const start = startOfDay(d, z);
          expect(dayIn(start, z)).toBe(d);
          expect(dayIn(new Date(Date.parse(start) - 1), z)).toBe(addDays(d, -1));
        },
      ),
    );
  });
  it('a skipped time moves forward; of a repeated time the first is used', () => {
    expect(instantOf('2026-03-29', '01:30', 'Europe/London')).toBe('2026-03-29T01:30:00.000Z');
    expect(instantOf('2026-10-25', '01:30', 'Europe/London')).toBe('2026-10-25T00:30:00.000Z');
  });
  it('adding days is independent of clock changes', () => {
    fc.assert(fc.property(day, fc.integer({ min: -5000, max: 5000 }), (d, n) => void expect(daysBetween(d, addDays(d, n))).toBe(n)));
  });
  it('adding months gives the same day of the month, or its last', () => {
    expect(addMonthsToDay('2024-01-31', 1)).toBe('2024-02-29');
    expect(addMonthsToDay('2024-02-29', 12)).toBe('2025-02-28');
    // Half past midnight in summer is the day before in UTC; the expiry is still on the expected local day.
    expect(dayIn(addMonths('2026-07-01T23:29:00.000Z', 12, 'Europe/London'), 'Europe/London')).toBe('2027-07-02');
    expect(addMonths('2026-01-31T00:10:00.000Z', 6, 'Europe/London')).toBe('2026-07-30T23:10:00.000Z');
    fc.assert(
      fc.property(
        anyInstant,
        fc.integer({ min: 0, max: 120 }),
        fc.constantFrom('Europe/London', 'America/New_York', 'UTC'),
        (at, n, z) => void expect(dayIn(addMonths(at, n, z), z)).toBe(addMonthsToDay(dayIn(at, z), n)),
      ),
    );
  });
  it('a term of months is good to the end of its last day, at whatever hour it began', () => {
    expect(endOfTerm('2028-02-29T12:00:00.000Z', 12, 'Europe/London')).toBe('2029-02-28T23:59:59.000Z');
    expect(endOfTerm('2026-02-28T12:00:00.000Z', 1, 'Europe/London')).toBe('2026-03-28T23:59:59.000Z');
    expect(endOfTerm('2026-02-28T23:30:00.000Z', 1, 'Asia/Kathmandu')).toBe('2026-04-01T18:14:59.000Z');
    fc.assert(
      fc.property(anyInstant, fc.integer({ min: 1, max: 120 }), zone, (at, n, z) => {
        const [ends, last] = [endOfTerm(at, n, z), addMonthsToDay(dayIn(at, z), n)];
        expect(dayIn(ends, z)).toBe(last);
        expect(isOver(ends, startOfDay(last, z), z)).toBe(false);
        expect(Date.parse(ends)).toBe(Date.parse(startOfDay(addDays(last, 1), z)) - 1000);
      }),
    );
  });
  it('time zone names are recognised', () => {
    expect(['Europe/London', 'UTC'].every(isTimeZone)).toBe(true);
    expect(['', 'Atlantis/Central', '+01:00', 'europe/london; drop'].some(isTimeZone)).toBe(false);
  });
});
