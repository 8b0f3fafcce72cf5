import { type JournalLine, readLines } from '#src/offline/journal/journal-format.ts';
import { privateFolder } from '#src/offline/journal/second-copy.ts';

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

export const none: Journal = {
  append: async () => false,
  read: async () => [],
  tidy: async () => undefined,
  forget: async () => undefined,
  close: () => undefined,
};

const folderOf = (personId: string, create: boolean) => privateFolder(create, 'journal', personId);

const fileJournal = (personId: string): Journal => {
  const own = `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}.log`;
  let worker: Worker | null = null;
  let calls = 0;
  const waiting = new Map<number, (ok: boolean) => void>();
  const start = (): Worker => {
    const made = new Worker(new URL('./journal-worker.ts', import.meta.url), { type: 'module', name: 'lantern-journal' });
    made.addEventListener('message', ({ data }: MessageEvent<{ call: number; ok: boolean }>) => {
      waiting.get(data.call)?.(data.ok);
      waiting.delete(data.call);
    });
    made.addEventListener('error', () => {
      for (const resolve of waiting.values()) resolve(false);
      waiting.clear();
    });
    made.postMessage({ kind: 'open', path: ['lantern', 'journal', personId], file: own });
    return made;
  };
  const files = async () => {
    const folder = await folderOf(personId, false);
    const all: { name: string; lines: JournalLine[]; remove(): Promise<void> }[] = [];
    if (!folder) return all;
    const names: string[] = [];
    for await (const name of folder.keys()) if (name.endsWith('.log')) names.push(name);
    for (const name of names.sort()) {
      const text = await folder
        .getFileHandle(name)
        .then((f) => f.getFile())
        .then((f) => f.text())
        .catch(() => '');
      // A file that another tab holds open refuses to be removed, which is what is wanted.
      all.push({ name, lines: readLines(text), remove: () => folder.removeEntry(name).catch(() => undefined) });
    }
    return all;
  };
  const journal: Journal = {
    append: (line) => {
      worker ??= start();
      const call = ++calls;
      return new Promise((resolve) => {
        waiting.set(call, resolve);
        worker?.postMessage({ kind: 'append', call, line });
      });
    },
    read: async () => (await files()).flatMap((f) => f.lines),
    tidy: async (isDone) => {
      for (const file of await files()) if (file.name !== own && (await isDone(file.lines))) await file.remove();
    },
    forget: async () => {
      journal.close();
      const parent = await privateFolder(false, 'journal');
      await parent?.removeEntry(personId, { recursive: true }).catch(() => undefined);
    },
    close: () => {
      worker?.terminate();
      worker = null;
      for (const resolve of waiting.values()) resolve(false);
      waiting.clear();
    },
  };
  return journal;
};

let make: (personId: string) => Journal = (personId) =>
  typeof Worker === 'undefined' || typeof navigator === 'undefined' || !navigator.storage?.getDirectory ? none : fileJournal(personId);
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
/** Another kind of journal: for tests, and for a browser that has none. */
export const useJournal = (factory: (personId: string) => Journal): void => {
  make = factory;
  open.clear();
};
