import { observable } from '#src/lib/observable.ts';

const failing = observable(false);
/** Whether what is being typed is not kept on this tablet. The shell says so, once each time it comes to that. */
export const draftsFail = { get: failing.get, subscribe: failing.subscribe };

/** Notes whether this draft was kept. */
export const sayWhereNotKept = (keeping: Promise<void>): void => {
  keeping.then(
    () => failing.set(false),
    () => failing.set(true),
  );
};
