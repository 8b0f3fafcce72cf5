import layout from '#src/ui/page.module.css';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '#src/screens/use-read.ts';
import { LoadingState } from '#src/ui/states.tsx';
import classes from '#src/screens/authoring/authoring.module.css';
import { contentDeletion, courseDeletion, type Deletion, withdrawnWords } from '#src/screens/authoring/uses-words.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

/** The consequences, sentence by sentence. */
export const Sentences = ({ words, label = 'What happens' }: { words: readonly string[]; label?: string }) => (
  <ul className={`${layout.stack} ${layout.tight} ${classes.happens}`} aria-label={label}>
    {words.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

const unseenWords = [
  'Nobody new can begin it. People who have begun it can finish.',
  'Results and certificates stay.',
  'How many people it concerns cannot be seen at the moment.',
];
/** The consequences of withdrawing a content: how many people are taking it, what requires it, what stays. */
export const WhatHappens = ({ content }: { content: string }) => {
  const { state } = useRead('GET /content/{id}/uses', { params: { id: content } });
  if (state.kind === 'loading') return <LoadingState rows={2} label="Looking who takes it" />;
  return <Sentences words={state.kind === 'loaded' ? withdrawnWords(state.data) : unseenWords} />;
};

type Props = { dialog: string; label: string; title: string; sure: string; busy?: boolean; onSure: () => void; children: ReactNode };
/** A button that shows the consequences before acting. `dialog`: the name of the dialog on its page. */
export const SureButton = ({ dialog, label, title, sure, busy = false, onSure, children }: Props) => (
  <>
    <Button variant="subtle" color="red" onClick={() => openModal(dialog)} className={classes.wraps}>
      {label}
    </Button>
    <RegisteredModal name={dialog} title={title}>
      {() => (
        <div className={layout.stack}>
          {children}
          <div className={layout.tools}>
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

type DeletionProps = { id: string; title: string; busy: boolean; onDelete: () => void };
type BodyProps = { deletion: Deletion | null; busy: boolean; onDelete: () => void };
const deletion = 'delete-authored';
const DeletionBody = ({ deletion: said, busy, onDelete }: BodyProps) => {
  if (!said) return <LoadingState rows={2} label="Looking what uses it" />;
  const { refused, words } = said;
  return (
    <div className={layout.stack}>
      {refused && <p style={{ margin: 0 }}>{refused.why}</p>}
      <Sentences words={words} label={refused ? 'What needs it' : 'What happens'} />
      {refused && <p style={{ margin: 0 }}>{refused.instead}</p>}
      <div className={layout.tools}>
        {!refused && (
          <Button color="red" loading={busy} onClick={onDelete}>
            Delete
          </Button>
        )}
        <Button variant="default" onClick={() => closeModal(deletion)}>
          {refused ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </div>
  );
};
/** A button that opens the confirmation of a deletion. */
const DeletionButton = ({ title, children }: { title: string; children: () => ReactNode }) => (
  <>
    <Button variant="subtle" color="red" onClick={() => openModal(deletion)} className={classes.wraps}>
      Delete …
    </Button>
    <RegisteredModal name={deletion} title={`Delete “${title}”?`}>
      {children}
    </RegisteredModal>
  </>
);
/** The message if it is currently unknown where something is used. */
const unseen = (words: string[]): Deletion => ({ refused: null, words });

const ContentDeletion = ({ id, ...body }: Omit<DeletionProps, 'title'>) => {
  const { state } = useRead('GET /content/{id}/uses', { params: { id } });
  const deletion = state.kind === 'loaded' ? contentDeletion(state.data) : state.kind === 'loading' ? null : unseen(unseenWords);
  return <DeletionBody deletion={deletion} {...body} />;
};
/** Deletes a content, after showing the consequences for those who take it, or why it cannot be deleted. */
export const DeleteContentButton = ({ title, ...body }: DeletionProps) => (
  <DeletionButton title={title}>{() => <ContentDeletion {...body} />}</DeletionButton>
);

const CourseDeletion = ({ id, ...body }: Omit<DeletionProps, 'title'>) => {
  const { state } = useRead('GET /courses/{id}/uses', { params: { id } });
  const deletion =
    state.kind === 'loaded'
      ? courseDeletion(state.data)
      : state.kind === 'loading'
        ? null
        : unseen(['What uses it cannot be seen at the moment. It is not deleted where something needs it.']);
  return <DeletionBody deletion={deletion} {...body} />;
};
/** Deletes a course, after showing what is deleted with it, or what prevents it. */
export const DeleteCourseButton = ({ title, ...body }: DeletionProps) => (
  <DeletionButton title={title}>{() => <CourseDeletion {...body} />}</DeletionButton>
);
