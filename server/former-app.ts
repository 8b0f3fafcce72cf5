import { constants, createReadStream, existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** For how long files of former builds are served after a server last started with them. */
const keptDays = 60;
const folderOf = (dataDir: string) => join(dataDir, 'app-files');
/** Names from the build: they contain a hash of the content, so that two builds never differ in a file of one name. */
const isName = (name: string) => /^[\w-][\w.-]*$/.test(name);

/**
 * Keeps a copy of the built app's files with hashed names in the data folder, and deletes those that no start has used for two months.
 * A page that was opened before an update goes on loading its own screens.
 */
export const keepAppFiles = async (distFolder: string, dataDir: string, now: Date): Promise<void> => {
  const assets = join(distFolder, 'assets');
  const folder = folderOf(dataDir);
  if (!existsSync(assets)) return;
  await mkdir(folder, { recursive: true });
  const current = new Set((await readdir(assets)).filter((name) => isName(name) && !name.endsWith('.map')));
  const kept = new Set(await readdir(folder));
  for (const name of current) {
    const own = join(folder, name);
    if (!kept.has(name)) {
      const draft = join(folder, `${name}.${process.pid}.new`);
      await copyFile(join(assets, name), draft, constants.COPYFILE_FICLONE);
      // A copy has the mode of its original, which everybody may read.
      await chmod(draft, 0o600);
      await rename(draft, own);
    }
    await utimes(own, now, now);
  }
  for (const name of kept) {
    if (current.has(name)) continue;
    const file = join(folder, name);
    const used = await stat(file).catch(() => null);
    if (used && now.getTime() - used.mtimeMs > keptDays * 86_400_000) await rm(file, { force: true });
  }
};

/** A file of a former build, or null. */
export const formerAppFile = async (dataDir: string, name: string): Promise<Readable | null> => {
  if (!isName(name) || name.endsWith('.new')) return null;
  const file = join(folderOf(dataDir), name);
  return (await stat(file).catch(() => null))?.isFile() ? createReadStream(file) : null;
};
