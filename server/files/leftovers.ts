import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where packages lie while they are uploaded and read. */
export const uploadsFolder = (dataFolder: string): string => join(dataFolder, 'uploads');
/** Where a file lies until its hash is known, when it goes into object storage. */
export const draftsFolder = (dataFolder: string): string => join(dataFolder, 'drafts');
/** The end of the name of a file that is still being written. */
export const draftEnd = '.part';

const dayMs = 86_400_000;

/**
 * Deletes files that a server which was killed has left half written; what is older than `olderThanMs`, as what is younger may
 * be another server's, under way. Every server deletes its own when it is done with them, or fails.
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
      // Another server may have deleted it meanwhile.
      const found = await stat(path).catch(() => null);
      if (found && now.getTime() - found.mtimeMs >= olderThanMs) await rm(path, { force: true });
    }
};

/** Clears at start and once a day. Whoever is `alone` in the folder waits at the start for nobody else's. Answers what stops it. */
export const keepClear = async (
  dataFolder: string,
  { alone, now, onError }: { alone: boolean; now: () => Date; onError: (error: unknown) => void },
): Promise<() => void> => {
  await clearLeftovers(dataFolder, now(), alone ? Number.NEGATIVE_INFINITY : dayMs);
  const timer = setInterval(() => void clearLeftovers(dataFolder, now(), dayMs).catch(onError), dayMs);
  timer.unref();
  return () => clearInterval(timer);
};
