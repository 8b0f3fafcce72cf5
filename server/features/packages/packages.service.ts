import type { CoursePackage, PackageManifest, PackageProblem } from '#contract/entities/package.ts';
import { openArchive } from '#server/archives/archive.ts';
import { unpack } from '#server/features/packages/package-trees.ts';
import { borrowLibraries, installedLibraries, notePackage } from '#server/features/packages/packages.rows.ts';
import type { By } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { parsePackage } from '#server/workers/parsing.ts';

/** Unpacks and keeps an uploaded package. Throws `package_refused` with all its problems. */
export const keepPackage = async (
  { db, files, now }: Pick<Services, 'db' | 'files' | 'now'>,
  by: By,
  path: string,
  kind: PackageManifest['kind'],
): Promise<CoursePackage> => {
  try {
    const installed = kind === 'h5p' ? await installedLibraries(db, by.actor.place.id) : new Map();
    const { manifest, warnings, missing } = await parsePackage(path, kind, [...installed.keys()]);
    const archive = await openArchive(path);
    try {
      const kept = await unpack(archive, files, await borrowLibraries(files, installed, missing));
      return await db.tx((tx) => notePackage(tx, by, kept, manifest, [...warnings, ...kept.warnings], now()));
    } finally {
      archive.close();
    }
  } catch (error) {
    // Errors from a worker arrive without their class.
    const { problems } = error as { problems?: readonly PackageProblem[] };
    if (problems) throw new ProductError('package_refused', { message: problems[0]?.problem ?? '', extra: { problems } });
    throw error;
  }
};
