import type { CommandOf, Kind, RefusalOf } from '#contract/kinds.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb, SettledRow } from '#src/offline/store/person-db.ts';

/** The two sides of a conflict, and what choosing each is called. In the words of somebody who was not there. */
export type Sides = { mine: string; theirs: string; keepMine: string | null; keepTheirs: string; keptMine: string; keptTheirs: string };

/** What came of something that the server has taken, for the person who did it. */
export type Result = { id: string; title: string; words: string };

/** A kind in words. */
export type Words<K extends Kind> = {
  commands: Record<
    CommandOf<K>,
    {
      /** What it was, for somebody who did not do it. The person themselves reads the sentence it was saved with. */
      was: string;
      /** What was done when it was done `n` times: "9 pages". Null where something else already says so. */
      did(n: number): string | null;
    }
  >;
  /** Why the server may not take it, for somebody who was not there, and that nothing is lost. */
  refusals: Record<RefusalOf<K>, string>;
  /** What a thing is called that is not on this device. */
  unnamed: string;
  /** What things are called, as far as they are on this device. */
  names(db: PersonDb, ids: string[]): Promise<[id: string, name: string][]>;
  /** The thing of another kind that an entry is shown with: a file with its certificate. */
  shownWith?(entry: Entry): { kind: Kind; id: string } | null;
  /** The sides of an entry that needs the person; null where there is nothing to set side by side. */
  sides(entry: Entry): Sides | null;
  /** What came of these, where the server has said more than that it has them. */
  results?(db: PersonDb, received: readonly SettledRow[]): Promise<Result[]>;
};

export const percent = (n: number): string => `${Math.round(n)} %`;
/** Where something is said the same however often it was done. */
export const always = (words: string | null) => () => words;
