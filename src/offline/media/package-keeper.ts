import { deletePieces } from '#src/offline/media/chunks.ts';

/**
 * Stores course packages on this device. They are stored by the content origin, which only its downloader page can access.
 * Packages are named by their tree.
 */
export type PackageKeeper = {
  /** Downloads missing files. `onBytes` is called for each file, including existing ones. Throws on a network error or a full disk. */
  keep(tree: string, onBytes: (count: number) => void, signal: AbortSignal): Promise<void>;
  has(tree: string): Promise<boolean>;
  /** Deletes damaged files and returns how many are damaged or missing. */
  check(tree: string): Promise<number>;
  drop(tree: string): Promise<void>;
};

/** Stores no packages: for the worker, which downloads nothing, and for tests. */
const none: PackageKeeper = {
  keep: async () => {
    throw new Error('unreachable');
  },
  has: async () => false,
  check: async () => 1,
  drop: async () => undefined,
};
let keeper = none;
export const setPackageKeeper = (made: PackageKeeper): void => {
  keeper = made;
};
export const packageKeeper = (): PackageKeeper => keeper;

/** URL scheme of packages in the list of course files. */
const scheme = 'package:';
export const packageFile = (tree: string): string => scheme + tree;
/** The package of that URL, or null if it is another file's. */
export const treeOfFile = (url: string): string | null => (url.startsWith(scheme) ? url.slice(scheme.length) : null);

/** Deletes a course file or package from this device. */
export const deleteKeptFile = (url: string): Promise<void> => {
  const tree = treeOfFile(url);
  return tree === null ? deletePieces(url) : keeper.drop(tree);
};
