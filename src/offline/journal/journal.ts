import type { JournalLine } from '#src/offline/journal/journal-format.ts';

/**
 * A person's second journal: what they did and the server has not answered for yet, appended to a file beside the
 * database and flushed before the screen says *Saved*. Browsers have been seen to lose a whole database; this brings it
 * back. Each tab writes a file of its own; whoever starts next reads them all.
 */
export type Journal = {
  /** Resolves when the line is on the disk. Answers false where it could not be written: then the database alone holds it. */
  append(line: JournalLine): Promise<boolean>;
  /** Everything kept, of all tabs, oldest file first. */
  read(): Promise<JournalLine[]>;
  /** Deletes the files of tabs that are gone and for which `isDone` holds. */
  tidy(isDone: (lines: JournalLine[]) => Promise<boolean>): Promise<void>;
  /** Deletes all of it: only where nothing of the person's is unsent. */
  forget(): Promise<void>;
  /** Ends the writer of this tab. What is on the disk stays. */
  close(): void;
};

/** No second journal: what a browser without private files has, and the service worker. */
export const none: Journal = {
  append: async () => false,
  read: async () => [],
  tidy: async () => undefined,
  forget: async () => undefined,
  close: () => undefined,
};

let make: (personId: string) => Journal = () => none;
const open = new Map<string, Journal>();
export const journalOf = (personId: string): Journal => {
  const kept = open.get(personId) ?? make(personId);
  open.set(personId, kept);
  return kept;
};
/** Ends a person's journal in this tab; the next use opens a new file. */
export const closeJournal = (personId: string): void => {
  open.get(personId)?.close();
  open.delete(personId);
};
/** Chooses the kind of journal: files in a page (file-journal.ts), none in the service worker, memory in tests. */
export const setJournal = (factory: (personId: string) => Journal): void => {
  make = factory;
  open.clear();
};
