import { useSyncExternalStore } from 'react';
import { currentUser, handedOver } from '#src/access/session.ts';
import { observable } from '#src/lib/observable.ts';
import { storedValue } from '#src/lib/stored-value.ts';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';

/**
 * The device in somebody else's hands. That it was handed over is stored before the other person sees anything, so that no reload, other
 * tab, link or restart leads them into the owner's account: every page shows only the way back for its owner.
 */

/** Whether this tab shows what the other person was handed. */
const shownHere = observable(false);

/** Whether pages are closed in this tab because the device was handed over. */
export const useClosedForOwner = (): boolean => {
  const owner = useSyncExternalStore(handedOver.subscribe, handedOver.get);
  const here = useSyncExternalStore(shownHere.subscribe, shownHere.get);
  return owner !== null && owner === currentUser()?.uuid && !here;
};

/** Hands the device over. The home snapshot is removed, because a reload would show it before any script runs. */
export const beginHandOver = (): void => {
  const user = currentUser();
  if (!user) return;
  shownHere.set(true);
  handedOver.set(user.uuid);
  if ('caches' in window) void caches.delete(lastKnownCacheName);
};
/** What was handed is no longer shown in this tab, whether or not the owner has the device back. */
export const leaveHandOver = (): void => shownHere.set(false);
/** Shows it again in this tab. */
export const resumeHandOver = (): void => {
  if (handedOver.get() !== null) shownHere.set(true);
};
/** The owner has the device back. */
export const forgetsHandOver = (): void => handedOver.set(null);

/** Whether its users have marked this device as shared. */
export const sharedDevice = storedValue<boolean>('sharedDevice');
/** People who do not want a PIN on this device; they are not asked again. */
const declined = storedValue<readonly string[]>('pinDeclined');
export const hasDeclinedPin = (personId: string): boolean => declined.get()?.includes(personId) === true;
export const declinePin = (personId: string): void => declined.set([...(declined.get() ?? []).filter((id) => id !== personId), personId]);
