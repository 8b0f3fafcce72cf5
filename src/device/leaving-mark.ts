import { storedValue } from '#src/lib/stored-value.ts';

/** The person whose data must still be removed from this device: set at sign-out, cleared when done. */
export const leavingMark = storedValue<string>('leaving');
/** The person whose data could not be encrypted at sign-out; retried at each start. */
export const unsealedMark = storedValue<string>('unsealed');

let isLeaving = false;
/** This tab removes their data and reloads afterwards. */
export const noteLeavingHere = (): void => {
  isLeaving = true;
};
export const leavesHere = (): boolean => isLeaving;
