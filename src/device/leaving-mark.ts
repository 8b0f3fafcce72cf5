import { storedValue } from '#src/lib/stored-value.ts';

/** Whose things are still to leave this device: written when they sign out, taken away when they have. */
export const leavingMark = storedValue<string>('leaving');
/** Whose things could not be sealed when they signed out: it is tried again at each start until they are. */
export const unsealedMark = storedValue<string>('unsealed');

let here = false;
/** This tab takes their things away, and is loaded anew afterwards. */
export const noteLeavingHere = (): void => {
  here = true;
};
export const leavesHere = (): boolean => here;
