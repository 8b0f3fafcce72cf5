import type { CommandOf, Kind, RefusalOf } from '#contract/kinds.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb, SettledRow } from '#src/offline/store/person-db.ts';

/** The two sides of a conflict and the labels of the choices, for someone who was not there. */
export type Sides = { mine: string; theirs: string; keepMine: string | null; keepTheirs: string; keptMine: string; keptTheirs: string };

/** A result that the server reported, for the person who did the work. */
export type Result = { id: string; title: string; words: string };

/** The texts of a kind. */
export type Words<K extends Kind> = {
  commands: Record<
    CommandOf<K>,
    {
      /** Describes the change for someone who did not make it. The person themselves reads its `sentence`. */
      was: string;
      /** Describes `n` such changes: "9 pages". Null if another text already covers them. */
      did(n: number): string | null;
    }
  >;
  /** Why the server refused a change, for someone who was not there, with the assurance that nothing is lost. */
  refusals: Record<RefusalOf<K>, string>;
  /** Name of a thing that is not on this device. */
  unnamed: string;
  /** Names of the things that are on this device. */
  names(db: PersonDb, ids: string[]): Promise<[id: string, name: string][]>;
  /** The thing of another kind under which an entry is shown: a file under its certificate. */
  shownWith?(entry: Entry): { kind: Kind; id: string } | null;
  /** The sides of an entry that needs the person; null if there is nothing to compare. `later`: what they chose on the same matter after it. */
  sides(entry: Entry, later: readonly Entry[]): Sides | null;
  /** Results of these entries, if the server reported more than their receipt. */
  results?(db: PersonDb, received: readonly SettledRow[]): Promise<Result[]>;
};

/** The labels of two choices, which differ also where what was chosen last on this device is the same as theirs. */
export const sideLabels = (mine: string, theirs: string): Pick<Sides, 'keepMine' | 'keepTheirs'> =>
  mine === theirs
    ? { keepMine: `Mine counts: ${mine}, as I noted it`, keepTheirs: `Theirs counts: ${theirs}, as they noted it` }
    : { keepMine: `Mine counts: ${mine}`, keepTheirs: `Theirs counts: ${theirs}` };

export const percent = (n: number): string => `${Math.round(n)} %`;
/** For a text that does not depend on the number. */
export const always = (words: string | null) => () => words;
