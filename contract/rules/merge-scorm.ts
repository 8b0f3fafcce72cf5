import type { ScormCompletion, ScormFacts, ScormSuccess } from '#contract/entities/package-work.ts';

const completions: ScormCompletion[] = ['not attempted', 'incomplete', 'completed'];
const successes: ScormSuccess[] = ['unknown', 'failed', 'passed'];
const further = <T>(order: readonly T[], a: T, b: T): T => (order.indexOf(a) >= order.indexOf(b) ? a : b);
const higher = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));

/** Merges two views of one session: the data of the later one (more ticks), keeping everything reached. Order and repetition do not matter. */
export const mergeScormSession = (a: ScormFacts, b: ScormFacts): ScormFacts => {
  const later = b.ticks >= a.ticks ? b : a;
  return {
    ticks: later.ticks,
    seconds: Math.max(a.seconds, b.seconds),
    completion: further(completions, a.completion, b.completion),
    success: further(successes, a.success, b.success),
    score: higher(a.score, b.score),
    percent: Math.max(a.percent, b.percent),
    cmi: later.cmi,
  };
};

/** Totals over a package's sessions: the furthest state, the best score, and the time of each session once. */
export const scormTotals = (sessions: readonly ScormFacts[]): Pick<ScormFacts, 'completion' | 'success' | 'score' | 'seconds'> => ({
  completion: sessions.reduce<ScormCompletion>((c, s) => further(completions, c, s.completion), 'not attempted'),
  success: sessions.reduce<ScormSuccess>((c, s) => further(successes, c, s.success), 'unknown'),
  score: sessions.reduce<number | null>((best, s) => higher(best, s.score), null),
  seconds: sessions.reduce((sum, s) => sum + s.seconds, 0),
});
