/**
 * Small files beside the database, in the origin-private file system, which survive if the browser loses the database. Without
 * such a file system nothing is stored and reading returns null.
 */
export const privateFolder = async (create: boolean, ...path: string[]): Promise<FileSystemDirectoryHandle | null> => {
  if (typeof navigator === 'undefined' || !navigator.storage?.getDirectory) return null;
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of ['lantern', ...path]) folder = await folder.getDirectoryHandle(name, { create });
    return folder;
  } catch {
    return null;
  }
};

/** Writes a whole file, for browsers where only a worker can. Returns whether it is on disk. */
type CopyWriter = (file: string, text: string) => Promise<boolean>;
let writeElsewhere: CopyWriter = async () => false;
/** Set by the page (file-journal.ts). The service worker has no such worker and writes no copies in those browsers. */
export const setCopyWriter = (writer: CopyWriter): void => {
  writeElsewhere = writer;
};

/** Written to a new file that then replaces the old one, so a crash leaves one of them intact. Does not throw. */
export const keepSecondCopy = async (name: string, value: unknown): Promise<boolean> => {
  try {
    const folder = await privateFolder(true, 'copies');
    const file = await folder?.getFileHandle(`${name}.json`, { create: true });
    if (!file) throw new Error('there are no private files');
    const text = JSON.stringify(value);
    if (!('createWritable' in file)) {
      if (!(await writeElsewhere(`${name}.json`, text))) throw new Error('the worker could not write');
      return true;
    }
    const writable = await file.createWritable();
    await writable.write(text);
    await writable.close();
    return true;
  } catch {
    // A copy must not outlive its original: it may contain a key that has been locked since.
    await forgetSecondCopy(name);
    return false;
  }
};

export const readSecondCopy = async <T>(name: string): Promise<T | null> => {
  try {
    const folder = await privateFolder(false, 'copies');
    const file = await (await folder?.getFileHandle(`${name}.json`))?.getFile();
    return file ? (JSON.parse(await file.text()) as T) : null;
  } catch {
    return null;
  }
};

export const forgetSecondCopy = async (name: string): Promise<void> => {
  const folder = await privateFolder(false, 'copies');
  await folder?.removeEntry(`${name}.json`).catch(() => undefined);
};

export const secondCopies = async (): Promise<string[]> => {
  const folder = await privateFolder(false, 'copies');
  const names: string[] = [];
  if (folder) for await (const name of folder.keys()) if (name.endsWith('.json')) names.push(name.slice(0, -'.json'.length));
  return names;
};
