import { useEffect } from 'react';
import { observable } from '#src/lib/observable.ts';

const forms = observable<readonly string[]>([]);
const remove = (id: string) => forms.set(forms.get().filter((form) => form !== id));
/** The forms on the page that hold something unsaved. */
export const unsavedForms = { get: forms.get, subscribe: forms.subscribe };

/** Says that a form holds something unsaved, until it does not or is gone. */
export const useUnsaved = (id: string, unsaved: boolean) => {
  useEffect(() => {
    if (!unsaved) return;
    forms.set([...forms.get(), id]);
    return () => remove(id);
  }, [id, unsaved]);
  return { clear: () => remove(id) };
};

const leaving = observable<{ then: () => void } | null>(null);
/** A button that ends the page without leading to another address waits for an answer: `UnsavedGuard` asks. */
export const leavingForms = { get: leaving.get, subscribe: leaving.subscribe };
/** Does what ends the page: at once where nothing is unsaved, otherwise when the person leaves all the same. */
export const leaveForms = (then: () => void) => (forms.get().length === 0 ? then() : leaving.set({ then }));
/** The person's answer. */
export const answerLeaving = (leaves: boolean) => {
  const asked = leaving.get();
  leaving.set(null);
  if (!asked || !leaves) return;
  forms.set([]);
  asked.then();
};
