import { describe, expect, it } from 'vitest';
import { addDays, dayIn, timeIn } from '#contract/rules/days.ts';
import { nextRun, type Rhythm, rhythmWords } from '#contract/rules/next-run.ts';

const rhythm = (more: Partial<Rhythm>): Rhythm => ({ frequency: 'daily', weekday: null, month_day: null, send_at: '07:00', ...more });
/** The next runs after an instant. */
const runs = (of: Rhythm, after: string, zone: string, count: number): string[] => {
  const found: string[] = [];
  for (let at = after; found.length < count; found.push(at)) at = nextRun(of, at, zone);
  return found;
};
const london = 'Europe/London';

describe('the next run', () => {
  it('is at the same local time when the clocks change', () => {
    // Clocks go forward on 29 March 2026 and back on 25 October.
    expect(runs(rhythm({}), '2026-03-27T12:00:00.000Z', london, 3)).toEqual([
      '2026-03-28T07:00:00.000Z',
      '2026-03-29T06:00:00.000Z',
      '2026-03-30T06:00:00.000Z',
    ]);
    expect(runs(rhythm({}), '2026-10-23T12:00:00.000Z', london, 3)).toEqual([
      '2026-10-24T06:00:00.000Z',
      '2026-10-25T07:00:00.000Z',
      '2026-10-26T07:00:00.000Z',
    ]);
  });
  it('is neither left out nor doubled where its time is skipped or comes twice', () => {
    const half = rhythm({ send_at: '01:30' });
    expect(runs(half, '2026-03-28T12:00:00.000Z', london, 2)).toEqual(['2026-03-29T01:30:00.000Z', '2026-03-30T00:30:00.000Z']);
    expect(runs(half, '2026-10-24T12:00:00.000Z', london, 2)).toEqual(['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']);
  });
  it('is on the last day of a month that is shorter', () => {
    const days = (month_day: number, after: string, count: number) =>
      runs(rhythm({ frequency: 'monthly', month_day }), after, london, count).map((at) => dayIn(at, london));
    expect(days(31, '2026-01-31T08:00:00.000Z', 4)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
    expect(days(29, '2028-01-29T08:00:00.000Z', 2)).toEqual(['2028-02-29', '2028-03-29']);
    expect(days(1, '2026-01-01T06:59:59.000Z', 2)).toEqual(['2026-01-01', '2026-02-01']);
  });
  it('is on the day of the week, seven days after the last', () => {
    const found = runs(rhythm({ frequency: 'weekly', weekday: 7 }), '2026-10-18T07:00:00.000Z', london, 2);
    expect(found).toEqual(['2026-10-25T07:00:00.000Z', '2026-11-01T07:00:00.000Z']);
  });
  it('comes once on each of its days, in every zone, the year round', () => {
    for (const zone of [london, 'Pacific/Auckland', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia'])
      for (const send_at of ['00:00', '00:30', '02:15', '23:59']) {
        const days = runs(rhythm({ send_at }), '2026-01-01T12:00:00.000Z', zone, 366).map((at) => dayIn(at, zone));
        const first = days[0] as string;
        expect([zone, send_at, days]).toEqual([zone, send_at, days.map((_, n) => addDays(first, n))]);
        const last = runs(rhythm({ send_at }), '2026-07-01T12:00:00.000Z', zone, 1)[0] as string;
        expect(timeIn(last, zone)).toBe(send_at);
      }
  });
  it('is said in words', () => {
    expect([rhythmWords(rhythm({})), rhythmWords(rhythm({ frequency: 'weekly', weekday: 1 }))]).toEqual([
      'every day at 07:00',
      'every Monday at 07:00',
    ]);
    expect([1, 2, 3, 11, 12, 13, 22, 31].map((month_day) => rhythmWords(rhythm({ frequency: 'monthly', month_day })))).toEqual([
      ...['1st', '2nd', '3rd', '11th', '12th', '13th', '22nd'].map((d) => `on the ${d} of each month at 07:00`),
      'on the 31st of each month, or its last day at 07:00',
    ]);
  });
});
