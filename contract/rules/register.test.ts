import { describe, expect, it } from 'vitest';
import { needsOutcome, counts, hasDone, isGraded, isOnRegister, minutesThere, wrongTimes } from '#contract/rules/register.ts';

const session = { startTime: '09:30', endTime: '12:30' };
const there = { presence: 'present' as const, arrived: null, left: null };
const by = { id: '', name: '' };

describe('a register', () => {
  it('counts the minutes that someone attended within the session', () => {
    expect(minutesThere(session, there)).toBe(180);
    expect(minutesThere(session, { ...there, arrived: '09:50', left: '12:00' })).toBe(130);
    expect(minutesThere(session, { ...there, arrived: '09:00', left: '13:00' })).toBe(180);
    expect(minutesThere(session, { ...there, presence: 'absent' })).toBe(0);
  });

  it('explains impossible times in a sentence', () => {
    expect(wrongTimes(session, there)).toBeNull();
    expect(wrongTimes(session, { arrived: '12:30', left: null })).toBe('The session ended at 12:30.');
    expect(wrongTimes(session, { arrived: null, left: '09:30' })).toBe('The session began at 09:30.');
    expect(wrongTimes(session, { arrived: '11:00', left: '10:59' })).toBe('They arrived at 11:00.');
    expect(wrongTimes(session, { arrived: '09:00', left: '13:00' })).toBeNull();
  });

  it('is done by attending, and by passing where there is a practical part', () => {
    const mark = (presence: 'present' | 'absent', outcome: 'passed' | 'not_yet' | null) => ({ presence, outcome });
    expect(hasDone({ grading_method: 'attendance' }, mark('present', null))).toBe(true);
    expect(hasDone({ grading_method: 'attendance' }, mark('absent', null))).toBe(false);
    expect(hasDone({ grading_method: 'practical' }, mark('present', null))).toBe(false);
    expect(hasDone({ grading_method: 'practical' }, mark('present', 'not_yet'))).toBe(false);
    expect(hasDone({ grading_method: 'practical' }, mark('present', 'passed'))).toBe(true);
    expect(hasDone({ grading_method: 'practical' }, null)).toBe(false);
    const scored = (score: number | null | undefined) => hasDone({ grading_method: 'score', pass_mark: 70 }, { ...mark('present', null), score });
    expect([scored(70), scored(69), scored(null), scored(undefined)]).toEqual([true, false, false, false]);
    expect(hasDone({ grading_method: 'practical_theory' }, { ...mark('present', 'passed'), theory: 'passed' })).toBe(true);
    expect(hasDone({ grading_method: 'practical_theory' }, mark('present', 'passed'))).toBe(false);
    expect(isGraded({ grading_method: 'practical_theory' }, { ...mark('present', 'passed'), theory: 'not_yet' })).toBe(true);
    expect(isGraded({ grading_method: 'score' }, mark('present', 'passed'))).toBe(false);
  });

  it('counts once completed; for a cancelled session, once it is confirmed that it took place', () => {
    const completed = { id: '', at: '', by, note: '' };
    const cancelled = { at: '', by, reason_id: null, notes: '' };
    const taken_on = null;
    expect(counts({ completed: null, cancelled: null, held: null, taken_on })).toBe(false);
    expect(counts({ completed, cancelled: null, held: null, taken_on })).toBe(true);
    expect([null, true, false].map((held) => counts({ completed, cancelled, held, taken_on }))).toEqual([false, true, false]);
    expect([null, true, false].map((held) => needsOutcome({ completed, cancelled, held, taken_on }))).toEqual([true, false, false]);
  });

  it('does not count while nobody has said whether a session was held that was moved from that day', () => {
    const moved = { completed: { id: '', at: '', by, note: '' }, cancelled: null, held: null, taken_on: '2026-11-27' };
    expect([counts(moved), needsOutcome(moved), needsOutcome({ ...moved, completed: null })]).toEqual([false, true, false]);
  });

  it('includes people who were removed from the list but attended', () => {
    const removed = { at: '', by };
    const mark = { id: '', by, at: '', outcome: null, note: '', ...there };
    expect(isOnRegister({ removed: null, marks: [] })).toBe(true);
    expect(isOnRegister({ removed, marks: [] })).toBe(false);
    expect(isOnRegister({ removed, marks: [{ ...mark, presence: 'absent' }] })).toBe(false);
    expect(isOnRegister({ removed, marks: [mark] })).toBe(true);
  });
});
