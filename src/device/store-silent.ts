import { afterAwake } from '#src/lib/after-awake.ts';
import { observable } from '#src/lib/observable.ts';

/** Thrown by parts of a page that need the device's store while it does not answer: the shell says so in their place. */
export class StoreSilent extends Error {}

/** Whether the device's store has not answered since the app was opened. */
export const storeIsSilent = observable(false);

/** A store that takes longer is said not to answer. */
export const storeAnswersMs = 8000;

let newest = 0;
/**
 * Opens a store, and tells its state; `silent` first if it takes longer than a store should. Tells nothing of a store after another was
 * opened: one that hangs, of the person before, says nothing about theirs.
 */
export const askStore = async <T>(open: () => Promise<T>, tell: (state: T | 'silent') => void): Promise<T> => {
  const own = ++newest;
  const note = (state: T | 'silent') => {
    if (own !== newest) return;
    storeIsSilent.set(state === 'silent');
    tell(state);
  };
  const cancel = afterAwake(storeAnswersMs, () => note('silent'));
  const state = await open();
  cancel();
  note(state);
  return state;
};
