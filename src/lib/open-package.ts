/**
 * Notes that a course package is open in this browser: a tab that is closed with it may have left a last word on the
 * content origin, which the next start asks for. Nothing of whose or which it was.
 */
const key = 'package-open';
export const noteOpenPackage = (open: boolean): void => {
  if (open) localStorage.setItem(key, '1');
  else localStorage.removeItem(key);
};
export const wasPackageOpen = (): boolean => localStorage.getItem(key) !== null;
