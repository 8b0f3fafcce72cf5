/**
 * A campaign: one scenario run many times under faults chosen from a seed, with guarantees checked at the end of each. `runs`:
 * number of runs in the tests, and on request.
 */
export type Campaign = {
  name: string;
  runs: { ci: number; demand: number };
  /** Measures times, so no other campaign may run at the same time. */
  alone?: true;
  /** Starts browsers, or must be done within a time: it runs beside another campaign, and not beside other tests. */
  busy?: true;
  /** So many runs at the same time, where each waits for others most of the time; one without. */
  abreast?: number;
  /** Called once before all runs. */
  prepare?: () => Promise<void>;
  /** Runs one history. Returns a sentence for each violation. */
  once: (seed: number) => Promise<string[]>;
  finish?: () => Promise<void>;
  /** Facts to print with the result, such as how often a lost store was detected. */
  facts?: () => string;
};
