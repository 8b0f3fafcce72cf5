/**
 * A campaign: the same story again and again, each time with other misfortunes chosen by a seed, and what must never
 * happen checked at its end. `runs` says how often it runs with the tests, and how often when it is asked for.
 */
export type Campaign = {
  name: string;
  runs: { ci: number; demand: number };
  /** Measures times: with the tests it runs beside no other campaign. */
  alone?: true;
  /** Made once for all runs; answers what is handed to each run. */
  prepare?: () => Promise<void>;
  /** One history. Answers a sentence for each broken promise. */
  once: (seed: number) => Promise<string[]>;
  finish?: () => Promise<void>;
  /** Facts worth a line beside the count, such as how often a wipe was seen. */
  facts?: () => string;
};
