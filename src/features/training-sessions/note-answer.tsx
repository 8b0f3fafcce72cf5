import { Button, Textarea } from '@mantine/core';
import { noteAnswer } from '#contract/api/training-sessions.ts';
import type { Delegate, Register } from '#contract/entities/training-session.ts';
import { call } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import type { useRegister } from '#src/features/training-sessions/use-register.ts';
import { Form } from '#src/screens/form.tsx';
import { useAction } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

type Props = {
  register: Register;
  delegate: Delegate;
  change: ReturnType<typeof useRegister>['change'];
  onProblem: (problem: string | null) => void;
};
const Declines = ({ register, delegate, dialog, onSaved }: Omit<Props, 'change' | 'onProblem'> & { dialog: string; onSaved: () => void }) => {
  const params = { id: register.id, delegate: delegate.id };
  const fields = useForm({
    schema: noteAnswer.body,
    begin: { answer: 'declined' as const, reason: '' },
    toInput: (values) => values,
    save: (body) => call('POST /training-sessions/{id}/delegates/{delegate}/answer', { params, body }),
    success: `${delegate.name} does not come.`,
    onSaved: () => {
      closeModal(dialog);
      onSaved();
    },
  });
  return (
    <Form form={fields} save="Note it">
      <p>{delegate.name} gets a message, and the place goes to the person who has waited longest.</p>
      <Textarea label="Why they cannot come" autosize maxLength={500} {...fields.field('reason')} />
    </Form>
  );
};

/** Records an answer that somebody gave in person or by telephone, for the office. It needs a connection. */
export const NoteAnswer = ({ register, delegate, change, onProblem }: Props) => {
  const hasLine = useLine();
  const dialog = `declines-${delegate.id}`;
  const params = { id: register.id, delegate: delegate.id };
  const accepting = useAction(async () => {
    const answer = call('POST /training-sessions/{id}/delegates/{delegate}/answer', { params, body: { answer: 'accepted', reason: '' } });
    onProblem(await change(answer));
    return { kind: 'ok' as const, data: null };
  });
  const reload = () => void change(call('GET /training-sessions/{id}', { params: { id: register.id } }));
  return (
    <>
      <Button
        variant="subtle"
        disabled={!hasLine}
        loading={accepting.busy}
        aria-label={`Comes: ${delegate.name}`}
        onClick={() => void accepting.run()}
      >
        Comes
      </Button>
      <Button variant="subtle" color="gray" disabled={!hasLine} aria-label={`Cannot come …: ${delegate.name}`} onClick={() => openModal(dialog)}>
        Cannot come …
      </Button>
      <RegisteredModal name={dialog} title={`${delegate.name} cannot come?`}>
        {() => <Declines {...{ register, delegate, dialog }} onSaved={reload} />}
      </RegisteredModal>
    </>
  );
};
