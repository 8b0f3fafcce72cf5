import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { reopenRegister } from '#contract/api/training-sessions.ts';
import { can } from '#contract/can.ts';
import type { Register } from '#contract/entities/training-session.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import { toldWords } from '#src/features/training-sessions/told-words.ts';
import type { useRegister } from '#src/features/training-sessions/use-register.ts';
import { formatMoment } from '#src/lib/format.ts';
import { Form } from '#src/screens/form.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';

const Reopen = ({ register, onSaved, onClose }: { register: Register; onSaved: () => void; onClose: () => void }) => {
  const fields = useForm({
    schema: reopenRegister.body,
    begin: { reason: '' },
    toInput: (values) => values,
    save: (body) => call('POST /training-sessions/{id}/reopening', { params: { id: register.id }, body }),
    success: 'The session is marked as incomplete.',
    onSaved,
  });
  return (
    <Form
      form={fields}
      label="Mark the session as incomplete"
      save="Mark as incomplete"
      beside={
        <Button variant="default" onClick={onClose}>
          Leave it finished
        </Button>
      }
    >
      <p>Its results leave the training records until the register is finished again. What was noted and signed is kept.</p>
      <Textarea label="Why it is incomplete" autosize maxLength={1000} required {...fields.field('reason')} />
    </Form>
  );
};

type Props = { register: Register; change: ReturnType<typeof useRegister>['change']; reload: () => Promise<void> };
/** The office's actions after a register is finished: releasing certificates, or reopening the register. They need a connection. */
export const SessionOutcome = ({ register, change, reload }: Props) => {
  const user = useSession();
  const hasLine = useLine();
  const [reopening, setReopening] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { completed, incomplete, certificates_withheld: withheld } = register;
  const may = can(user, 'booking.update');
  const recorded = register.delegates.filter((d) => d.recorded).length;
  if (incomplete && !completed)
    return (
      <p className={layout.notice} data-tone="warning" role="status">
        Marked as incomplete by {incomplete.by.name}, {formatMoment(incomplete.at)}: {incomplete.reason} It is in nobody’s record until the register
        is finished again.
      </p>
    );
  if (!completed || !may) return null;
  const release = async () => {
    const answer = await call('POST /training-sessions/{id}/certificates', { params: { id: register.id } });
    setProblem(await change(Promise.resolve(answer)));
    if (answer.kind === 'ok') notify('success', `The certificates are released. ${toldWords(answer.data.told)}`);
  };
  return (
    <section className={`app-card ${layout.block}`} aria-label="After the session">
      {withheld && recorded > 0 && <p className={layout.count}>The certificates wait: nobody has theirs until you release them.</p>}
      {!reopening && (
        <div className={layout.tools}>
          {withheld && recorded > 0 && (
            <Button disabled={!hasLine} onClick={() => void release()}>
              Release certificates
            </Button>
          )}
          <Button variant="default" disabled={!hasLine} onClick={() => setReopening(true)}>
            Mark as incomplete …
          </Button>
          {!hasLine && <span className={layout.soft}>This needs a connection.</span>}
        </div>
      )}
      {problem && (
        <p className={layout.notice} data-tone="danger" role="alert">
          {problem}
        </p>
      )}
      {reopening && (
        <Reopen
          register={register}
          onClose={() => setReopening(false)}
          onSaved={() => {
            setReopening(false);
            void reload();
          }}
        />
      )}
    </section>
  );
};
