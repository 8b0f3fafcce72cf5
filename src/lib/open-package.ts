/**
 * Records that a course package is open in this browser: if its tab is closed, it may leave a last report on the content
 * origin, which the next start collects. Does not record whose or which package it was.
 */
const key = 'package-open';
export const noteOpenPackage = (open: boolean): void => {
  if (open) localStorage.setItem(key, '1');
  else localStorage.removeItem(key);
};
export const wasPackageOpen = (): boolean => localStorage.getItem(key) !== null;
