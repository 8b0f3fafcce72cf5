import type { ScormActivity } from '#contract/entities/package.ts';
import type { ScormFacts } from '#contract/entities/package-work.ts';

/** A SCO's API and its current data. */
export type RunTime = {
  /** The global name under which SCOs look for it. */
  readonly name: 'API' | 'API_1484_11';
  readonly api: object;
  /** The data model: names and values, without the learner's identity. */
  readonly cmi: () => Record<string, string>;
  /** What the standard makes of the data if the session ends now. */
  readonly status: () => Pick<ScormFacts, 'completion' | 'success' | 'score' | 'percent'>;
  /** Seconds reported by the SCO, or null. Read from all data, because SCOs may not read this element. */
  readonly reportedSeconds: () => number | null;
  /** Subscribes to the SCO's calls; `final` if it commits its data. */
  readonly onCall: (hear: (final: boolean) => void) => void;
  /** Whether the SCO has ended its session. */
  readonly ended: () => boolean;
  /** Ends the session of a SCO that did not. */
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

/** A score as a percentage of its range, or of 100 if it has none. Null if there is no score. */
export const percentOf = (raw: string, min: string, max: string): number | null => {
  if (raw === '' || !Number.isFinite(Number(raw))) return null;
  const low = Number(min || 0);
  const high = Number(max || 100);
  const share = high > low ? ((Number(raw) - low) * 100) / (high - low) : Number(raw);
  return Math.max(0, Math.min(100, Math.round(share * 100) / 100));
};

/**
 * Sessions store whole seconds, but SCOs report fractions. The remainder is stored with a session's data for the next one, so
 * that the total is the reported time, rounded once.
 */
export const timeOf = (before: Launch['before']) => {
  const carried = Number(before?.cmi[remainder] ?? 0);
  const total = (before?.seconds ?? 0) + (Number.isFinite(carried) && Math.abs(carried) < 1 ? carried : 0);
  /** Seconds rounded to two places, against floating-point errors. */
  const exact = (seconds: number) => Math.round(seconds * 100) / 100;
  return {
    total: exact(total),
    /** The whole seconds of a session, and the remainder. */
    add: (session: number): { seconds: number; left: Record<string, string> } => {
      const seconds = Math.max(0, Math.round(exact(total + session) - (before?.seconds ?? 0)));
      const left = exact(total + session - (before?.seconds ?? 0) - seconds);
      return { seconds, left: left === 0 ? {} : { [remainder]: String(left) } };
    },
  };
};
/** Stored with the data model, under a name that no run-time uses. */
export const remainder = '@remainder';
