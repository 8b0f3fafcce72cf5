/** Everything on the content origin lies below here: its worker answers for this, and for nothing else. */
export const contentFolder = '/player/';
/** Where packages lie, each in a folder of its name. */
export const packagesFolder = `${contentFolder}p/`;
/** The address of a package on the content origin. */
export const packageFolder = (tree: string): string => `${packagesFolder}${tree}/`;
/** The file of a package that an address on the content origin names. */
export const packageFileAt = (address: string): string => decodeURIComponent(new URL(address).pathname.slice(packageFolder('0'.repeat(64)).length));
/** Where the list of its files lies in every package. */
export const treeFile = 'package-tree.json';
