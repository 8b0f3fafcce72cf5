import { createHash, randomBytes } from 'node:crypto';
import { PackageTree } from '#contract/entities/package-tree.ts';
import { packageLimits, type PackageProblem } from '#contract/entities/package.ts';
import type { Archive } from '#server/archives/archive.ts';
import { fileType } from '#contract/rules/file-types.ts';
import { refuse, refuseDamaged } from '#server/archives/package-refused.ts';
import type { FileStore } from '#server/files/file-store.ts';

/** A package's stored files: the hash of their list, and their totals. */
export type KeptTree = { tree: string; bytes: number; files: number };

/** Registers files that are already in the store as one package. */
export const writeTree = async (store: Pick<FileStore, 'put'>, files: PackageTree['files']): Promise<KeptTree> => {
  const list: PackageTree = { salt: randomBytes(18).toString('base64url'), files };
  const tree = await store.put(Buffer.from(JSON.stringify(list)));
  const sizes = Object.values(files).map(([, bytes]) => bytes);
  return { tree, bytes: sizes.reduce((a, b) => a + b, 0), files: sizes.length };
};

/** SHA-256 of a package's contents. Unlike its name, it is the same for the same files, regardless of who uploaded them. */
export const hashOfFiles = (files: PackageTree['files']): string => {
  const list = Object.entries(files)
    .map(([path, [hash, bytes]]) => [path, hash, bytes] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(list)).digest('hex');
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

/** The expected contents of a package that was exported by this software (`hashOfFiles`), and its unpacked size. */
export type PackageSeal = { hash: string; bytes: number };
const damaged = () =>
  refuse(
    'unreadable_archive',
    null,
    'It is not what it was when it was exported: the archive is damaged.',
    'Export the course again. If it was downloaded, download it again.',
  );

/**
 * Unpacks an archive into the file store, one file after another, without holding a file in memory. `borrowed` are files shared with other
 * packages. Returns the tree, and the files skipped because packages may not contain them. A package that does not match its seal is
 * refused.
 */
export const unpack = async (
  archive: Archive,
  store: Pick<FileStore, 'put' | 'putStream'>,
  borrowed: PackageTree['files'] = {},
  seal?: PackageSeal,
): Promise<KeptTree & { warnings: PackageProblem[] }> => {
  const ownFiles: PackageTree['files'] = {};
  const leftOut: string[] = [];
  // Before anything is written: the directory says what it would become.
  if (seal && [...archive.files.values()].reduce((sum, f) => sum + f.bytes, 0) !== seal.bytes) damaged();
  for (const file of archive.files.values()) {
    if (fileType(file.path) === null) {
      leftOut.push(file.path);
      continue;
    }
    const storedFile = await archive
      .open(file)
      .then((stream) => store.putStream(stream))
      .catch(refuseDamaged(file.path, 'Create the archive again. If it was downloaded, download it again.'));
    ownFiles[file.path] = [storedFile.hash, storedFile.bytes];
  }
  if (seal && hashOfFiles(ownFiles) !== seal.hash) damaged();
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
  return { ...(await writeTree(store, { ...borrowed, ...ownFiles })), warnings };
};
