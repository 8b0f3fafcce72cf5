import { type Journal, none, setJournal } from '#src/offline/journal/journal.ts';
import { type JournalLine, readLines } from '#src/offline/journal/journal-format.ts';
import { privateFolder, setCopyWriter } from '#src/offline/journal/second-copy.ts';

const folderOf = (personId: string, create: boolean) => privateFolder(create, 'journal', personId);

const fileJournal = (personId: string): Journal => {
  const ownFile = `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}.log`;
  let worker: Worker | null = null;
  let broken = false;
  let calls = 0;
  const waiting = new Map<number, (ok: boolean) => void>();
  const start = (): Worker => {
    const made = new Worker(new URL('./journal-worker.ts', import.meta.url), { type: 'module', name: 'lantern-journal' });
    made.addEventListener('message', ({ data }: MessageEvent<{ call: number; ok: boolean }>) => {
      waiting.get(data.call)?.(data.ok);
      waiting.delete(data.call);
    });
    made.addEventListener('error', () => {
      // A failed writer never answers, so nothing may wait for it.
      broken = true;
      for (const resolve of waiting.values()) resolve(false);
      waiting.clear();
    });
    made.postMessage({ kind: 'open', path: ['lantern', 'journal', personId], file: ownFile });
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
      // A file that another tab has open cannot be removed, as intended.
      all.push({ name, lines: readLines(text), remove: () => folder.removeEntry(name).catch(() => undefined) });
    }
    return all;
  };
  const journal: Journal = {
    append: (line) => {
      if (broken) return Promise.resolve(false);
      worker ??= start();
      const call = ++calls;
      return new Promise((resolve) => {
        waiting.set(call, resolve);
        worker?.postMessage({ kind: 'append', call, line });
      });
    },
    read: async () => (await files()).flatMap((f) => f.lines),
    tidy: async (isDone) => {
      for (const file of await files()) if (file.name !== ownFile && (await isDone(file.lines))) await file.remove();
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

/** Before version 26, Safari lets only workers write files. */
const writeInWorker = (file: string, text: string): Promise<boolean> => {
  const worker = new Worker(new URL('./copy-worker.ts', import.meta.url), { type: 'module', name: 'lantern-copy' });
  return new Promise<boolean>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<boolean>) => resolve(data));
    worker.addEventListener('error', () => resolve(false));
    worker.postMessage({ path: ['lantern', 'copies'], file, text });
  }).finally(() => worker.terminate());
};

/** Stores this page's journals in files, if the browser supports it. Call once, before the first store is opened. */
export const keepFileJournals = (): void => {
  setJournal((personId) => (typeof Worker === 'undefined' || !navigator.storage?.getDirectory ? none : fileJournal(personId)));
  setCopyWriter(writeInWorker);
};
