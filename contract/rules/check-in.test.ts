import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkInCode,
  checkInDigits,
  checkInFragment,
  checkInOfFragment,
  checkInStep,
  checkInStepMs,
  checkInWindow,
} from '#contract/rules/check-in.ts';

const session = fc.uuid();
const key = fc.string({ minLength: 64, maxLength: 64 });
const step = fc.nat(4_000_000_000);

describe('the code that people check in with', () => {
  it('is eight digits, the same on every device, and another one with another key, session or step', async () => {
    await fc.assert(
      fc.asyncProperty(key, session, step, async (k, id, at) => {
        const code = await checkInCode(k, id, at);
        expect(code).toMatch(/^\d{8}$/);
        expect(await checkInCode(k, id, at)).toBe(code);
        const others = await Promise.all([
          checkInCode(`${k}.`, id, at),
          checkInCode(k, `${id}.`, at),
          ...Array.from({ length: 4 }, (_, i) => checkInCode(k, id, at + i + 1)),
        ]);
        // One in a hundred million may be the same by chance; two of them are not.
        expect(others.filter((o) => o === code).length).toBeLessThan(2);
      }),
    );
  });

  it('is what HMAC-SHA-256 makes of a known key elsewhere, leading zeros included', async () => {
    const known = { 59900000: '44254359', 59900001: '21993650', 59900002: '87171439', 59900004: '03928297', 59900036: '00887062' };
    for (const [at, code] of Object.entries(known))
      expect(await checkInCode('a key', '5f0c7a52-3a0e-4e0b-9a53-6f6f0f9d7a11', Number(at)), at).toBe(code);
  });

  it('is of one step for thirty seconds, then of the next, also in the hour that clocks have twice', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('2026-10-24T00:00:00Z'), max: new Date('2026-10-26T00:00:00Z'), noInvalidDate: true }), (at) => {
        const of = checkInStep(at);
        const begins = new Date(of * checkInStepMs);
        expect(at.getTime() - begins.getTime()).toBeLessThan(checkInStepMs);
        expect(checkInStep(new Date(begins.getTime() + checkInStepMs - 1))).toBe(of);
        expect(checkInStep(new Date(begins.getTime() + checkInStepMs))).toBe(of + 1);
        expect(checkInStep(at.toISOString())).toBe(of);
      }),
    );
    // 01:30 in London, before and after the clocks go back.
    const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'];
    expect(checkInStep(second) - checkInStep(first)).toBe(3_600_000 / checkInStepMs);
  });

  it('can be used from an hour before the session to its end, by the clock of where it is', () => {
    const plan = { startTime: '00:30', endTime: '03:00' };
    const london = 'Europe/London';
    // The clocks go forward at 01:00: this one is half an hour shorter than it looks, and opens on the day before.
    expect(checkInWindow({ date: '2026-03-29', ...plan }, london)).toEqual({
      opens_at: '2026-03-28T23:30:00.000Z',
      closes_at: '2026-03-29T02:00:00.000Z',
    });
    // They go back at 02:00.
    expect(checkInWindow({ date: '2026-10-25', ...plan }, london)).toEqual({
      opens_at: '2026-10-24T22:30:00.000Z',
      closes_at: '2026-10-25T03:00:00.000Z',
    });
    expect(checkInWindow({ date: '2026-10-25', ...plan }, 'America/New_York').opens_at).toBe('2026-10-25T03:30:00.000Z');
  });

  it('is read from a link as it was written, and nothing else is', () => {
    fc.assert(
      fc.property(fc.nat(99_999_999), step, (n, at) => {
        const code = String(n).padStart(checkInDigits, '0');
        expect(checkInOfFragment(checkInFragment(code, at))).toEqual({ code, step: at });
      }),
    );
    expect(checkInOfFragment('#code=12345678')).toEqual({ code: '12345678', step: null });
    expect(checkInOfFragment('#code=12345678&step=x')).toEqual({ code: '12345678', step: null });
    expect(checkInOfFragment('#code=12345678&step=-4')).toEqual({ code: '12345678', step: null });
    for (const hash of ['', '#', '#step=4', '#code=1234567', '#code=12345678x', '#delegates']) expect(checkInOfFragment(hash)).toBeNull();
  });
});
