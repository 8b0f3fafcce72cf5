import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '#src/screens/use-read.ts';
import { LoadingState } from '#src/ui/states.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { withdrawnWords } from '#src/screens/authoring/uses-words.ts';
import form from '#src/ui/form.module.css';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

/** What happens, sentence by sentence. */
export const Sentences = ({ words }: { words: readonly string[] }) => (
  <ul className={classes.happens} aria-label="What happens">
    {words.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

/** What happens when a content is withdrawn or deleted: how many people are in it, what asks for it, what stays. */
export const WhatHappens = ({ content }: { content: string }) => {
  const { state } = useRead('GET /content/{id}/uses', { params: { id: content } });
  if (state.kind === 'loading') return <LoadingState rows={2} label="Looking who takes it" />;
  return (
    <Sentences
      words={
        state.kind === 'here'
          ? withdrawnWords(state.thing)
          : [
              'Nobody new can begin it. People who have begun it can finish.',
              'Results and certificates stay.',
              'How many people it concerns cannot be seen at the moment.',
            ]
      }
    />
  );
};

type Props = { dialog: string; label: string; title: string; sure: string; busy?: boolean; onSure: () => void; children: ReactNode };
/** A button that says what will happen before it is done. `dialog` names the dialog on its page. */
export const SureButton = ({ dialog, label, title, sure, busy = false, onSure, children }: Props) => (
  <>
    <Button variant="subtle" color="red" onClick={() => openModal(dialog)} className={classes.wraps}>
      {label}
    </Button>
    <RegisteredModal name={dialog} title={title}>
      {() => (
        <div className={classes.sure}>
          {children}
          <div className={form.actions}>
            <Button color="red" loading={busy} onClick={onSure}>
              {sure}
            </Button>
            <Button variant="default" onClick={() => closeModal(dialog)}>
              Cancel
            </Button>
          </div>
        </div>
      )}
    </RegisteredModal>
  </>
);

/** Deletes a content, after it was said what happens to those who take it. */
export const DeleteContentButton = ({ id, title, busy, onDelete }: { id: string; title: string; busy: boolean; onDelete: () => void }) => (
  <SureButton dialog="delete-content" label="Delete …" title={`Delete “${title}”?`} sure="Delete" busy={busy} onSure={onDelete}>
    <WhatHappens content={id} />
  </SureButton>
);
