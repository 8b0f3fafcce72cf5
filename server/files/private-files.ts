import fs from 'node:fs';
import { join, sep } from 'node:path';

/** Readable and writable only by the server's account. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/**
 * Makes a folder and its contents private. The folder itself is changed last, so an interrupted run is continued at the next
 * start, and a finished one costs nothing. Returns the paths that could not be changed.
 */
export const makePrivate = (folder: string): string[] => {
  if (process.platform === 'win32' || (fs.statSync(folder).mode & 0o077) === 0) return [];
  const unchangedPaths: string[] = [];
  const change = (path: string, mode: number) => {
    try {
      fs.chmodSync(path, mode);
    } catch {
      unchangedPaths.push(path);
    }
  };
  const walk = (at: string) => {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) {
        walk(path);
        change(path, privateFolder);
      } else if (entry.isFile()) change(path, privateFile);
    }
  };
  walk(folder);
  if (unchangedPaths.length === 0) change(folder, privateFolder);
  return unchangedPaths;
};

/** From now on this thread creates only private files below this folder; the embedded database would make them writable for everyone. */
export const keepPrivate = (folder: string): void => {
  const below = (path: unknown) => String(path).startsWith(folder + sep);
  const { openSync, mkdirSync, writeFileSync, chmodSync, fchmodSync } = fs;
  fs.openSync = ((path: fs.PathLike, flags: fs.OpenMode, mode?: fs.Mode) =>
    openSync(path, flags, below(path) ? privateFile : mode)) as typeof fs.openSync;
  fs.mkdirSync = ((path: fs.PathLike, options?: fs.MakeDirectoryOptions | number) =>
    mkdirSync(path, below(path) ? { ...(typeof options === 'object' ? options : {}), mode: privateFolder } : options)) as typeof fs.mkdirSync;
  fs.writeFileSync = ((path: fs.PathOrFileDescriptor, data: string, options?: fs.WriteFileOptions) => {
    const named = typeof options === 'string' ? { encoding: options } : options;
    writeFileSync(path, data, below(path) ? { ...named, mode: privateFile } : options);
  }) as typeof fs.writeFileSync;
  fs.chmodSync = (path, mode) => chmodSync(path, below(path) ? Number(mode) & privateFolder : mode);
  fs.fchmodSync = (fd, mode) => fchmodSync(fd, Number(mode) & privateFolder);
};
