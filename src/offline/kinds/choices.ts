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
  /** Whether what was chosen here on the matter, `said`, comes to the same as the other side of the question. */
  agrees?(entry: Entry, said: readonly Entry[]): boolean;
  /** Shows the choice of `next`, which replaces `entry`. */
  choose?(db: PersonDb, entry: Entry, next: NewEntry): Promise<unknown>;
  /** Whether an entry only comes after those it depends on, and has a meaning without them. */
  onlyFollows?(entry: Entry): boolean;
  /** Whether everything else that waits of this thing has no meaning without the entry. */
  begins?(entry: Entry): boolean;
  /** The queued entries that name one of `gone`, changed to name `next`, or none of them if that is null. */
  saidOf?(waiting: readonly Entry[], gone: ReadonlySet<string>, next: string | null): Entry[];
  /** What a new try costs, said before it is taken; null if it costs nothing. */
  costOf?(db: PersonDb, entry: Entry): Promise<string | null>;
  /** The arguments for submitting the same work as a new try. */
  newTryArgs?(entry: Entry): object;
  /** Shows the work submitted again as `next`. */
  showNewTry?(db: PersonDb, entry: Entry, next: NewEntry): Promise<unknown>;
  /** Deletes a thing from the device that was created here and can never be received. */
  forget?(db: PersonDb, id: string): Promise<unknown>;
};
