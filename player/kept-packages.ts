import { PackageTree } from '#contract/entities/package-tree.ts';
import { formerTreeFile, packageFolder, treeFile } from '#contract/package-addresses.ts';

/** Packages stored on this device, in the content origin's cache. Used by the downloader and the worker. */
export const cacheName = 'lantern-packages';
/** The players of this release, which the worker stores. */
export const playersCacheName = 'lantern-players';
export const openCache = (): Promise<Cache> => caches.open(cacheName);

const hex = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (b) => b.toString(16).padStart(2, '0')).join('');
export const hashOf = async (bytes: ArrayBuffer): Promise<string> => hex(await crypto.subtle.digest('SHA-256', bytes));

/** URLs as browsers request them, with encoded path segments. */
export const addressOf = (tree: string, path: string): string => packageFolder(tree) + path.split('/').map(encodeURIComponent).join('/');

const lists = new Map<string, PackageTree['files']>();
/** The file list of a package; null if it is not stored or does not match `tree`. */
export const keptList = async (tree: string): Promise<PackageTree['files'] | null> => {
  const known = lists.get(tree);
  if (known) return known;
  const bytes = await keptListBytes(tree);
  return bytes ? noteList(tree, bytes) : null;
};
/** The stored list. Earlier versions used another URL; only a list that matches `tree` is accepted. */
const keptListBytes = async (tree: string): Promise<ArrayBuffer | null> => {
  const cache = await openCache();
  for (const file of [treeFile, formerTreeFile]) {
    const bytes = await (await cache.match(packageFolder(tree) + file))?.arrayBuffer();
    if (bytes && (await hashOf(bytes)) === tree) return bytes;
  }
  return null;
};
/** Whether a package is completely stored: its list is stored last. */
export const isKept = async (tree: string): Promise<boolean> => (await keptListBytes(tree)) !== null;
/** Deletes the list, so that the package counts as not stored. A package file with the list's former name is kept. */
export const dropList = async (tree: string): Promise<void> => {
  const cache = await openCache();
  await cache.delete(packageFolder(tree) + treeFile);
  const former = packageFolder(tree) + formerTreeFile;
  const bytes = await (await cache.match(former))?.arrayBuffer();
  if (bytes && (await hashOf(bytes)) === tree) await cache.delete(former);
};
/** Parses a list if its hash matches `tree`. */
export const noteList = async (tree: string, bytes: ArrayBuffer): Promise<PackageTree['files'] | null> => {
  if ((await hashOf(bytes)) !== tree) return null;
  const { files } = PackageTree.parse(JSON.parse(new TextDecoder().decode(bytes)));
  lists.set(tree, files);
  return files;
};
