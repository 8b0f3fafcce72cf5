import { useSyncExternalStore } from 'react';
import { currentUser } from '#src/access/session.ts';
import { observable } from '#src/lib/observable.ts';

/** Whether the person's store is probably locked, without opening a database: it decides the first paint. */
const hintKey = (personId: string) => `lantern-locked-${personId}`;

export const mayBeLocked = (personId: string): boolean => localStorage.getItem(hintKey(personId)) !== null;
export const keepLockHint = (personId: string, locked: boolean): void => {
  if (locked) localStorage.setItem(hintKey(personId), '1');
  else localStorage.removeItem(hintKey(personId));
};

const startsLocked = () => {
  const user = currentUser();
  return user !== null && mayBeLocked(user.uuid);
};
const locked = observable<boolean>(startsLocked());
export const useLocked = (): boolean => useSyncExternalStore(locked.subscribe, locked.get);
export const isLocked = locked.get;
/** Records whether the store could be opened. */
export const setLocked = (value: boolean): void => locked.set(value);
