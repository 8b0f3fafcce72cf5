import { useContext, useEffect } from 'react';
import { observable } from '#src/lib/observable.ts';
import { closeModal, holdModal, ModalName } from '#src/ui/modal/open-modals.ts';

const forms = observable<readonly string[]>([]);
const remove = (id: string) => forms.set(forms.get().filter((form) => form !== id));
/** The forms on the page that hold something unsaved. */
export const unsavedForms = { get: forms.get, subscribe: forms.subscribe };

/** Of those, the ones that hold more than signing out deletes. */
const lasting = new Set<string>();
export const signingOutLoses = () => forms.get().some((form) => !lasting.has(form));

/** What becomes of what is unsaved: it is lost with the page; it is a draft, which goes when its person signs out; or it stays for them on the device. */
type Kept = 'lost' | 'draft' | 'stays';
/** Says that a form holds something unsaved, until it does not or is gone. Where that would be lost, the dialog that it stands in asks before it is closed. */
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
/** A button that ends the page, or a dialog, without leading to another address waits for an answer: `UnsavedGuard` asks. */
export const leavingForms = { get: leaving.get, subscribe: leaving.subscribe };
/** At once where none of these forms holds something unsaved. */
const leave = (ids: readonly string[], then: () => void) => {
  const unsaved = ids.filter((id) => forms.get().includes(id));
  if (unsaved.length === 0) then();
  else leaving.set({ forms: unsaved, then });
};
/** Does what ends the page: at once where nothing is unsaved, otherwise when the person leaves all the same. */
export const leaveForms = (then: () => void) => leave(forms.get(), then);
/** The person's answer. */
export const answerLeaving = (leaves: boolean) => {
  const asked = leaving.get();
  leaving.set(null);
  if (!asked || !leaves) return;
  forms.set(forms.get().filter((form) => !asked.forms.includes(form)));
  asked.then();
};
