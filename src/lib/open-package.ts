/**
 * Records that a course package is open in this browser: if its tab is closed, it may leave a last report on the content
 * origin, which the next start collects. Does not record whose or which package it was.
 */
const key = 'package-open';
export const wasPackageOpen = (): boolean => localStorage.getItem(key) !== null;
export const forgetOpenPackage = (): void => localStorage.removeItem(key);

let openHere = 0;
const watching = new Set<() => void>();
/** Whether a package's code runs in this tab. */
export const isPackageOpenHere = (): boolean => openHere > 0;
/** Calls `changed` whenever that changes, at once. */
export const watchOpenPackages = (changed: () => void): void => {
  watching.add(changed);
};
/** Notes that a package is opened in this tab. Returns a function for its end. */
export const openPackage = (): (() => void) => {
  openHere++;
  localStorage.setItem(key, '1');
  for (const changed of watching) changed();
  return () => {
    openHere--;
    if (openHere === 0) forgetOpenPackage();
    for (const changed of watching) changed();
  };
};
