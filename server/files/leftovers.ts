import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Packages during upload and parsing. */
export const uploadsFolder = (dataFolder: string): string => join(dataFolder, 'uploads');
/** Files on their way to object storage until their hash is known. */
export const draftsFolder = (dataFolder: string): string => join(dataFolder, 'drafts');
/** Suffix of a file that is still being written. */
export const draftEnd = '.part';

const dayMs = 86_400_000;

/**
 * Deletes incomplete files left by a killed server, if older than `olderThanMs`; newer ones may still be in use by another
 * server. Servers delete their own when they finish or fail.
 */
export const clearLeftovers = async (dataFolder: string, now: Date, olderThanMs: number): Promise<void> => {
  for (const [folder, end] of [
    [uploadsFolder(dataFolder), ''],
    [draftsFolder(dataFolder), draftEnd],
    [join(dataFolder, 'files'), draftEnd],
  ] as const)
    for (const name of await readdir(folder).catch(() => [])) {
      if (!name.endsWith(end)) continue;
      const path = join(folder, name);
      const found = await stat(path).catch(() => null);
      if (found && now.getTime() - found.mtimeMs >= olderThanMs) await rm(path, { force: true });
    }
};

/**
 * Runs at start and once a day. If this server is `alone` in the folder, the first run deletes files of any age. Returns a
 * function that stops it.
 */
export const keepClear = async (
  dataFolder: string,
  { alone, now, onError }: { alone: boolean; now: () => Date; onError: (error: unknown) => void },
): Promise<() => void> => {
  await clearLeftovers(dataFolder, now(), alone ? Number.NEGATIVE_INFINITY : dayMs);
  const timer = setInterval(() => void clearLeftovers(dataFolder, now(), dayMs).catch(onError), dayMs);
  timer.unref();
  return () => clearInterval(timer);
};
