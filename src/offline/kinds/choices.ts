import type { Entry, NewEntry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** What a choice makes count, and what the server lets count: what is built on the one is then built on the other. */
export type Between = { mine: string; theirs: string | null };

/**
 * What becomes of one kind of thing where an entry of it needs its person. All of it runs inside the transaction in which the
 * entry is answered for (src/offline/outbox/resolve.ts), over the stores of the kind.
 */
export type Choices = {
  /** Takes off the screen what the entry alone had put there, and the server's copy does not take away. */
  takeBack(db: PersonDb, entry: Entry): Promise<unknown>;
  /** Of a choice that can conflict; null for whatever else. */
  between?(entry: Entry): Between | null;
  /** Lets the choice count on the screen that `next` makes in the place of `entry`. */
  choose?(db: PersonDb, entry: Entry, next: NewEntry): Promise<unknown>;
  /** Those of the waiting entries that were said of `entry`, as they are said of `next`. */
  saidOf?(waiting: readonly Entry[], entry: Entry, next: NewEntry): Entry[];
  /** What is sent where the same is handed in again as the next try. */
  anew?(entry: Entry): object;
  /** Shows what was handed in again as `next`. */
  showAnew?(db: PersonDb, entry: Entry, next: NewEntry): Promise<unknown>;
  /** Takes a thing off the device that was begun here and can never be received. */
  forget?(db: PersonDb, id: string): Promise<unknown>;
};
