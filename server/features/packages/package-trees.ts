import { randomBytes } from 'node:crypto';
import { PackageTree } from '#contract/entities/package-tree.ts';
import { packageLimits, type PackageProblem } from '#contract/entities/package.ts';
import type { Archive } from '#server/archives/archive.ts';
import { fileType } from '#server/features/packages/file-types.ts';
import { refuse } from '#server/archives/package-refused.ts';
import type { FileStore } from '#server/files/file-store.ts';

/** A package's stored files: the hash of their list, and their totals. */
export type KeptTree = { tree: string; bytes: number; files: number };

/** Registers files that are already in the store as one package. */
export const writeTree = async (store: FileStore, files: PackageTree['files']): Promise<KeptTree> => {
  const list: PackageTree = { salt: randomBytes(18).toString('base64url'), files };
  const tree = await store.put(Buffer.from(JSON.stringify(list)));
  const sizes = Object.values(files).map(([, bytes]) => bytes);
  return { tree, bytes: sizes.reduce((a, b) => a + b, 0), files: sizes.length };
};

/** The list of a package's files, or null if `tree` does not name one. */
export const readTree = async (store: FileStore, tree: string): Promise<PackageTree | null> => {
  const size = await store.size(tree);
  if (size === null || size > packageLimits.readBytes) return null;
  const bytes = await store.get(tree);
  if (bytes?.[0] !== 0x7b) return null;
  try {
    const parsed = PackageTree.safeParse(JSON.parse(bytes.toString()));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
};

/**
 * Unpacks an archive into the file store, one file after another, without holding a file in memory. `borrowed` are files
 * shared with other packages. Returns the tree, and the files skipped because packages may not contain them.
 */
export const unpack = async (
  archive: Archive,
  store: FileStore,
  borrowed: PackageTree['files'] = {},
): Promise<KeptTree & { warnings: PackageProblem[] }> => {
  const files: PackageTree['files'] = { ...borrowed };
  const leftOut: string[] = [];
  for (const file of archive.files.values()) {
    if (fileType(file.path) === null) {
      leftOut.push(file.path);
      continue;
    }
    const kept = await archive
      .open(file)
      .then((stream) => store.putStream(stream))
      .catch((error: Error & { problems?: unknown; code?: string }) => {
        if (error.problems || error.code === 'ENOSPC') throw error;
        return refuse(
          'unreadable_archive',
          file.path,
          `“${file.path}” cannot be unpacked: ${error.message}.`,
          'Create the archive again. If it was downloaded, download it again.',
        );
      });
    files[file.path] = [kept.hash, kept.bytes];
  }
  const warnings: PackageProblem[] =
    leftOut.length === 0
      ? []
      : [
          {
            code: 'left_out',
            file: leftOut[0] as string,
            problem: `${leftOut.length === 1 ? 'One file was' : `${leftOut.length} files were`} skipped, because course pages cannot use such files: ${leftOut.slice(0, 5).join(', ')}${leftOut.length > 5 ? ' …' : ''}`,
            remedy: 'You do not need to do anything, unless the course needs them.',
          },
        ];
  return { ...(await writeTree(store, files)), warnings };
};
