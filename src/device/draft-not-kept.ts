import { observable } from '#src/lib/observable.ts';

const failing = observable(false);
/** Whether a draft could not be stored on this device. The shell shows a message each time this begins. */
export const draftsFail = { get: failing.get, subscribe: failing.subscribe };

/** Records whether this draft was stored. */
export const warnIfNotSaved = (keeping: Promise<void>): void => {
  keeping.then(
    () => failing.set(false),
    () => failing.set(true),
  );
};
