import type { ScormCompletion, ScormFacts, ScormSuccess } from '#contract/entities/package-work.ts';

const completions: ScormCompletion[] = ['not attempted', 'incomplete', 'completed'];
const further = <T>(order: readonly T[], a: T, b: T): T => (order.indexOf(a) >= order.indexOf(b) ? a : b);
const higher = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));

/**
 * Merges two views of one session: what it says is what the later one (more ticks) says, because a session's status is the one it ends with;
 * its time and percentage never decrease. Order and repetition do not matter.
 */
export const mergeScormSession = (a: ScormFacts, b: ScormFacts): ScormFacts => {
  const later = b.ticks >= a.ticks ? b : a;
  const { ticks, ended, completion, success, score, cmi } = later;
  return {
    ...{ ticks, completion, success, score, cmi },
    ...(ended === undefined ? {} : { ended }),
    seconds: Math.max(a.seconds, b.seconds),
    percent: Math.max(a.percent, b.percent),
  };
};

type Said = Pick<ScormFacts, 'completion' | 'success'>;
/** Whether a session is enough for its part: passed, or completed without a verdict. Completed and failed is not. */
export const isDone = ({ completion, success }: Said): boolean => success === 'passed' || (completion === 'completed' && success !== 'failed');
/** How good a session is. A verdict applies only to its own session: one completed after one failed is done. */
const worth = (said: Said): number => (said.success === 'passed' ? 3 : isDone(said) ? 2 : said.success === 'failed' ? 1 : 0);

/**
 * Totals over a package's sessions: the furthest completion, the verdict of the best session, the best score, and the time of each session
 * once. The order of the sessions does not matter.
 */
export const scormTotals = (sessions: readonly ScormFacts[]): Pick<ScormFacts, 'completion' | 'success' | 'score' | 'seconds'> => ({
  completion: sessions.reduce<ScormCompletion>((c, s) => further(completions, c, s.completion), 'not attempted'),
  success: sessions.reduce<Said>((best, s) => (worth(s) > worth(best) ? s : best), { completion: 'not attempted', success: 'unknown' })
    .success satisfies ScormSuccess,
  score: sessions.reduce<number | null>((best, s) => higher(best, s.score), null),
  seconds: sessions.reduce((sum, s) => sum + s.seconds, 0),
});
