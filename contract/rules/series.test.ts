import { describe, expect, it } from 'vitest';
import { clockChanges, seriesDays } from '#contract/rules/series.ts';

describe('a series of sessions', () => {
  it('is on the same weekday, over the ends of months and years', () => {
    expect(seriesDays('2026-12-22', { every_weeks: 1, times: 4 })).toEqual(['2026-12-22', '2026-12-29', '2027-01-05', '2027-01-12']);
    expect(seriesDays('2028-02-22', { every_weeks: 2, times: 2 })).toEqual(['2028-02-22', '2028-03-07']);
  });

  it('names the days before which the clocks change, in March and October', () => {
    const changes = (first: string, zone: string) => clockChanges(seriesDays(first, { every_weeks: 1, times: 3 }), '09:30', zone);
    expect(changes('2027-03-23', 'Europe/London')).toEqual(['2027-03-30']);
    expect(changes('2027-10-26', 'Europe/London')).toEqual(['2027-11-02']);
    expect(changes('2027-05-04', 'Europe/London')).toEqual([]);
    expect(changes('2027-03-23', 'Asia/Kolkata')).toEqual([]);
  });
});
