/** Everything on the content origin is below this path: its service worker answers only for it. */
export const contentFolder = '/player/';
/** The folder of packages, each in a folder of its name. */
export const packagesFolder = `${contentFolder}p/`;
/** The address of a package on the content origin. */
export const packageFolder = (tree: string): string => `${packagesFolder}${tree}/`;
/** The file of a package that an address on the content origin names. */
export const packageFileAt = (address: string): string => decodeURIComponent(new URL(address).pathname.slice(packageFolder('0'.repeat(64)).length));
/** The path of the file list in every package. No file of a package can have this name: such an ending is never stored. */
export const treeFile = 'package-tree.lantern';
/** The path of the list in earlier versions, which devices may have stored. A package may have its own file with this name. */
export const formerTreeFile = 'package-tree.json';
/** The file of a package for a requested name: as written, or in composed characters. Null if there is none. */
export const nameIn = (files: Readonly<Record<string, unknown>>, path: string): string | null =>
  [path, path.normalize('NFC')].find((name) => Object.hasOwn(files, name)) ?? null;
