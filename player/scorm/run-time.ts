import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';

/** What a SCO finds as its API, and what it has said so far. */
export type RunTime = {
  /** The name under which SCOs look for it. */
  readonly name: 'API' | 'API_1484_11';
  readonly api: object;
  /** The data model as it is: names and values, without who the learner is. */
  readonly cmi: () => Record<string, string>;
  readonly status: () => Pick<ScormFacts, 'completion' | 'success' | 'score' | 'percent'>;
  /** Seconds that the SCO says it took; null where it does not say. Read from the data as a whole: SCOs may not read it. */
  readonly reportedSeconds: () => number | null;
  /** Calls the SCO makes: `final` where it asks for its data to be kept. */
  readonly onCall: (hear: (final: boolean) => void) => void;
  /** Ends for a SCO that left without a word. */
  readonly end: () => void;
};

export type Launch = {
  activity: ScormActivity;
  learner: { id: string; name: string };
  before: { cmi: Record<string, string>; seconds: number } | null;
};

export const strings = (flat: Record<string, unknown>, without: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(flat).flatMap(([name, value]) => (typeof value === 'string' && value !== '' && !without.test(name) ? [[name, value]] : [])),
  );

/** A score as percent of its range; of 100 where it names none. Null where there is no score. */
export const percentOf = (raw: string, min: string, max: string): number | null => {
  if (raw === '' || !Number.isFinite(Number(raw))) return null;
  const low = Number(min || 0);
  const high = Number(max || 100);
  const share = high > low ? ((Number(raw) - low) * 100) / (high - low) : Number(raw);
  return Math.max(0, Math.min(100, Math.round(share * 100) / 100));
};

/**
 * Sessions count whole seconds; what a SCO is told of its time has fractions. What the rounded seconds leave out goes with
 * the data of a session to the next one, so that the sum of all sessions is what the SCO said, rounded once.
 */
export const timeOf = (before: Launch['before']) => {
  const carried = Number(before?.cmi[remainder] ?? 0);
  const total = (before?.seconds ?? 0) + (Number.isFinite(carried) && Math.abs(carried) < 1 ? carried : 0);
  /** Seconds with two places: what is summed up is not what a computer makes of a tenth. */
  const exact = (seconds: number) => Math.round(seconds * 100) / 100;
  return {
    total: exact(total),
    /** The whole seconds that a session adds, and what they leave out. */
    add: (session: number): { seconds: number; left: Record<string, string> } => {
      const seconds = Math.max(0, Math.round(exact(total + session) - (before?.seconds ?? 0)));
      const left = exact(total + session - (before?.seconds ?? 0) - seconds);
      return { seconds, left: left === 0 ? {} : { [remainder]: String(left) } };
    },
  };
};
/** Beside the data model, under a name that no run-time has. */
export const remainder = '@remainder';
