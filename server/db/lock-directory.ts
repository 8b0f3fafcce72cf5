import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Takes the folder for this process: a second server on the same embedded database would corrupt it. Returns the
 * release. Throws when a live process holds it; a lock left by a dead one is taken over.
 */
export const lockDirectory = (directory: string): (() => void) => {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, 'lock');
  for (let round = 0; round < 2; round++) {
    try {
      const fd = openSync(path, 'wx');
      writeSync(fd, String(process.pid));
      closeSync(fd);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = Number(readFileSync(path, 'utf8'));
      if (Number.isInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid)) {
        throw new Error(`${directory} is in use by another server (process ${pid}). Stop it, or set DATA_DIR to another folder.`);
      }
      rmSync(path, { force: true });
    }
  }
  throw new Error(`${path} could not be taken.`);
};
