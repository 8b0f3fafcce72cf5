import { describe, expect, it } from 'vitest';
import { dayTyped, timeTyped } from '#src/lib/day-text.ts';

const now = new Date('2026-11-21T12:00:00Z');
describe('a day as it is typed', () => {
  it.each([
    ['21/11/2026', '2026-11-21'],
    ['3/5/2026', '2026-05-03'],
    ['3.5.26', '2026-05-03'],
    ['3-5-1986', '1986-05-03'],
    ['03 05 61', '1961-05-03'],
    ['03052026', '2026-05-03'],
    ['030526', '2026-05-03'],
    ['2026-05-03', '2026-05-03'],
    [' 29/02/2028 ', '2028-02-29'],
  ])('%s is %s', (typed, day) => expect(dayTyped(typed, now)).toBe(day));
  it.each(['', '31/02/2026', '29/02/2027', '13/13/2026', '1/2', 'tomorrow', '2026-5-3', '1/2/202'])('“%s” is none', (typed) =>
    expect(dayTyped(typed, now)).toBeNull(),
  );
});

describe('a time as it is typed', () => {
  it.each([
    ['9:30', '09:30'],
    ['9.30', '09:30'],
    ['930', '09:30'],
    ['0930', '09:30'],
    ['14', '14:00'],
    ['23:59', '23:59'],
  ])('%s is %s', (typed, time) => expect(timeTyped(typed)).toBe(time));
  it.each(['', '24:00', '9:60', '9:5', 'noon'])('“%s” is none', (typed) => expect(timeTyped(typed)).toBeNull());
});
