import '@mantine/core/styles/Checkbox.css';
import { Button, Checkbox, Modal, Textarea } from '@mantine/core';
import { useRef } from 'react';
import { sendReminder } from '#contract/api/messages.ts';
import type { ReminderPreview } from '#contract/entities/message.ts';
import { protocol } from '#contract/protocol.ts';
import { call } from '#src/api/call.ts';
import { countOf } from '#src/lib/format.ts';
import { Form } from '#src/screens/form.tsx';
import { MailWaits } from '#src/screens/mail-waits.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';

type Somebody = { id: string; name: string };
const people = (count: number) => countOf(count, 'person', 'people');

/** Whom it goes to, in a sentence or two. */
const whoGetsIt = ({ reminded, nothing_due }: ReminderPreview): string => {
  const gets = `${people(reminded)} ${reminded === 1 ? 'gets' : 'each get'} a message with their own courses that are overdue or due soon.`;
  return nothing_due === 0
    ? gets
    : `${gets} ${people(nothing_due)} ${nothing_due === 1 ? 'has' : 'have'} nothing due, and ${nothing_due === 1 ? 'gets' : 'get'} none.`;
};

const Write = ({ ids, preview, onClose }: { ids: readonly string[]; preview: ReminderPreview; onClose: () => void }) => {
  // The same words to the same people are sent once, even if the answer was lost.
  const key = useRef(crypto.randomUUID());
  const fields = useForm({
    schema: sendReminder.body,
    begin: { message: '', mail: false },
    toInput: ({ message, mail }) => ({ user_ids: [...ids], message, messageTypes: mail ? ['mail' as const] : [] }),
    keep: () => {
      key.current = crypto.randomUUID();
    },
    save: (body) => call('POST /messages/reminders', { body }, { headers: { [protocol.idempotencyHeader]: key.current } }),
    success: ({ recipients }) => `${people(recipients)} ${recipients === 1 ? 'has' : 'have'} been reminded.`,
    onSaved: onClose,
  });
  const words = fields.values.message.trim();
  return (
    <Form
      form={fields}
      save="Send reminder"
      beside={
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      }
    >
      <div className={layout.list}>
        <p role="status">{whoGetsIt(preview)}</p>
        <Textarea
          label="Your words before it"
          description="You can leave this empty."
          autosize
          minRows={2}
          maxRows={6}
          {...fields.field('message')}
        />
        <Checkbox label="By e-mail as well" {...fields.checkbox('mail')} />
        <MailWaits />
        {preview.examples.map(({ user, message }, i) => (
          <details key={user.id} open={i === 0}>
            <summary>{user.name}</summary>
            <p className={`${layout.notice} ${shapes.text}`} data-tone="plain">
              {words === '' ? message : `${words}\n\n${message}`}
            </p>
          </details>
        ))}
      </div>
    </Form>
  );
};

type Shown = { people: readonly Somebody[]; opened: boolean; onClose: () => void /** It has left the screen. */; onGone: () => void };
/** Reminds people of their own courses, with what each will read. Needs a connection: what is due is known to the server. */
export const RemindDialog = ({ people: chosen, opened, onClose, onGone }: Shown) => {
  const ids = chosen.map((p) => p.id);
  const { state, retry } = useReadOf(['reminder', ids], () => call('POST /messages/reminders/preview', { body: { user_ids: ids } }));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onGone}
      title={chosen.length === 1 ? `Remind ${chosen[0]?.name}` : `Remind ${people(chosen.length)}`}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': 'Close', size: 44 }}
      styles={{ title: { fontWeight: 700 } }}
    >
      <ReadPlaceholder state={state} retry={retry} loading="Looking up what is due" offline="A reminder needs a connection." />
      {state.kind === 'loaded' &&
        (state.data.reminded === 0 ? (
          <>
            <p role="status">
              {chosen.length === 1 ? 'Nothing of theirs is overdue or due soon.' : 'None of them has anything overdue or due soon.'}
            </p>
            <Button variant="default" mt="md" onClick={onClose}>
              Close
            </Button>
          </>
        ) : (
          <Write ids={ids} preview={state.data} onClose={onClose} />
        ))}
    </Modal>
  );
};
