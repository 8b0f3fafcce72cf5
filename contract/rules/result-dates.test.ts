import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, addMonthsToDay, dayIn } from '#contract/rules/days.ts';
import { completionOf, endOfValidity, expiryOf, isExpiryAfter, lastValidDay, type Renewal } from '#contract/rules/result-dates.ts';

const zone = 'Europe/London';
const rolling: Renewal = { kind: 'rolling', months: 12, window: 0, on: null };
const days = fc.integer({ min: 0, max: 20_000 }).map((n) => addDays('1990-01-01', n));
const zones = fc.constantFrom('Europe/London', 'Asia/Tokyo', 'America/St_Johns', 'Pacific/Auckland');
const months = fc.integer({ min: 1, max: 120 });
const at = (day: string) => completionOf(day, zone);
const last = (day: string) => endOfValidity(day, zone);

describe('how long a result is valid', () => {
  it('is for ever where the course is not renewed', () => {
    for (const none of [0, null]) expect(expiryOf(at('2026-03-01'), null, { ...rolling, months: none }, zone)).toBeNull();
  });
  it('is so many months from completion, whatever was before', () => {
    fc.assert(
      fc.property(days, fc.option(days), months, zones, (day, before, n, where) => {
        const completed = completionOf(day, where);
        expect(expiryOf(completed, before && completionOf(before, where), { ...rolling, months: n }, where)).toBe(
          endOfValidity(addMonthsToDay(day, n), where),
        );
      }),
    );
  });
  it('keeps the day of the old end where it was renewed within the window, and only there', () => {
    const rule: Renewal = { ...rolling, kind: 'window', window: 30 };
    const end = at('2026-06-15');
    expect(expiryOf(at('2026-05-20'), end, rule, zone)).toBe(last('2027-06-15'));
    expect(expiryOf(at('2026-05-16'), end, rule, zone)).toBe(last('2027-06-15'));
    expect(expiryOf(at('2026-05-15'), end, rule, zone)).toBe(last('2027-05-15'));
    expect(expiryOf(at('2026-06-16'), end, rule, zone)).toBe(last('2027-06-16'));
    expect(expiryOf(at('2026-05-20'), null, rule, zone)).toBe(last('2027-05-20'));
  });
  it('never loses a day by renewing in the window early', () => {
    fc.assert(
      fc.property(days, months, fc.integer({ min: 0, max: 180 }), fc.nat(180), (day, n, window, early) => {
        const end = at(day);
        const done = at(addDays(day, -Math.min(early, window)));
        const next = expiryOf(done, end, { ...rolling, kind: 'window', months: n, window }, zone) as string;
        expect(next).toBe(last(addMonthsToDay(day, n)));
      }),
    );
  });
  it('ends on the same day of the year for everyone', () => {
    const rule: Renewal = { kind: 'fixed', months: 12, window: 31, on: '01-31' };
    const lastDay = (day: string, of = rule) => lastValidDay(expiryOf(at(day), null, of, zone) as string, zone);
    expect(lastDay('2026-11-15')).toBe('2027-01-31');
    expect(lastDay('2026-12-30')).toBe('2027-01-31');
    expect(lastDay('2026-12-31')).toBe('2028-01-31');
    expect(lastDay('2027-01-15')).toBe('2028-01-31');
    expect(lastDay('2027-01-31')).toBe('2028-01-31');
    expect(lastDay('2027-02-01')).toBe('2028-01-31');
    expect(lastDay('2026-11-15', { ...rule, months: 36 })).toBe('2029-01-31');
    expect(lastDay('2027-02-01', { ...rule, on: '02-29', window: 0 })).toBe('2027-02-28');
    expect(lastDay('2027-03-01', { ...rule, on: '02-29', window: 0 })).toBe('2028-02-29');
  });
  it('of a fixed day is after completion, in no other year than its own, and never earlier for who completes later', () => {
    fc.assert(
      fc.property(days, fc.nat(400), fc.constantFrom('01-31', '02-29', '07-01', '12-31'), fc.nat(120), zones, (day, later, on, window, where) => {
        const rule: Renewal = { kind: 'fixed', months: 12, window, on };
        const end = expiryOf(completionOf(day, where), null, rule, where) as string;
        const last = lastValidDay(end, where);
        expect(last > day).toBe(true);
        expect(last <= addDays(day, 366 + window)).toBe(true);
        expect([on, '02-28']).toContain(last.slice(5));
        expect((expiryOf(completionOf(addDays(day, later), where), null, rule, where) as string) >= end).toBe(true);
      }),
    );
  });
});

describe('the days of a result', () => {
  it('are the same again, whatever the time zone and its clock changes', () => {
    fc.assert(
      fc.property(days, zones, (day, where) => {
        expect(dayIn(completionOf(day, where), where)).toBe(day);
        expect(lastValidDay(endOfValidity(day, where), where)).toBe(day);
      }),
    );
  });
  it('end after they begin', () => {
    expect(isExpiryAfter({ completed_on: '2026-01-02', expiry: 'day', expires_on: '2026-01-03' })).toBe(true);
    expect(isExpiryAfter({ completed_on: '2026-01-02', expiry: 'day', expires_on: '2026-01-02' })).toBe(false);
    expect(isExpiryAfter({ completed_on: '2026-01-02', expiry: 'never', expires_on: '2026-01-01' })).toBe(true);
  });
});
