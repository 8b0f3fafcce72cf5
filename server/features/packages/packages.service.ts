import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { CoursePackage, PackageManifest, PackageProblem } from '#contract/entities/package.ts';
import { openArchive } from '#server/archives/archive.ts';
import type { Actor } from '#server/actor.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { type PackageSeal, unpack } from '#server/features/packages/package-trees.ts';
import { borrowLibraries, installedLibraries, notePackage } from '#server/features/packages/packages.rows.ts';
import type { By } from '#server/note-change.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { parsePackage } from '#server/workers/parsing.ts';

type Needed = Pick<Services, 'db' | 'files' | 'now'>;
type Unpacking = { kind: PackageManifest['kind']; seal?: PackageSeal };

/**
 * Throws if the actor may not upload packages: their code would run with the player's permissions; only someone who has all of them gains
 * nothing.
 */
export const mayBringPackages = ({ ONE_ORIGIN }: Pick<Services['config'], 'ONE_ORIGIN'>, actor: Actor): void => {
  if (ONE_ORIGIN && !actor.user.super_admin)
    throw new ProductError('forbidden', { message: 'On this server only a super administrator can upload packages.' });
};

/** The problems with a package, from the error that refused it. Errors from a worker arrive without their class. */
export const problemsOfPackage = (error: unknown): readonly PackageProblem[] | undefined =>
  (error as { problems?: readonly PackageProblem[] }).problems;

/** A store that returns the same as the real one and keeps nothing. */
const keepsNothing: Pick<FileStore, 'put' | 'putStream'> = {
  put: async (bytes) => createHash('sha256').update(bytes).digest('hex'),
  putStream: async (source: Readable) => {
    const hasher = createHash('sha256');
    let bytes = 0;
    for await (const piece of source as AsyncIterable<Buffer>) {
      hasher.update(piece);
      bytes += piece.length;
    }
    return { hash: hasher.digest('hex'), bytes };
  },
};

const readInto = async (
  store: Pick<FileStore, 'put' | 'putStream'>,
  { db, files, now }: Needed,
  actor: Actor,
  path: string,
  { kind, seal }: Unpacking,
): Promise<CoursePackage> => {
  const installed = kind === 'h5p' ? await installedLibraries(db, actor.place.id) : new Map();
  const { manifest, warnings, missing } = await parsePackage(path, kind, [...installed.keys()]);
  const archive = await openArchive(path);
  try {
    const contents = await unpack(archive, store, await borrowLibraries(files, installed, missing), seal);
    const { tree, bytes, files: count } = contents;
    return { id: randomUUID(), tree, bytes, files: count, manifest, warnings: [...warnings, ...contents.warnings], created_at: now().toISOString() };
  } finally {
    archive.close();
  }
};

/** Reads a package and unpacks it into the file store; `notePackage` makes it one of the organisation. Throws errors for `problemsOfPackage`. */
export const unpackPackage = (services: Needed, actor: Actor, path: string, how: Unpacking): Promise<CoursePackage> =>
  readInto(services.files, services, actor, path, how);
/** Reads a package and refuses what `unpackPackage` would, but stores nothing. */
export const checkPackage: typeof unpackPackage = (services, actor, path, how) => readInto(keepsNothing, services, actor, path, how);

/** Unpacks and stores an uploaded package. Throws `package_refused` with all its problems. */
export const keepPackage = async (services: Needed, by: By, path: string, kind: PackageManifest['kind']): Promise<CoursePackage> => {
  try {
    const unpacked = await unpackPackage(services, by.actor, path, { kind });
    await services.db.tx((tx) => notePackage(tx, by, unpacked));
    return unpacked;
  } catch (error) {
    const problems = problemsOfPackage(error);
    if (problems) throw new ProductError('package_refused', { message: problems[0]?.problem ?? '', extra: { problems } });
    throw error;
  }
};
