import { Button, Checkbox, Select } from '@mantine/core';
import { can } from '#contract/can.ts';
import { GiveDelegates as Body, type OtherSession, type Register } from '#contract/entities/training-session.ts';
import { instantOf } from '#contract/rules/days.ts';
import { currentMark } from '#contract/rules/register.ts';
import { useSession } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { useLine } from '#src/device/line.ts';
import classes from '#src/features/training-sessions/register.module.css';
import { useNow } from '#src/features/training-sessions/use-now.ts';
import { nearDay } from '#src/device/near-day.ts';
import { countOf } from '#src/lib/format.ts';
import { Form } from '#src/screens/form.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { useForm } from '#src/screens/use-form.ts';
import { useReadOf } from '#src/screens/use-read.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';

type Doing = 'copy' | 'move';
const people = (n: number) => countOf(n, 'person', 'people');
const freeOf = ({ maxDelegates, delegates }: OtherSession) => (maxDelegates === null ? null : Math.max(0, maxDelegates - delegates));
/** Mon 7 Dec, 13:30, 2 places free, Station Road: the end may be cut off on a phone. */
const sessionWords = (s: OtherSession) => {
  const free = freeOf(s);
  const places = free === null ? 'places free' : free === 0 ? 'full' : `${countOf(free, 'place')} free`;
  return `${nearDay(s.date)}, ${s.startTime}, ${places}, ${s.venue}`;
};

/** The expected outcome: how many get a place, how many do not, and who is there already. */
const outlookOf = (doing: Doing, chosen: readonly string[], to: OtherSession, waiting: boolean) => {
  const there = chosen.filter((id) => to.there.includes(id)).length;
  const joining = chosen.length - there;
  const free = freeOf(to);
  const placed = free === null ? joining : Math.min(free, joining);
  const rest = joining - placed;
  const some = rest > 0 && !waiting;
  return {
    short: rest > 0,
    words: [
      some &&
        `There ${placed === 1 ? 'is 1 place' : `are ${placed || 'no'} places`} for ${people(joining)}: nobody is ${doing === 'move' ? 'moved' : 'put there'} unless the others wait.`,
      !some && placed > 0 && `${people(placed)} ${placed === 1 ? 'gets' : 'get'} a place and ${placed === 1 ? 'is' : 'are'} told.`,
      !some && rest > 0 && `${people(rest)} ${rest === 1 ? 'waits' : 'wait'} for one.`,
      there > 0 && `${people(there)} ${there === 1 ? 'is' : 'are'} there already.`,
      doing === 'move' && !some && chosen.length > 0 && 'They have no place on this session any more.',
    ]
      .filter(Boolean)
      .join(' '),
  };
};

type Props = { register: Register; doing: Doing; others: readonly OtherSession[]; dialog: string; onSaved: () => void };
const Give = ({ register, doing, others, dialog, onSaved }: Props) => {
  const params = { id: register.id };
  const listed = register.delegates.flatMap((d) =>
    d.user && d.removed === null && (doing === 'copy' || currentMark(d) === null) ? [{ ...d, user: d.user }] : [],
  );
  const all = doing === 'copy' || register.cancelled !== null;
  const fields = useForm({
    schema: Body,
    begin: () => ({ session_id: null as string | null, delegate_ids: all ? listed.map((d) => d.id) : ([] as string[]), waiting: false }),
    toInput: (values) => values,
    save: (body) =>
      doing === 'copy'
        ? call('POST /training-sessions/{id}/delegates/copy', { params, body })
        : call('POST /training-sessions/{id}/delegates/transfer', { params, body }),
    success: ({ booked, waiting, asked }) =>
      `${people(booked.length)} ${doing === 'copy' ? 'copied' : 'moved'}${waiting.length > 0 ? `, ${people(waiting.length)} on the waiting list` : ''}.${asked.length > 0 ? ` ${people(asked.length)} asked for: their organisation booked them, and decides.` : ''}`,
    onSaved: () => {
      closeModal(dialog);
      onSaved();
    },
  });
  const { session_id, delegate_ids, waiting } = fields.values;
  const target = others.find((s) => s.id === session_id);
  const chosen = listed.filter((d) => delegate_ids.includes(d.id)).map((d) => d.user.id);
  const outlook = target && outlookOf(doing, chosen, target, waiting);
  const options = (which: (s: OtherSession) => boolean, name: (s: OtherSession) => string) =>
    others.filter(which).map((s) => ({ value: s.id, label: name(s) }));
  const same = options((s) => s.course.id === register.course.id, sessionWords);
  const rest = options(
    (s) => s.course.id !== register.course.id,
    (s) => `${s.course.name}: ${sessionWords(s)}`,
  );
  const { error } = fields.field('delegate_ids');
  return (
    <Form form={fields} save={doing === 'copy' ? 'Copy' : 'Move'}>
      <p className={layout.soft}>
        {doing === 'copy'
          ? 'For people whom a client booked, their organisation is asked first.'
          : 'People whom a client booked stay until their organisation agrees, if their places would cost it more.'}
      </p>
      <Select
        label={doing === 'copy' ? 'To which session' : 'Move to'}
        placeholder="Choose a session"
        searchable
        nothingFoundMessage="No match"
        data={[
          ...(same.length > 0 ? [{ group: register.course.name, items: same }] : []),
          ...(rest.length > 0 ? [{ group: 'Other courses', items: rest }] : []),
        ]}
        {...fields.field('session_id')}
      />
      <Checkbox.Group
        label="Who"
        value={[...delegate_ids]}
        error={error}
        onChange={(ids) => fields.set('delegate_ids', ids)}
        data-field="delegate_ids"
      >
        <ul className={`${layout.list} ${classes.people}`}>
          {listed.map((d) => (
            <li key={d.id}>
              <Checkbox value={d.id} label={d.name} description={d.place} />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      {(outlook?.short || waiting) && <Checkbox label="Add those who get no place to the waiting list" {...fields.checkbox('waiting')} />}
      <p className={layout.notice} data-tone={outlook?.short && !waiting ? 'warning' : 'plain'} role="status">
        {outlook && chosen.length > 0 ? outlook.words : 'Choose a session and people: then it says here what will happen.'}
      </p>
    </Form>
  );
};

const Dialog = ({ register, doing, dialog, onSaved }: Omit<Props, 'others'>) => {
  const { state, retry } = useReadOf<OtherSession[]>(['others', register.id], (signal) =>
    call('GET /training-sessions/{id}/others', { params: { id: register.id } }, { signal }),
  );
  if (state.kind !== 'loaded')
    return <ReadPlaceholder state={state} retry={retry} loading="Loading the sessions" offline="This needs a connection." />;
  if (state.data.length === 0) return <p>There is no other session to come. Plan one first.</p>;
  return <Give {...{ register, doing, dialog, onSaved }} others={state.data} />;
};

/** Copies people of a list to another session, or moves them there. It needs a connection. */
export const GiveDelegates = ({ register, reload }: { register: Register; reload: () => Promise<void> }) => {
  const user = useSession();
  const hasLine = useLine();
  const now = useNow();
  const on = register.delegates.filter((d) => d.removed === null && d.user);
  if (on.length === 0 || !can(user, 'booking.create')) return null;
  const begun = instantOf(register.date, register.startTime, user?.time_zone ?? 'Europe/London') <= now;
  const moves = can(user, 'delegate.remove') && !register.completed && (!begun || register.cancelled);
  const [copying, moving] = [`copy-delegates-${register.id}`, `move-delegates-${register.id}`];
  return (
    <>
      <div className={layout.tools}>
        <Button variant="default" disabled={!hasLine} onClick={() => openModal(copying)}>
          Copy delegates …
        </Button>
        {moves && (
          <Button variant="default" disabled={!hasLine} onClick={() => openModal(moving)}>
            Move to another session …
          </Button>
        )}
      </div>
      <RegisteredModal name={copying} title="Copy delegates">
        {() => <Dialog {...{ register, doing: 'copy', dialog: copying }} onSaved={() => void reload()} />}
      </RegisteredModal>
      <RegisteredModal name={moving} title="Move to another session">
        {() => <Dialog {...{ register, doing: 'move', dialog: moving }} onSaved={() => void reload()} />}
      </RegisteredModal>
    </>
  );
};
