import type { Entry, NewEntry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** A choice's own value and the server's; later entries based on one are moved to the other. */
export type Between = { mine: string; theirs: string | null };

/**
 * What happens to a thing of one kind when one of its entries needs the person. Runs inside the transaction that resolves the
 * entry (src/offline/outbox/resolve.ts), over the stores of the kind.
 */
export type Choices = {
  /** Removes from the screen what only this entry added, and the server's copy does not remove. */
  takeBack(db: PersonDb, entry: Entry): Promise<unknown>;
  /** The two values of a choice that can conflict; null for other entries. */
  between?(entry: Entry): Between | null;
  /** Shows the choice of `next`, which replaces `entry`. */
  choose?(db: PersonDb, entry: Entry, next: NewEntry): Promise<unknown>;
  /** The queued entries that refer to `entry`, changed to refer to `next`. */
  saidOf?(waiting: readonly Entry[], entry: Entry, next: NewEntry): Entry[];
  /** The arguments for submitting the same work as a new try. */
  newTryArgs?(entry: Entry): object;
  /** Shows the work submitted again as `next`. */
  showNewTry?(db: PersonDb, entry: Entry, next: NewEntry): Promise<unknown>;
  /** Deletes a thing from the device that was created here and can never be received. */
  forget?(db: PersonDb, id: string): Promise<unknown>;
};
