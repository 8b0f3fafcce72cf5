import { Textarea } from '@mantine/core';
import type { Register } from '#contract/entities/training-session.ts';
import { isGraded, isOnRegister, currentMark } from '#contract/rules/register.ts';
import { useSession } from '#src/access/session.ts';
import { useDraft } from '#src/device/use-draft.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { usePin } from '#src/device/use-pin.ts';
import { countOf, formatMoment } from '#src/lib/format.ts';
import { completeRegister } from '#src/offline/kinds/register/commands.ts';
import { notify } from '#src/ui/notify.ts';
import layout from '#src/ui/page.module.css';
import { Signer } from '#src/ui/signer.tsx';
import { Section } from '#src/ui/section.tsx';

type Props = {
  register: Register;
  open: number;
  here: number;
  saved: (work: (by: { uuid: string; name: string }) => Promise<unknown>) => Promise<boolean>;
};
/** The trainer confirms with their name that the register is complete. Later changes are recorded beside it. */
export const Finish = ({ register, open, here, saved }: Props) => {
  const db = usePersonDb();
  const me = useSession();
  const pin = usePin(me?.uuid ?? null);
  const { value: note, change, drop } = useDraft(`register:${register.id}`, '');
  const notAssessed = register.delegates.filter((d) => {
    const mark = currentMark(d);
    return isOnRegister(d) && mark?.presence === 'present' && !isGraded(register, mark);
  }).length;
  if (register.completed)
    return (
      <section className={`app-card ${layout.block}`} aria-label="Finished">
        <strong>
          {register.completed.by.name || 'You'} finished it, {formatMoment(register.completed.at)}
        </strong>
        {register.completed.note && <span>“{register.completed.note}”</span>}
        <span className={layout.soft}>Later changes are recorded beside the original entries, and training records follow them.</span>
      </section>
    );
  return (
    <Section title="Finish the register">
      {open > 0 ? (
        <p className={layout.count}>{countOf(open, 'person is', 'people are')} not noted yet: note for each whether they are here.</p>
      ) : (
        <>
          <p className={layout.count}>
            {countOf(here, 'person was', 'people were')} there.
            {notAssessed > 0 &&
              ` Of ${countOf(notAssessed, 'person', 'people')} ${register.grading_method === 'practical' ? 'the practical part' : 'how they did'} is not noted: it is not in their record until it is noted.`}{' '}
            With your signature it goes into their records.
          </p>
          <Textarea label="Note about the session" autosize maxLength={2000} value={note} onChange={(e) => change(e.currentTarget.value)} />
          <Signer
            name={me?.name ?? ''}
            label="Your signature"
            action="Finish the register"
            pin={pin}
            signedIn
            onSign={async (proof) => {
              const done = await saved((by) => completeRegister(db, by, register, { note: note.trim(), ...proof }));
              if (!done) return 'This is not saved yet. Please try again.';
              await drop();
              notify('success', 'Saved on this device. It goes when there is a connection.');
              return null;
            }}
          />
        </>
      )}
    </Section>
  );
};
