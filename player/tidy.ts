import { contentFolder, packageFolder, packagesFolder, treeFile } from '#contract/package-addresses.ts';
import { lastWordsKey } from './last-words.ts';
import { addressOf, cacheName, keptList, openCache, playersCacheName } from './kept-packages.ts';

/** Held by every page that runs a package's code, in any tab. */
const lockName = 'lantern-package-runs';
/** Keeps the downloader of another tab from deleting what the package of this page uses. */
export const notePackageRuns = (): void => {
  void navigator.locks?.request(lockName, { mode: 'shared' }, () => new Promise(() => undefined)).catch(() => undefined);
};

/** The app runs on this origin too: its stores are here, and nothing can be told apart. */
const isOneOrigin = (): boolean => {
  try {
    return parent.location.origin === location.origin;
  } catch {
    return false;
  }
};

/** Removes every service worker but the one of the content folder: a package can register that one again for a part of it. */
export const ownWorkerOnly = async (): Promise<void> => {
  // Not awaited: one that is being installed is removed afterwards.
  for (const found of await navigator.serviceWorker.getRegistrations()) {
    const scope = new URL(found.scope).pathname;
    if (scope !== contentFolder && (scope.startsWith(contentFolder) || !isOneOrigin())) void found.unregister();
  }
};

const dropPackages = async (trees: ReadonlySet<string>) => {
  const cache = await openCache();
  const known = new Map<string, ReadonlySet<string> | null>();
  for (const tree of trees) {
    const files = await keptList(tree);
    // Without its list a package is still being downloaded.
    known.set(tree, files && new Set([packageFolder(tree) + treeFile, ...Object.keys(files).map((path) => addressOf(tree, path))]));
  }
  for (const key of await cache.keys()) {
    const { pathname, search } = new URL(key.url);
    const tree = pathname.startsWith(packagesFolder) ? (pathname.slice(packagesFolder.length).split('/')[0] ?? '') : '';
    const files = known.get(tree);
    if (files === undefined || files?.has(pathname) === false || !/^(\?piece=\d+)?$/.test(search)) await cache.delete(key);
  }
};
const dropDatabases = async () => {
  for (const { name } of (await indexedDB.databases?.()) ?? []) if (name) indexedDB.deleteDatabase(name);
};
const dropFiles = async () => {
  const folder = await navigator.storage.getDirectory();
  for await (const name of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) await folder.removeEntry(name, { recursive: true });
};
const dropBuckets = async () => {
  const { storageBuckets } = navigator as { storageBuckets?: { keys(): Promise<string[]>; delete(name: string): Promise<void> } };
  for (const name of (await storageBuckets?.keys()) ?? []) await storageBuckets?.delete(name);
};
const dropValues = () => {
  for (const key of Object.keys(localStorage)) if (key !== lastWordsKey) localStorage.removeItem(key);
  sessionStorage.clear();
};

/**
 * Deletes what packages have stored on this origin by themselves, and packages that the device does not need: the next person finds it as
 * if they had never run. Nothing of that is used in any case; it takes space, and may name the last person. Not while a package runs.
 */
export const tidy = async (trees: readonly string[]): Promise<void> => {
  const work = async () => {
    const wanted = new Set(trees);
    const dropCaches = async () => {
      for (const name of await caches.keys()) if (name !== cacheName && name !== playersCacheName) await caches.delete(name);
    };
    const own = [() => dropPackages(wanted)];
    const all = isOneOrigin() ? own : [dropCaches, dropDatabases, dropFiles, dropBuckets, async () => dropValues(), ...own];
    for (const drop of all) await drop().catch(() => undefined);
  };
  if (!navigator.locks) return work();
  await navigator.locks.request(lockName, { ifAvailable: true }, async (lock) => {
    if (lock) await work();
  });
};
