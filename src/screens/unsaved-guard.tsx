import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useBlocker } from 'react-router-dom';
import { currentUser } from '#src/access/session.ts';
import { tabNamed } from '#src/screens/tab-address.ts';
import { answerLeaving, leavingForms, unsavedForms } from '#src/screens/unsaved.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

const dialog = 'unsaved-changes';
const preventUnload = (event: BeforeUnloadEvent) => {
  if (unsavedForms.get().length > 0) event.preventDefault();
};

type Place = { pathname: string; search: string };
/** A form is lost with its page, and with its tab. */
const leavesForm = (from: Place, to: Place) => from.pathname !== to.pathname || tabNamed(from.search) !== tabNamed(to.search);

/**
 * Asks before a page or a tab with unsaved changes is left (by a link, the back button, closing it, or acting for another
 * organisation), and before a dialog with them is closed. If somebody leaves while a form is being saved, the navigation continues once
 * it is saved.
 */
export const UnsavedGuard = ({ kept, busy }: { kept: boolean; busy: boolean }) => {
  const blocker = useBlocker(
    // After a sign-out nobody is held back.
    ({ currentLocation: from, nextLocation: to }) => unsavedForms.get().length > 0 && leavesForm(from, to) && currentUser() !== null,
  );
  const { state } = blocker;
  const leaving = useSyncExternalStore(leavingForms.subscribe, leavingForms.get);
  // Answered only once: the form that is removed with its page reports again.
  const answered = useRef(false);
  const leave = () => {
    if (answered.current) return;
    answered.current = true;
    if (leaving) answerLeaving(true);
    else blocker.proceed?.();
  };
  const stay = () => {
    answerLeaving(false);
    if (blocker.state === 'blocked') blocker.reset();
  };
  useEffect(() => {
    addEventListener('beforeunload', preventUnload);
    return () => removeEventListener('beforeunload', preventUnload);
  }, []);
  useEffect(() => {
    if (state === 'blocked' || leaving) {
      answered.current = false;
      openModal(dialog);
    } else closeModal(dialog);
  }, [state, leaving]);
  // Before the saved form is removed from the page, and this guard with it.
  useEffect(() =>
    unsavedForms.subscribe(() => {
      const unsaved = unsavedForms.get();
      if (leaving ? !leaving.forms.some((id) => unsaved.includes(id)) : state === 'blocked' && unsaved.length === 0) leave();
    }),
  );
  const lost = kept ? 'What you typed is kept on this device, and offered when you come back to this form.' : 'What you typed here will be lost.';
  return (
    <RegisteredModal name={dialog} title={busy ? 'Saving' : 'Leave without saving?'} onBeforeClose={stay}>
      {() => (
        <>
          <p>{busy ? 'You go on as soon as it is saved.' : lost}</p>
          <div className={layout.tools}>
            <Button data-autofocus onClick={stay}>
              Stay
            </Button>
            <Button variant="default" onClick={leave}>
              {busy ? 'Leave now' : 'Leave'}
            </Button>
          </div>
        </>
      )}
    </RegisteredModal>
  );
};
