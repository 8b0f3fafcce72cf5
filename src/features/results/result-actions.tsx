import { Button, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type * as z from 'zod/mini';
import { decideResults, deleteTrainingRecord } from '#contract/api/results.ts';
import { can } from '#contract/can.ts';
import type { Result } from '#contract/entities/result.ts';
import { pathTo } from '#contract/site-map.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { askWaiting } from '#src/device/waiting.ts';
import type { Result as Answer } from '#src/api/transport.ts';
import { Form } from '#src/screens/form.tsx';
import type { Failed } from '#src/screens/use-action.ts';
import { useForm } from '#src/screens/use-form.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';

type Action = 'approve' | 'reject' | 'delete' | 'restore';
const dialog = 'result-action';

const words: Record<Action, { title: string; button: string; done: string; about: string }> = {
  approve: { title: 'Approve this result', button: 'Approve', done: 'Approved.', about: 'It counts from then on.' },
  reject: { title: 'Reject this result', button: 'Reject', done: 'Rejected.', about: 'The person sees it with your reason.' },
  delete: {
    title: 'Delete this result',
    button: 'Delete',
    done: 'Deleted.',
    about: 'It no longer counts. It stays in the history and can be restored.',
  },
  restore: { title: 'Restore this result', button: 'Restore', done: 'Restored.', about: 'It counts again.' },
};
const isDecision = (action: Action): action is 'approve' | 'reject' => action === 'approve' || action === 'reject';

/** Asks for the reason, then acts. */
const ActionForm = ({ result, action, onDone }: { result: Result; action: Action; onDone: () => void }) => {
  const { id } = result;
  const fields = useForm({
    schema: (isDecision(action) ? decideResults.body : deleteTrainingRecord.body) as z.ZodMiniType<{ reason: string }, { reason: string }>,
    begin: { reason: '' },
    toInput: ({ reason }) => (isDecision(action) ? { ids: [id], decision: action, reason } : { reason }),
    save: async ({ reason }): Promise<Answer<unknown> | Failed> => {
      if (!isDecision(action))
        return call(action === 'delete' ? 'POST /results/{id}/delete' : 'POST /results/{id}/restore', { params: { id }, body: { reason } });
      const answer = await call('POST /results/decide', { body: { ids: [id], decision: action, reason } });
      void askWaiting().catch(() => undefined);
      const problem = answer.kind === 'ok' && answer.data.problems[0]?.problem;
      return problem ? { kind: 'failed', errors: { whole: problem } } : answer;
    },
    success: words[action].done,
    onSaved: onDone,
  });
  return (
    <Form
      form={fields}
      save={words[action].button}
      beside={
        <Button variant="default" onClick={() => closeModal(dialog)}>
          Cancel
        </Button>
      }
    >
      <Text>{words[action].about}</Text>
      <Textarea
        label={action === 'approve' ? 'Note (optional)' : 'Reason'}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={500}
        {...fields.field('reason')}
      />
    </Form>
  );
};

/** The user's actions on a result: correct, delete and restore it, and decide on it while it is pending. */
export const ResultActions = ({ result, onChanged }: { result: Result; onChanged: () => void }) => {
  const me = useSession();
  const { id, status, type } = result;
  const [action, setAction] = useState<Action>('delete');
  const openFor = (action: Action) => {
    setAction(action);
    openModal(dialog, action);
  };
  const update = can(me, 'record.update');
  return (
    <>
      {update && status === 'pending' && (
        <>
          <Button onClick={() => openFor('approve')}>Approve …</Button>
          <Button variant="default" onClick={() => openFor('reject')}>
            Reject …
          </Button>
        </>
      )}
      {update && status !== 'deleted' && (
        <Button
          variant="default"
          component={Link}
          to={pathTo(type === 'exempt' ? 'results-exempt-update-by-id' : 'results-historical-update-by-id', { id })}
        >
          Correct
        </Button>
      )}
      {can(me, 'record.delete') &&
        (status === 'deleted' ? (
          <Button variant="default" onClick={() => openFor('restore')}>
            Restore …
          </Button>
        ) : (
          <Button variant="subtle" color="red" onClick={() => openFor('delete')}>
            Delete …
          </Button>
        ))}
      <RegisteredModal<Action> name={dialog} title={words[action].title}>
        {(action) => (
          <ActionForm
            result={result}
            action={action}
            onDone={() => {
              closeModal(dialog);
              onChanged();
            }}
          />
        )}
      </RegisteredModal>
    </>
  );
};
