import { Button, Checkbox, Select, Textarea } from '@mantine/core';
import { cancelTrainingSession } from '#contract/api/training-sessions.ts';
import { type CancellationReason, cancellationReasons, type Register } from '#contract/entities/training-session.ts';
import { call } from '#src/api/call.ts';
import { toldWords } from '#src/features/training-sessions/told-words.ts';
import { countOf } from '#src/lib/format.ts';
import { Form } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';

type Props = { register: Register; booked: number; onCancelled: () => void; onClose: () => void };
/** Cancels a session, with a reason that everybody concerned is told. */
export const CancelSession = ({ register, booked, onCancelled, onClose }: Props) => {
  const fields = useForm({
    schema: cancelTrainingSession.body,
    begin: { cancellation_reason_id: null as CancellationReason | null, notes: '', following: false },
    toInput: (values) => values,
    save: (body) => call('POST /training-sessions/{id}/cancellation', { params: { id: register.id }, body }),
    success: ({ told }) => `The session is cancelled. ${toldWords(told)}`,
    onSaved: onCancelled,
  });
  return (
    <Form
      form={fields}
      label="Cancel the session"
      save="Cancel the session"
      beside={
        <Button variant="default" onClick={onClose}>
          It takes place
        </Button>
      }
    >
      <p>
        {booked > 0 ? `${countOf(booked, 'person', 'people')} on the list, ` : ''}people waiting for a place, the trainer and those who booked are
        told why.
      </p>
      <Select
        label="Reason"
        placeholder="Choose a reason"
        clearable
        data={Object.entries(cancellationReasons).map(([value, label]) => ({ value, label }))}
        {...fields.field('cancellation_reason_id')}
      />
      <Textarea
        label="Why it is cancelled"
        description="Beside the reason, or in its place: what people should know."
        autosize
        maxLength={1000}
        {...fields.field('notes')}
      />
      {register.series && register.series.no < register.series.of && (
        <Checkbox label="Cancel all that follow in its series as well" {...fields.checkbox('following')} />
      )}
    </Form>
  );
};
