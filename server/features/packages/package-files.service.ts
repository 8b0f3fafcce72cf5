import type { CoursePackage } from '#contract/entities/package.ts';
import type { PackageTree } from '#contract/entities/package-tree.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { fileType } from '#contract/rules/file-types.ts';
import { hashOfFiles, type PackageSeal, readTree } from '#server/features/packages/package-trees.ts';
import { packageById } from '#server/features/packages/packages.rows.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { zipStream } from '#server/files/zip-stream.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** Packages as archives of their own, exported and imported. */

type Contents = PackageSeal & { files: number };

/** Pictures, films and sound are already compressed. */
const packs = (path: string) => /^text\/|(json|xml|wasm)$/.test(fileType(path) ?? '');
/** Compressed data is hardly ever longer than the original; each file is named twice. */
const mostBytes = (files: PackageTree['files']) =>
  Object.entries(files).reduce((sum, [path, [, bytes]]) => sum + Math.ceil(bytes * 1.001) + 2 * Buffer.byteLength(path) + 200, 200);

/**
 * A package as an archive again, including borrowed libraries: its contents, its maximum size, and its bytes as a stream. Null if it no
 * longer exists.
 */
export const packageAsFile = async (
  store: FileStore,
  tree: string,
): Promise<{ contents: Contents; mostBytes: number; written: () => AsyncIterable<Uint8Array> } | null> => {
  const list = await readTree(store, tree);
  if (!list) return null;
  const sizes = Object.values(list.files).map(([, bytes]) => bytes);
  return {
    contents: { hash: hashOfFiles(list.files), bytes: sizes.reduce((a, b) => a + b, 0), files: sizes.length },
    mostBytes: mostBytes(list.files),
    // The list is read again when it is written: of many packages, only one is held at a time.
    written: async function* () {
      const inside = Object.entries((await readTree(store, tree))?.files ?? {});
      yield* zipStream(inside.map(([path, [hash]]) => ({ path, packed: packs(path), bytes: () => store.read(hash) as AsyncIterable<Uint8Array> })));
    },
  };
};

/** The actor's organisation's H5P package of this name, or else the oldest with this content. */
export const h5pLike = async (
  { db, files }: Pick<Services, 'db' | 'files'>,
  actor: Actor,
  tree: string,
  contents: Contents | undefined,
): Promise<CoursePackage | undefined> => {
  const ownFiles = (which: Statement) =>
    db.all<{ id: string; tree: string }>(
      sql`select id, tree from packages where kind = 'h5p' and entity_id = ${actor.place.id} and ${which} order by created_at, id`,
    );
  const [named] = await ownFiles(sql`tree = ${tree}`);
  if (named) return packageById(db, actor, named.id);
  for (const like of contents ? await ownFiles(sql`bytes = ${contents.bytes} and files = ${contents.files}`) : []) {
    const list = await readTree(files, like.tree);
    if (list && hashOfFiles(list.files) === contents?.hash) return packageById(db, actor, like.id);
  }
  return undefined;
};
