/// <reference lib="webworker" />
import { type JournalLine, writeLine } from '#src/offline/journal/journal-format.ts';

/**
 * Writes one tab's journal; only a worker can flush a file synchronously. Lines are written in order of arrival, and flushed
 * together if several are waiting. The file is emptied when all its entries have been acknowledged.
 */
declare const self: DedicatedWorkerGlobalScope;
type Request = { kind: 'open'; path: string[]; file: string } | { kind: 'append'; call: number; line: JournalLine };

let file: FileSystemSyncAccessHandle | null = null;
let end = 0;
/** Lines of unacknowledged entries, in the order written: the required content of the file. */
type Kept = { text: string; at: number };
const live = new Map<string, Kept[]>();
let written = 0;
const encoder = new TextEncoder();
const roomyBytes = 1_000_000;

/**
 * Space is reserved as zeros: writing into it changes neither size nor block map, which makes flushing much cheaper, and a disk
 * that fills up later cannot prevent it. Zeros are skipped when reading.
 */
const reserveBytes = 65_536;
let reserved = 0;
const put = (bytes: Uint8Array<ArrayBuffer>, at: number) => {
  if (file?.write(bytes, { at }) !== bytes.length) throw new Error('the disk is full');
};

const write = (text: string) => {
  const bytes = encoder.encode(text);
  while (end + bytes.length > reserved) {
    put(new Uint8Array(reserveBytes), reserved);
    reserved += reserveBytes;
  }
  put(bytes, end);
  end += bytes.length;
};
const clear = () => {
  put(new Uint8Array(end), 0);
  end = 0;
};

const note = (line: JournalLine, text: string) => {
  const kept = { text, at: written++ };
  if (line.kind === 'rows') for (const id of line.ids) live.set(id, [...(live.get(id) ?? []), kept]);
  else for (const id of line.ids) live.delete(id);
};

const shrink = () => {
  if (!file) return;
  if (live.size === 0) {
    if (end === 0) return;
    clear();
  } else if (end > roomyBytes) {
    const lines = [...new Set([...live.values()].flat())].sort((a, b) => a.at - b.at);
    const text = lines.map((l) => l.text).join('');
    if (text.length > end / 2) return;
    clear();
    write(text);
  } else return;
  file.flush();
};

let opening: Promise<void> = Promise.resolve();
const open = async (path: string[], name: string) => {
  let folder = await navigator.storage.getDirectory();
  for (const part of path) folder = await folder.getDirectoryHandle(part, { create: true });
  file = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
  reserved = file.getSize();
};

let queue: { call: number; line: JournalLine }[] = [];
const drain = () => {
  const batch = queue;
  queue = [];
  if (batch.length === 0) return;
  let ok = true;
  const before = end;
  try {
    const texts = batch.map(({ line }) => writeLine(line));
    write(texts.join(''));
    file?.flush();
    for (const [i, { line }] of batch.entries()) note(line, texts[i] as string);
    shrink();
  } catch {
    // A partial line is skipped by its checksum; the next line overwrites it.
    end = before;
    ok = false;
  }
  for (const { call } of batch) self.postMessage({ call, ok });
};

self.addEventListener('message', ({ data }: MessageEvent<Request>) => {
  if (data.kind === 'open') opening = open(data.path, data.file).catch(() => undefined);
  else {
    queue.push(data);
    void opening.then(drain);
  }
});
