import type { Delegate, Mark, Register } from '#contract/entities/training-session.ts';

/** What is taken down of somebody now. */
export const markNow = (delegate: Pick<Delegate, 'marks'>): Mark | null => delegate.marks.at(-1) ?? null;

/** Who stands on the register: whoever is on the list, and whoever was taken off it and came all the same. */
export const isOnRegister = (delegate: Pick<Delegate, 'removed' | 'marks'>): boolean =>
  delegate.removed === null || markNow(delegate)?.presence === 'present';

/** Whether somebody has done the training by what was noted of them. Source: the session's grading method. */
export const hasDone = (session: Pick<Register, 'grading_method'>, mark: Pick<Mark, 'presence' | 'outcome'> | null): boolean =>
  mark?.presence === 'present' && (session.grading_method === 'attendance' || mark.outcome === 'passed');

/** Whether what a register says counts: it is whole, and the session took place. */
export const counts = (session: Pick<Register, 'completed' | 'cancelled' | 'held'>): boolean =>
  session.completed !== null && (session.cancelled === null || session.held === true);

/** A register of a session that had been cancelled: somebody has to say whether it took place. */
export const asksWhetherHeld = (session: Pick<Register, 'completed' | 'cancelled' | 'held'>): boolean =>
  session.completed !== null && session.cancelled !== null && session.held === null;

/** Whether the day of a session has come where it takes place: nobody has been there before it. Both as YYYY-MM-DD. */
export const hasCome = (session: Pick<Register, 'date'>, today: string): boolean => session.date <= today;

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
/** For how many minutes of the session somebody was there. */
export const minutesThere = (session: Pick<Register, 'startTime' | 'endTime'>, mark: Pick<Mark, 'presence' | 'arrived' | 'left'>): number => {
  if (mark.presence === 'absent') return 0;
  const start = minutesOf(session.startTime);
  const end = minutesOf(session.endTime);
  const from = mark.arrived === null ? start : Math.max(start, minutesOf(mark.arrived));
  const to = mark.left === null ? end : Math.min(end, minutesOf(mark.left));
  return Math.max(0, to - from);
};

/** What is wrong with the times of a mark, in a sentence; null where nothing is. */
export const wrongTimes = (session: Pick<Register, 'startTime' | 'endTime'>, mark: Pick<Mark, 'arrived' | 'left'>): string | null => {
  if (mark.arrived !== null && minutesOf(mark.arrived) >= minutesOf(session.endTime)) return `The session ended at ${session.endTime}.`;
  if (mark.left !== null && minutesOf(mark.left) <= minutesOf(mark.arrived ?? session.startTime))
    return mark.arrived === null ? `The session began at ${session.startTime}.` : `They arrived at ${mark.arrived}.`;
  return null;
};
