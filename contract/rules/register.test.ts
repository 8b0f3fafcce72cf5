import { describe, expect, it } from 'vitest';
import { asksWhetherHeld, counts, hasDone, isOnRegister, minutesThere, wrongTimes } from '#contract/rules/register.ts';

const session = { startTime: '09:30', endTime: '12:30' };
const there = { presence: 'present' as const, arrived: null, left: null };
const by = { id: '', name: '' };

describe('a register', () => {
  it('counts the minutes that somebody was there, within the session', () => {
    expect(minutesThere(session, there)).toBe(180);
    expect(minutesThere(session, { ...there, arrived: '09:50', left: '12:00' })).toBe(130);
    expect(minutesThere(session, { ...there, arrived: '09:00', left: '13:00' })).toBe(180);
    expect(minutesThere(session, { ...there, presence: 'absent' })).toBe(0);
  });

  it('says in a sentence which times cannot be', () => {
    expect(wrongTimes(session, there)).toBeNull();
    expect(wrongTimes(session, { arrived: '12:30', left: null })).toBe('The session ended at 12:30.');
    expect(wrongTimes(session, { arrived: null, left: '09:30' })).toBe('The session began at 09:30.');
    expect(wrongTimes(session, { arrived: '11:00', left: '10:59' })).toBe('They arrived at 11:00.');
    expect(wrongTimes(session, { arrived: '09:00', left: '13:00' })).toBeNull();
  });

  it('has done the training who was there, and passed where there is something to pass', () => {
    const mark = (presence: 'present' | 'absent', outcome: 'passed' | 'not_yet' | null) => ({ presence, outcome });
    expect(hasDone({ grading_method: 'attendance' }, mark('present', null))).toBe(true);
    expect(hasDone({ grading_method: 'attendance' }, mark('absent', null))).toBe(false);
    expect(hasDone({ grading_method: 'practical' }, mark('present', null))).toBe(false);
    expect(hasDone({ grading_method: 'practical' }, mark('present', 'not_yet'))).toBe(false);
    expect(hasDone({ grading_method: 'practical' }, mark('present', 'passed'))).toBe(true);
    expect(hasDone({ grading_method: 'practical' }, null)).toBe(false);
  });

  it('counts when it is finished; of a cancelled session when it is said that it took place', () => {
    const completed = { id: '', at: '', by, note: '' };
    const cancelled = { at: '', by, notes: '' };
    expect(counts({ completed: null, cancelled: null, held: null })).toBe(false);
    expect(counts({ completed, cancelled: null, held: null })).toBe(true);
    expect([null, true, false].map((held) => counts({ completed, cancelled, held }))).toEqual([false, true, false]);
    expect([null, true, false].map((held) => asksWhetherHeld({ completed, cancelled, held }))).toEqual([true, false, false]);
  });

  it('has on it who was taken off the list and came all the same', () => {
    const removed = { at: '', by };
    const mark = { id: '', by, at: '', outcome: null, note: '', ...there };
    expect(isOnRegister({ removed: null, marks: [] })).toBe(true);
    expect(isOnRegister({ removed, marks: [] })).toBe(false);
    expect(isOnRegister({ removed, marks: [{ ...mark, presence: 'absent' }] })).toBe(false);
    expect(isOnRegister({ removed, marks: [mark] })).toBe(true);
  });
});
