/// <reference lib="webworker" />
export {};

/** Writes a small private file for pages that cannot: to a new file, flushed, which then replaces the old one. */
declare const self: DedicatedWorkerGlobalScope;
type Movable = FileSystemFileHandle & { move(name: string): Promise<void> };

const write = async (path: string[], file: string, text: string): Promise<void> => {
  let folder = await navigator.storage.getDirectory();
  for (const part of path) folder = await folder.getDirectoryHandle(part, { create: true });
  const draft = (await folder.getFileHandle(`${file}.new`, { create: true })) as Movable;
  const handle = await draft.createSyncAccessHandle();
  try {
    const bytes = new TextEncoder().encode(text);
    handle.truncate(0);
    if (handle.write(bytes, { at: 0 }) !== bytes.length) throw new Error('the disk is full');
    handle.flush();
  } finally {
    handle.close();
  }
  await draft.move(file);
};

self.addEventListener('message', ({ data }: MessageEvent<{ path: string[]; file: string; text: string }>) => {
  void write(data.path, data.file, data.text).then(
    () => self.postMessage(true),
    () => self.postMessage(false),
  );
});
