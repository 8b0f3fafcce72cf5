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
