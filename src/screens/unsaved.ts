import { useContext, useEffect } from 'react';
import { observable } from '#src/lib/observable.ts';
import { closeModal, holdModal, ModalName } from '#src/ui/modal/open-modals.ts';

const forms = observable<readonly string[]>([]);
const remove = (id: string) => forms.set(forms.get().filter((form) => form !== id));
/** The forms on the page with unsaved changes. */
export const unsavedForms = { get: forms.get, subscribe: forms.subscribe };

/** Those of them that hold more than what signing out deletes. */
const lasting = new Set<string>();
export const signingOutLoses = () => forms.get().some((form) => !lasting.has(form));

/** What happens to unsaved changes: lost with the page; a draft, deleted at sign-out; or stored for the person on the device. */
type Kept = 'lost' | 'draft' | 'stays';
/** Registers a form with unsaved changes until it is saved or removed. If they would be lost, closing its dialog asks first. */
export const useUnsaved = (id: string, unsaved: boolean, kept: Kept = 'lost') => {
  const dialog = useContext(ModalName);
  useEffect(() => {
    if (dialog !== null && unsaved && kept === 'lost') return holdModal(dialog, () => leave([id], () => closeModal(dialog)));
  }, [id, dialog, unsaved, kept]);
  useEffect(() => {
    if (!unsaved) return;
    if (kept === 'stays') lasting.add(id);
    forms.set([...forms.get(), id]);
    return () => {
      remove(id);
      lasting.delete(id);
    };
  }, [id, unsaved, kept]);
  return { clear: () => remove(id) };
};

type Leaving = { forms: readonly string[]; then: () => void };
const leaving = observable<Leaving | null>(null);
/** A pending action of a button that ends the page or a dialog without a navigation: `UnsavedGuard` asks. */
export const leavingForms = { get: leaving.get, subscribe: leaving.subscribe };
/** Runs immediately if none of these forms has unsaved changes. */
const leave = (ids: readonly string[], then: () => void) => {
  const unsaved = ids.filter((id) => forms.get().includes(id));
  if (unsaved.length === 0) then();
  else leaving.set({ forms: unsaved, then });
};
/** Runs an action that ends the page: immediately if nothing is unsaved, otherwise after the person confirms. */
export const leaveForms = (then: () => void) => leave(forms.get(), then);
/** The person's answer. */
export const answerLeaving = (leaves: boolean) => {
  const current = leaving.get();
  leaving.set(null);
  if (!current || !leaves) return;
  forms.set(forms.get().filter((form) => !current.forms.includes(form)));
  current.then();
};
