/**
 * Small files beside the database, in the origin-private file system: they outlive a database that the browser lost.
 * Where there is no such file system nothing is kept, and reading answers null.
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

/** Writes a file of copies whole, for browsers that let only a worker write one. Answers whether it is on the disk. */
type CopyWriter = (file: string, text: string) => Promise<boolean>;
let writeElsewhere: CopyWriter = async () => false;
/** Set by the page (file-journal.ts): the service worker, which has no such worker, writes no copies there. */
export const setCopyWriter = (writer: CopyWriter): void => {
  writeElsewhere = writer;
};

/** Written whole, then put in place, so that a crash leaves the old one or the new one. Failure is not thrown. */
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
    // An old copy must not outlive what it was a copy of: it may hold a key that has been locked away since.
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

/** The names of all copies. */
export const secondCopies = async (): Promise<string[]> => {
  const folder = await privateFolder(false, 'copies');
  const names: string[] = [];
  if (folder) for await (const name of folder.keys()) if (name.endsWith('.json')) names.push(name.slice(0, -'.json'.length));
  return names;
};
