import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Where packages lie while they are uploaded and read. */
export const uploadsFolder = (dataFolder: string): string => join(dataFolder, 'uploads');

const abandonedAfterMs = 86_400_000;

/** Deletes uploads that a server which was killed has left behind. What is younger than a day may be another's, under way. */
export const clearAbandonedUploads = async (dataFolder: string, now: Date): Promise<void> => {
  const folder = uploadsFolder(dataFolder);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now.getTime() - mtimeMs > abandonedAfterMs) await rm(path, { force: true });
  }
};
