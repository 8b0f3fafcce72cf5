import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { call, sentenceOf } from '#src/api/call.ts';
import { fieldErrorsOf } from '#src/api/field-errors.ts';
import classes from '#src/features/users/users.module.css';
import { formatMoment } from '#src/lib/format.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Section } from '#src/ui/section.tsx';

/** The id goes with the text from the start: pressed twice, or sent again, it is one note. */
const empty = () => ({ id: crypto.randomUUID() as string, body: '' });

/** What those who look after somebody write about them. */
export const Notes = ({ uuid, name }: { uuid: string; name: string }) => {
  const { state, retry } = useRead('GET /users/{id}/notes', { params: { id: uuid } });
  const [draft, setDraft] = useState(empty);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const write = async () => {
    setBusy(true);
    const result = await call('POST /users/{id}/notes', { params: { id: uuid }, body: { id: draft.id, body: draft.body } }, { quiet: true });
    setBusy(false);
    if (result.kind !== 'ok') {
      const errors = fieldErrorsOf(result);
      return setError(errors.body ?? errors.whole ?? sentenceOf(result));
    }
    setError(null);
    setDraft(empty());
    retry();
  };
  const remove = async (noteId: string) => {
    const result = await call('DELETE /users/{id}/notes/{noteId}', { params: { id: uuid, noteId } });
    if (result.kind !== 'ok') return notify('error', sentenceOf(result));
    notify('success', 'The note has been removed.');
    retry();
  };
  return (
    <Section title="Notes">
      <ReadPlaceholder state={state} retry={retry} loading="Loading the notes" offline="Notes need a connection." />
      {state.kind === 'here' && (
        <>
          <p className={layout.count}>
            {state.thing.length === 0 && 'No notes yet. '}Visible to those who can edit {name}, who may ask to see these notes: write accordingly.
          </p>
          {state.thing.length > 0 && (
            <ul className={classes.must}>
              {state.thing.map((note) => (
                <li key={note.id}>
                  <div>
                    <span className={classes.note}>{note.body}</span>
                    <small>
                      {note.author.name} · {formatMoment(note.created_at)}
                    </small>
                  </div>
                  {note.own && (
                    <DeleteButton label="Remove …" sure="Remove" question="It cannot be restored." onDelete={() => void remove(note.id)} />
                  )}
                </li>
              ))}
            </ul>
          )}
          <form
            noValidate
            className={layout.list}
            onSubmit={(event) => {
              event.preventDefault();
              void write();
            }}
          >
            <Textarea
              label="New note"
              autosize
              minRows={2}
              maxLength={5000}
              value={draft.body}
              error={error}
              onChange={(e) => setDraft({ ...draft, body: e.currentTarget.value })}
            />
            <Group>
              <Button type="submit" variant="default" loading={busy} disabled={draft.body.trim() === ''}>
                Add the note
              </Button>
            </Group>
          </form>
        </>
      )}
    </Section>
  );
};
