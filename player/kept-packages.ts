import { PackageTree } from '#contract/entities/package-tree.ts';
import { formerTreeFile, packageFolder, treeFile } from '#contract/package-addresses.ts';

/** Packages that are kept on this device, in the cache of the content origin. Used by the keeper and by the worker. */
export const cacheName = 'lantern-packages';
export const openCache = (): Promise<Cache> => caches.open(cacheName);

const hex = (bytes: ArrayBuffer) => Array.from(new Uint8Array(bytes), (b) => b.toString(16).padStart(2, '0')).join('');
export const hashOf = async (bytes: ArrayBuffer): Promise<string> => hex(await crypto.subtle.digest('SHA-256', bytes));

/** Addresses as a browser asks for them: each part of the path is encoded. */
export const addressOf = (tree: string, path: string): string => packageFolder(tree) + path.split('/').map(encodeURIComponent).join('/');

const lists = new Map<string, PackageTree['files']>();
/** The list of a package's files as `tree` names it; null where it is not kept, or is not what its name says. */
export const keptList = async (tree: string): Promise<PackageTree['files'] | null> => {
  const known = lists.get(tree);
  if (known) return known;
  const bytes = await keptListBytes(tree);
  return bytes ? noteList(tree, bytes) : null;
};
/** The list as it lies in the cache, where earlier versions have put it too: only what its name says is a list. */
const keptListBytes = async (tree: string): Promise<ArrayBuffer | null> => {
  const cache = await openCache();
  for (const file of [treeFile, formerTreeFile]) {
    const bytes = await (await cache.match(packageFolder(tree) + file))?.arrayBuffer();
    if (bytes && (await hashOf(bytes)) === tree) return bytes;
  }
  return null;
};
/** Whether all of a package was kept: its list is kept last. */
export const isKept = async (tree: string): Promise<boolean> => (await keptListBytes(tree)) !== null;
/** Takes the list away: without it a package counts as not kept. A file of the package's own under the former name stays. */
export const dropList = async (tree: string): Promise<void> => {
  const cache = await openCache();
  await cache.delete(packageFolder(tree) + treeFile);
  const former = packageFolder(tree) + formerTreeFile;
  const bytes = await (await cache.match(former))?.arrayBuffer();
  if (bytes && (await hashOf(bytes)) === tree) await cache.delete(former);
};
/** Reads a list and believes it only where it is the one that `tree` names. */
export const noteList = async (tree: string, bytes: ArrayBuffer): Promise<PackageTree['files'] | null> => {
  if ((await hashOf(bytes)) !== tree) return null;
  const { files } = PackageTree.parse(JSON.parse(new TextDecoder().decode(bytes)));
  lists.set(tree, files);
  return files;
};
