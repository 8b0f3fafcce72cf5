import { PackageTree } from '#contract/entities/package-tree.ts';
import { packageFolder, treeFile } from '#contract/package-addresses.ts';

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
  const kept = await (await openCache()).match(packageFolder(tree) + treeFile);
  const bytes = await kept?.arrayBuffer();
  return bytes ? noteList(tree, bytes) : null;
};
/** Reads a list and believes it only where it is the one that `tree` names. */
export const noteList = async (tree: string, bytes: ArrayBuffer): Promise<PackageTree['files'] | null> => {
  if ((await hashOf(bytes)) !== tree) return null;
  const { files } = PackageTree.parse(JSON.parse(new TextDecoder().decode(bytes)));
  lists.set(tree, files);
  return files;
};
