import { localStore } from '#src/offline/store/local-store.ts';

/**
 * Which work of a person waits on this device, in local storage, which browsers keep when they empty a site's databases and files
 * on a full disk: a device whose store went away still knows that there was something. Only ids and a time.
 */
export type UnsentMark = { ids: string[]; at: string };
const keyOf = (personId: string) => `unsent:${personId}`;
/** Enough to say how much; the server knows the ids that were reported to it. */
const mostIds = 200;

export const noteUnsent = (personId: string, ids: readonly string[], at: string): void => {
  if (ids.length === 0) localStore()?.removeItem(keyOf(personId));
  else localStore()?.setItem(keyOf(personId), JSON.stringify({ ids: ids.slice(0, mostIds), at } satisfies UnsentMark));
};

/** Null in the service worker and in browsers without local storage, and if nothing waited. */
export const unsentMarkOf = (personId: string): UnsentMark | null => {
  try {
    const { ids, at } = JSON.parse(localStore()?.getItem(keyOf(personId)) ?? 'null') as UnsentMark;
    return Array.isArray(ids) && typeof at === 'string' ? { ids, at } : null;
  } catch {
    return null;
  }
};

export const forgetUnsent = (personId: string): void => localStore()?.removeItem(keyOf(personId));
