import { deletePieces } from '#src/offline/media/chunks.ts';

/**
 * What keeps course packages on this device: they lie with the content origin, where no code of ours but the keeper's
 * reaches. Packages are named by their tree.
 */
export type PackageKeeper = {
  /** Fetches what is missing. `onBytes` hears of each file, also of those that were here. Throws what the line or the disk said. */
  keep(tree: string, onBytes: (count: number) => void, signal: AbortSignal): Promise<void>;
  has(tree: string): Promise<boolean>;
  /** How many files were damaged or missing; they have been taken out. */
  check(tree: string): Promise<number>;
  drop(tree: string): Promise<void>;
};

/** Where nothing keeps packages: the worker, which downloads nothing, and tests of other things. */
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

/** The name of a package among the files of courses. */
const scheme = 'package:';
export const packageFile = (tree: string): string => scheme + tree;

/** Takes a file of a course off this device, wherever it lies. */
export const deleteKeptFile = (url: string): Promise<void> => (url.startsWith(scheme) ? keeper.drop(url.slice(scheme.length)) : deletePieces(url));
