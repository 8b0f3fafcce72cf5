/** Everything on the content origin lies below here: its worker answers for this, and for nothing else. */
export const contentFolder = '/player/';
/** Where packages lie, each in a folder of its name. */
export const packagesFolder = `${contentFolder}p/`;
/** The address of a package on the content origin. */
export const packageFolder = (tree: string): string => `${packagesFolder}${tree}/`;
/** The file of a package that an address on the content origin names. */
export const packageFileAt = (address: string): string => decodeURIComponent(new URL(address).pathname.slice(packageFolder('0'.repeat(64)).length));
/** Where the list of its files lies in every package. No file of a package can have this name: such an ending is never kept. */
export const treeFile = 'package-tree.lantern';
/** Where earlier versions looked for it, and have kept it. A package may have a file of its own with this name. */
export const formerTreeFile = 'package-tree.json';
/** The file of a package that is asked for by this name: as it is written, or in composed characters. Null where there is none. */
export const nameIn = (files: Readonly<Record<string, unknown>>, path: string): string | null =>
  [path, path.normalize('NFC')].find((name) => Object.hasOwn(files, name)) ?? null;
