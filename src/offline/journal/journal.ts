import { forgetHeld, holdLine } from '#src/offline/journal/held-lines.ts';
import type { JournalLine } from '#src/offline/journal/journal-format.ts';

/**
 * A person's second journal: unacknowledged work, appended to a file beside the database and flushed before the screen says
 * *Saved*. It restores the work if the browser loses the database, which has been observed. Each tab writes its own file; the
 * next start reads all of them.
 */
export type Journal = {
  /** Resolves once the line is on disk; false if it could not be written and only the database has it. */
  append(line: JournalLine): Promise<boolean>;
  /** All lines of all tabs, oldest file first. */
  read(): Promise<JournalLine[]>;
  /** Deletes the files of closed tabs for which `isDone` holds. */
  tidy(isDone: (lines: JournalLine[]) => Promise<boolean>): Promise<void>;
  /** Deletes everything. Only if the person has no unsent work. */
  forget(): Promise<void>;
  /** Ends this tab's writer; files are kept. */
  close(): void;
};

/** No second journal: for browsers without private files, and for the service worker. */
export const none: Journal = {
  append: async () => false,
  read: async () => [],
  tidy: async () => undefined,
  forget: async () => undefined,
  close: () => undefined,
};

let make: (personId: string) => Journal = () => none;
const open = new Map<string, Journal>();
/** The journal, which also keeps each line in memory. */
const holding = (personId: string, journal: Journal): Journal => ({
  append: (line) => {
    holdLine(personId, line);
    return journal.append(line);
  },
  read: () => journal.read(),
  tidy: (isDone) => journal.tidy(isDone),
  forget: () => {
    forgetHeld(personId);
    return journal.forget();
  },
  close: () => journal.close(),
});
export const journalOf = (personId: string): Journal => {
  const kept = open.get(personId) ?? holding(personId, make(personId));
  open.set(personId, kept);
  return kept;
};
/** Closes a person's journal in this tab; the next use opens a new file. */
export const closeJournal = (personId: string): void => {
  open.get(personId)?.close();
  open.delete(personId);
};
/** Sets the kind of journal: files in a page (file-journal.ts), none in the service worker, memory in tests. */
export const setJournal = (factory: (personId: string) => Journal): void => {
  make = factory;
  open.clear();
};
