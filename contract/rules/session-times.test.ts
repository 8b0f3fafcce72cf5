import { describe, expect, it } from 'vitest';
import { checkInWindow } from '#contract/rules/check-in.ts';
import { minutesThere, wrongTimes } from '#contract/rules/register.ts';
import { areSessionTimes, endsNextDay, overlap, sessionInstants, sessionMinutes, timesWords } from '#contract/rules/session-times.ts';

const night = { date: '2026-12-01', startTime: '22:00', endTime: '02:00' };
const evening = { date: '2026-12-01', startTime: '20:00', endTime: '00:00' };

describe('a session over midnight', () => {
  it('says in words that it ends on the next day', () => {
    expect([timesWords(night), timesWords({ startTime: '09:00', endTime: '17:00' })]).toEqual([
      `${night.startTime} to ${night.endTime} the next day`,
      '09:00 to 17:00',
    ]);
  });

  it('ends on the next day, also at 00:00, and lasts as long as it says', () => {
    expect([endsNextDay(night), endsNextDay(evening), endsNextDay({ startTime: '09:00', endTime: '17:00' })]).toEqual([true, true, false]);
    expect([sessionMinutes(night), sessionMinutes(evening)]).toEqual([240, 240]);
    expect(sessionInstants(night, 'Europe/London')).toEqual({ starts_at: '2026-12-01T22:00:00.000Z', ends_at: '2026-12-02T02:00:00.000Z' });
    expect(sessionInstants(evening, 'Europe/London').ends_at).toBe('2026-12-02T00:00:00.000Z');
    // The clocks go back while it lasts.
    expect(sessionInstants({ ...night, date: '2026-10-24' }, 'Europe/London').ends_at).toBe('2026-10-25T02:00:00.000Z');
  });
  it('can be meant up to 16 hours; a longer one, or one of a whole day, is a mistake', () => {
    expect(
      [
        ['22:00', '02:00'],
        ['20:00', '00:00'],
        ['18:00', '10:00'],
        ['09:00', '17:00'],
      ].map(([startTime = '', endTime = '']) => areSessionTimes({ startTime, endTime })),
    ).toEqual([true, true, true, true]);
    expect(
      [
        ['10:00', '09:00'],
        ['09:30', '08:00'],
        ['09:00', '09:00'],
      ].map(([startTime = '', endTime = '']) => areSessionTimes({ startTime, endTime })),
    ).toEqual([false, false, false]);
  });
  it('is at the same time as one of the next morning that begins before it ends', () => {
    expect(overlap(night, { date: '2026-12-02', startTime: '01:30', endTime: '03:00' })).toBe(true);
    expect(overlap({ date: '2026-12-02', startTime: '01:30', endTime: '03:00' }, night)).toBe(true);
    expect(overlap(night, { date: '2026-12-02', startTime: '02:00', endTime: '03:00' })).toBe(false);
    expect(overlap(evening, { date: '2026-12-01', startTime: '23:00', endTime: '23:30' })).toBe(true);
    expect(overlap(night, { date: '2026-12-01', startTime: '01:00', endTime: '02:00' })).toBe(false);
  });
  it('takes check-ins until it ends, and marks at times of both days', () => {
    expect(checkInWindow(night, 'Europe/London').closes_at).toBe('2026-12-02T02:00:00.000Z');
    const mark = (arrived: string | null, left: string | null) => ({ presence: 'present' as const, arrived, left });
    expect(minutesThere(night, mark(null, null))).toBe(240);
    expect(minutesThere(night, mark('23:30', null))).toBe(150);
    expect(minutesThere(night, mark('00:30', '01:30'))).toBe(60);
    expect(minutesThere(evening, mark('20:10', '23:50'))).toBe(220);
    expect([wrongTimes(night, mark('23:00', '01:00')), wrongTimes(night, mark('00:30', null)), wrongTimes(evening, mark('21:00', null))]).toEqual([
      null,
      null,
      null,
    ]);
    expect(wrongTimes(night, mark('02:30', null))).toBe('The session ended at 02:00.');
    expect(wrongTimes(night, mark('01:00', '23:00'))).toBe('They arrived at 01:00.');
    expect(wrongTimes({ startTime: '09:00', endTime: '17:00' }, mark(null, '08:00'))).toBe('The session began at 09:00.');
  });
});
