import { Textarea } from '@mantine/core';
import { createNote } from '#contract/api/users.ts';
import { call } from '#src/api/call.ts';
import classes from '#src/features/users/users.module.css';
import { formatMoment } from '#src/lib/format.ts';
import { Form } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { useRead } from '#src/screens/use-read.ts';
import { DeleteButton } from '#src/ui/delete-button.tsx';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { Section } from '#src/ui/section.tsx';

/** The id is fixed with the text: sent twice, it is one note. */
const empty = () => ({ id: crypto.randomUUID() as string, body: '' });

/** The managers' notes about a person. */
export const Notes = ({ uuid, name }: { uuid: string; name: string }) => {
  const { state, retry } = useRead('GET /users/{id}/notes', { params: { id: uuid } });
  const fields = useForm({
    schema: createNote.body,
    begin: empty,
    toInput: (note) => note,
    save: (body) => call('POST /users/{id}/notes', { params: { id: uuid }, body }, { quiet: true }),
    onSaved: () => {
      fields.restart(empty());
      retry();
    },
  });
  const remove = useAction((noteId: string) => call('DELETE /users/{id}/notes/{noteId}', { params: { id: uuid, noteId } }), {
    success: 'The note has been removed.',
    onDone: retry,
  });
  return (
    <Section title="Notes" id="notes">
      <ReadPlaceholder state={state} retry={retry} loading="Loading the notes" offline="Notes need a connection." />
      {state.kind === 'loaded' && (
        <>
          <p className={layout.count}>
            {state.data.length === 0 && 'No notes yet. '}Visible to those who can edit {name}, who may ask to see these notes: write accordingly.
          </p>
          {state.data.length > 0 && (
            <ul className={`${layout.lines} ${classes.must}`}>
              {state.data.map((note) => (
                <li key={note.id}>
                  <div>
                    <span className={shapes.text}>{note.body}</span>
                    <small>
                      {note.author.name} · {formatMoment(note.created_at)}
                    </small>
                  </div>
                  {note.own && (
                    <DeleteButton label="Remove …" sure="Remove" question="It cannot be restored." onDelete={() => void remove.run(note.id)} />
                  )}
                </li>
              ))}
            </ul>
          )}
          <Form form={fields} save="Add the note">
            <Textarea label="New note" autosize minRows={2} maxLength={5000} {...fields.field('body')} />
          </Form>
        </>
      )}
    </Section>
  );
};
