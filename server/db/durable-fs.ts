import fs from 'node:fs';
import { dirname, sep } from 'node:path';

/**
 * Makes the embedded database's files survive a power cut, as far as the disk honours flushes.
 *
 * PGlite writes through node:fs and never flushes. This restores the order that PostgreSQL relies on:
 * 1. the log is flushed before any data page that it describes is written,
 * 2. every data page is flushed before the control file marks a checkpoint as complete,
 * 3. the log is flushed before an answer leaves (`flushLog`, called once a request).
 * Loaded only in the database's own thread, before PGlite.
 */
export const installDurableFs = (directory: string) => {
  const paths = new Map<number, string>();
  const dirtyLog = new Set<string>();
  const dirtyData = new Set<string>();
  const dirtyFolders = new Set<string>();
  const open = fs.openSync;
  const write = fs.writeSync;
  const rename = fs.renameSync;
  const flush = (path: string) => {
    try {
      const fd = open(path, 'r+');
      try {
        fs.fdatasyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  };
  const flushFolders = () => {
    for (const folder of dirtyFolders) {
      const fd = open(folder, 'r');
      try {
        fs.fsyncSync(fd);
      } finally {
        fs.closeSync(fd);
      }
    }
    dirtyFolders.clear();
  };
  const flushLog = () => {
    if (dirtyLog.size === 0) return;
    for (const path of dirtyLog) flush(path);
    dirtyLog.clear();
    flushFolders();
  };
  const flushData = () => {
    flushLog();
    for (const path of dirtyData) flush(path);
    dirtyData.clear();
    flushFolders();
  };
  const isLog = (path: string) => path.includes(`${sep}pg_wal${sep}`);
  const isControl = (path: string) => path.endsWith(`${sep}pg_control`);

  fs.openSync = ((path: fs.PathLike, ...rest: [fs.OpenMode?, fs.Mode?]) => {
    const fd = open(path, ...(rest as [fs.OpenMode]));
    const name = String(path);
    if (name.startsWith(directory)) {
      paths.set(fd, name);
      const creates = typeof rest[0] === 'number' && (rest[0] & fs.constants.O_CREAT) !== 0;
      if (creates) dirtyFolders.add(dirname(name));
    }
    return fd;
  }) as typeof fs.openSync;
  fs.renameSync = ((from: fs.PathLike, to: fs.PathLike) => {
    rename(from, to);
    if (String(to).startsWith(directory)) dirtyFolders.add(dirname(String(to)));
  }) as typeof fs.renameSync;
  fs.writeSync = ((fd: number, ...rest: unknown[]) => {
    const path = paths.get(fd);
    if (path !== undefined) {
      if (isLog(path)) dirtyLog.add(path);
      else if (isControl(path)) {
        flushData();
        dirtyData.add(path);
      } else {
        flushLog();
        dirtyData.add(path);
      }
    }
    return (write as (...args: unknown[]) => number)(fd, ...rest);
  }) as typeof fs.writeSync;
  return { flushLog, flushData };
};
