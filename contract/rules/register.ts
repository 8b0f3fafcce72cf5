import {
  type CancellationReason,
  cancellationReasons,
  type Delegate,
  type Mark,
  type MarkArgs,
  mostNote,
  type Register,
} from '#contract/entities/training-session.ts';
import { endsNextDay, minutesInto, sessionMinutes } from '#contract/rules/session-times.ts';

/** Why a session was cancelled: the listed reason, then the notes. */
export const cancellationWords = (reason: CancellationReason | null | undefined, notes: string): string =>
  [reason && reason !== 'other' && cancellationReasons[reason], notes].filter(Boolean).join(' ');

/** The current mark of a delegate. */
export const currentMark = (delegate: Pick<Delegate, 'marks'>): Mark | null => delegate.marks.at(-1) ?? null;

/** Whether a person is on the register: on the list, or removed from it but marked. */
export const isOnRegister = (delegate: Pick<Delegate, 'removed' | 'marks'>): boolean =>
  delegate.removed === null || currentMark(delegate)?.presence === 'present';

type Graded = Pick<Register, 'grading_method'> & Partial<Pick<Register, 'pass_mark'>>;
type Grade = Pick<Mark, 'presence' | 'outcome' | 'score' | 'theory'>;
/** Whether somebody who is present has completed the training. */
const gradings: Record<Register['grading_method'], (mark: Grade, passMark: number | null) => boolean> = {
  attendance: () => true,
  practical: ({ outcome }) => outcome === 'passed',
  pass_fail: ({ outcome }) => outcome === 'passed',
  score: ({ score }, passMark) => typeof score === 'number' && passMark !== null && score >= passMark,
  practical_theory: ({ outcome, theory }) => outcome === 'passed' && theory === 'passed',
};

/** Whether a mark completes the training, by the session's grading method. */
export const hasDone = (session: Graded, mark: Grade | null): boolean =>
  mark?.presence === 'present' && (gradings[session.grading_method] ?? (() => false))(mark, session.pass_mark ?? null);

/** Whether everything that decides about somebody who is present has been recorded. */
export const isGraded = ({ grading_method }: Pick<Register, 'grading_method'>, mark: Grade): boolean =>
  grading_method === 'attendance' ||
  (grading_method === 'score' ? (mark.score ?? null) !== null : mark.outcome !== null && (grading_method !== 'practical_theory' || !!mark.theory));

type Held = Pick<Register, 'completed' | 'cancelled' | 'held' | 'taken_on'>;
/** Whether the register counts: it is complete and the session took place. A device may have a register from before `taken_on` existed. */
export const counts = ({ completed, cancelled, held, taken_on }: Held): boolean =>
  completed !== null && (cancelled === null || held === true) && !taken_on;

/** Whether somebody has to say if a cancelled or moved session with a register took place. */
export const needsOutcome = ({ completed, cancelled, held, taken_on }: Held): boolean =>
  completed !== null && ((cancelled !== null && held === null) || !!taken_on);

/** Whether the session's day has come at its venue; before it, nobody can be marked. Both as YYYY-MM-DD. */
export const hasStarted = (session: Pick<Register, 'date'>, today: string): boolean => session.date <= today;

/** Minutes of the session that someone attended. */
export const minutesThere = (session: Pick<Register, 'startTime' | 'endTime'>, mark: Pick<Mark, 'presence' | 'arrived' | 'left'>): number => {
  if (mark.presence === 'absent') return 0;
  const all = sessionMinutes(session);
  const from = mark.arrived === null ? 0 : Math.max(0, minutesInto(session, mark.arrived));
  const leftAt = mark.left === null ? all : Math.min(all, minutesInto(session, mark.left));
  return Math.max(0, leftAt - from);
};

/** What is wrong with a mark's times, as a sentence, or null. */
export const wrongTimes = (session: Pick<Register, 'startTime' | 'endTime'>, mark: Pick<Mark, 'arrived' | 'left'>): string | null => {
  // Over midnight, a time between the end and the beginning is after the end.
  const into = (time: string) => (endsNextDay(session) && minutesInto(session, time) < 0 ? sessionMinutes(session) : minutesInto(session, time));
  if (mark.arrived !== null && into(mark.arrived) >= sessionMinutes(session)) return `The session ended at ${session.endTime}.`;
  if (mark.left !== null && into(mark.left) <= (mark.arrived === null ? 0 : into(mark.arrived)))
    return mark.arrived === null ? `The session began at ${session.startTime}.` : `They arrived at ${mark.arrived}.`;
  return null;
};

/** Two values of one field, where null says nothing. Undefined if they contradict. What one side took back since `base` stays taken back. */
const mergeField = <T>(base: T | null, mine: T | null, theirs: T | null): T | null | undefined => {
  if (mine === theirs) return mine;
  if (mine !== null && theirs !== null) return undefined;
  const value = mine ?? theirs;
  return value === base ? null : value;
};
const mergeNotes = (base: string, mine: string, theirs: string): string | undefined => {
  if (mine === base || theirs.includes(mine)) return theirs;
  if (theirs === base || mine.includes(theirs)) return mine;
  const both = `${theirs}; ${mine}`;
  return both.length <= mostNote ? both : undefined;
};

/**
 * What two marks for one delegate say together; null if they contradict, which somebody has to decide. `base`: the mark that was known when
 * `mine` was made, or null.
 */
export const mergeMarks = (base: MarkArgs | null, mine: MarkArgs, theirs: MarkArgs): MarkArgs | null => {
  if (mine.presence !== theirs.presence) return null;
  const field = <K extends 'arrived' | 'left' | 'outcome' | 'score' | 'theory'>(key: K) =>
    mergeField<MarkArgs[K]>(base?.[key] ?? null, mine[key] ?? null, theirs[key] ?? null);
  const [arrived, left, outcome, score, theory] = [field('arrived'), field('left'), field('outcome'), field('score'), field('theory')];
  const note = mergeNotes(base?.note ?? '', mine.note, theirs.note);
  if (arrived === undefined || left === undefined || outcome === undefined || score === undefined || theory === undefined || note === undefined)
    return null;
  return { presence: mine.presence, arrived, left, outcome, score, theory, note };
};

/** Whether two marks say the same. */
export const sameMark = (a: MarkArgs, b: MarkArgs): boolean =>
  a.presence === b.presence &&
  a.arrived === b.arrived &&
  a.left === b.left &&
  a.outcome === b.outcome &&
  a.note === b.note &&
  (a.score ?? null) === (b.score ?? null) &&
  (a.theory ?? null) === (b.theory ?? null);
