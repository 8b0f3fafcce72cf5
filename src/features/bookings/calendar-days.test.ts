import { describe, expect, it } from 'vitest';
import { daysOf, mondayOf, turnPage } from '#src/features/bookings/calendar-days.ts';

describe('the days of a calendar', () => {
  it('are the whole weeks of a month, each day once', () => {
    for (const month of ['2026-02-14', '2026-11-26', '2027-03-01', '2026-05-31', '2024-02-29']) {
      const days = daysOf('month', month);
      expect([month, days.length % 7, new Set(days).size]).toEqual([month, 0, days.length]);
      expect(days[0]).toBe(mondayOf(`${month.slice(0, 7)}-01`));
      const own = days.filter((d) => d.startsWith(month.slice(0, 7))).length;
      expect(own).toBe(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate());
      expect(days.length - own).toBeLessThan(13);
    }
  });
  it('of a week begin on Monday, also where clocks change, and turn by a week', () => {
    expect(daysOf('week', '2026-10-25')).toEqual(['2026-10-19', '2026-10-20', '2026-10-21', '2026-10-22', '2026-10-23', '2026-10-24', '2026-10-25']);
    expect(turnPage('week', '2026-10-25', 1)).toBe('2026-10-26');
    expect(turnPage('week', '2026-10-25', -1)).toBe('2026-10-12');
  });
  it('turn by a month over the end of a year', () => {
    expect([turnPage('month', '2026-12-31', 1), turnPage('month', '2027-01-31', -1), turnPage('month', '2026-03-31', -1)]).toEqual([
      '2027-01-01',
      '2026-12-01',
      '2026-02-01',
    ]);
  });
});
