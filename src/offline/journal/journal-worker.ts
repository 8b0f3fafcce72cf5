/// <reference lib="webworker" />
import { type JournalLine, writeLine } from '#src/offline/journal/journal-format.ts';

/**
 * Writes one tab's journal: only a worker may flush a file at once. Lines are written in the order they come; several
 * that wait together are flushed together. When all that it holds has been answered for, the file is emptied.
 */
declare const self: DedicatedWorkerGlobalScope;
type Request = { kind: 'open'; path: string[]; file: string } | { kind: 'append'; call: number; line: JournalLine };

let file: FileSystemSyncAccessHandle | null = null;
let end = 0;
/** The lines of entries that are not answered for, newest last: what the file has to hold. */
const live = new Map<string, string[]>();
const encoder = new TextEncoder();
const roomyBytes = 1_000_000;

const write = (text: string) => {
  if (!file) throw new Error('no file');
  const bytes = encoder.encode(text);
  const at = end;
  if (file.write(bytes, { at }) !== bytes.length) throw new Error('the disk is full');
  end = at + bytes.length;
};

const note = (line: JournalLine, text: string) => {
  if (line.kind === 'rows') for (const id of line.ids) live.set(id, [...(live.get(id) ?? []), text]);
  else for (const id of line.ids) live.delete(id);
};

const shrink = () => {
  if (!file) return;
  if (live.size === 0) {
    if (end === 0) return;
    file.truncate(0);
    end = 0;
  } else if (end > roomyBytes) {
    const text = [...new Set([...live.values()].flat())].join('');
    if (text.length > end / 2) return;
    file.truncate(0);
    end = 0;
    write(text);
  } else return;
  file.flush();
};

let opening: Promise<void> = Promise.resolve();
const open = async (path: string[], name: string) => {
  let folder = await navigator.storage.getDirectory();
  for (const part of path) folder = await folder.getDirectoryHandle(part, { create: true });
  file = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
  end = file.getSize();
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
    // Half a line is skipped by its checksum; the next one starts where this one did.
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
