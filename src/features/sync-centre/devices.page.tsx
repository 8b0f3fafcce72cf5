import { Button, FileButton, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useId, useState } from 'react';
import type { ResponseOf } from '#contract/api/endpoint.ts';
import type { importSealedWork, listHeldWork } from '#contract/api/devices.ts';
import type { DeviceContact, SealedWork } from '#contract/entities/device.ts';
import type { FailedChange } from '#contract/entities/failed-change.ts';
import type { Refusal } from '#contract/entities/refusal.ts';
import { can } from '#contract/can.ts';
import { useSession } from '#src/access/session.ts';
import { call, sentenceOf } from '#src/api/call.ts';
import classes from '#src/features/sync-centre/devices.module.css';
import layout from '#src/ui/page.module.css';
import plain from '#src/ui/plain/plain.module.css';
import { countOf, formatDay, formatMegabytes, formatMoment, fromNow } from '#src/lib/format.ts';
import { IconAlert, IconCheck, IconTablet } from '#src/ui/icons.tsx';
import { ReadPlaceholder } from '#src/screens/read-placeholder.tsx';
import { together, useReadOf } from '#src/screens/use-read.ts';
import { useUnsaved } from '#src/screens/unsaved.ts';
import { useAction } from '#src/screens/use-action.ts';
import { Table } from '#src/screens/table.tsx';
import type { Column } from '#src/screens/table/columns.ts';
import { notify } from '#src/ui/notify.ts';
import { EmptyState } from '#src/ui/states.tsx';
import { changeWords } from '#src/offline/kinds/registry.ts';
import { partsOfSealedCopy } from '#src/offline/sealed-copy.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Section } from '#src/ui/section.tsx';

type Held = ResponseOf<typeof listHeldWork>[number];
type Imported = ResponseOf<typeof importSealedWork>;

const outcomeWords = {
  applied: 'Received',
  held: 'Waits for a decision',
  decided: 'Decided before',
  unproved: 'Not received',
  unreadable: 'Could not be read',
} as const;

/** Who sealed a copy, where and when; or that nothing proves it. `lines`: the number in the file. */
const Proof = ({ imported: { person, signed, entries } }: { imported: Imported }) => {
  if (!signed)
    return (
      <div className={plain.note} data-tone="danger" role="alert">
        <strong>Nothing was received: nothing proves that {person.name} made this.</strong>
        <p>
          The server knows no device of {person.name} that signed this copy, so anybody could have written it. What it says is shown below. Ask{' '}
          {person.name} to sign in on the device with a connection: it then sends the work itself.
        </p>
      </div>
    );
  return (
    <>
      <Text>
        Signed on device {signed.device_id}, where {person.name} has signed in since {formatDay(signed.known_since)}. Saved{' '}
        {formatMoment(signed.made_at)}, by that device’s clock.
      </Text>
      {entries.length < signed.entries && (
        <div className={plain.note} data-tone="warning" role="alert">
          {entries.length} of the {countOf(signed.entries, 'item')} that the device signed have been handed in. Hand in the whole file.
        </div>
      )}
    </>
  );
};

type Device = DeviceContact & { id: string };
const waitingWords = ({ waiting, needs_person }: Device): string =>
  [...(waiting > 0 ? [`${waiting} waiting`] : []), ...(needs_person > 0 ? [`${needs_person} need them`] : [])].join(', ');
const storageOf = (d: Device): string =>
  d.storage_used === null || d.storage_quota === null ? '' : `${formatMegabytes(d.storage_used)} of ${formatMegabytes(d.storage_quota)}`;
const notesOf = (d: Device): string[] => {
  const minutesOff = Math.round(Math.abs(d.clock_behind_ms) / 60_000);
  return [
    ...(d.storage_nearly_full ? ['Storage nearly full'] : []),
    ...(d.persisted ? [] : ['Its browser may clear it']),
    ...(minutesOff >= 1 ? [`Clock ${countOf(minutesOff, 'minute')} ${d.clock_behind_ms > 0 ? 'slow' : 'fast'}`] : []),
    ...(d.locked_by.length === 0 ? ['Not locked'] : []),
    ...(d.missing > 0 && d.missing_reported_at
      ? [
          `${countOf(d.missing, 'item')} reported as waiting on ${formatMoment(d.missing_reported_at)} never came, and no longer ${d.missing === 1 ? 'waits' : 'wait'}`,
        ]
      : []),
    ...d.incidents.map(
      (i) =>
        `Lost its storage on ${formatDay(i.at)}; ${countOf(i.recovered, 'thing')} brought back${i.lost ? `, ${countOf(i.lost, 'thing')} not` : ''}`,
    ),
  ];
};
const columns: readonly Column<Device>[] = [
  { id: 'person', header: 'Person', sort: true, width: 170, value: (d) => d.user.name },
  { id: 'device', header: 'Device', width: 150, grow: 0.6, value: (d) => `${d.device_id.slice(0, 8)}, version ${d.app_version}` },
  {
    ...{
      id: 'heard',
      header: 'Last connected',
      sort: true,
      width: 150,
      grow: 0.6,
      value: (d) => formatMoment(d.contact_at),
      order: (d) => d.contact_at,
    },
    cell: (d) => (
      <>
        {fromNow(d.contact_at)}
        <small className={layout.soft}>{formatMoment(d.contact_at)}</small>
      </>
    ),
  },
  { id: 'storage', header: 'Storage', width: 140, grow: 0.5, value: storageOf },
  {
    ...{ id: 'notes', header: 'Notes', width: 180, value: (d) => notesOf(d).join('. ') },
    cell: (d) => notesOf(d).length > 0 && notesOf(d).map((n) => <div key={n}>{n}</div>),
  },
  {
    ...{ id: 'waiting', header: 'Waiting at that time', sort: true, width: 170, grow: 0.6, keep: true },
    ...{ value: (d) => waitingWords(d) || 'Nothing waiting', order: (d) => d.waiting + d.needs_person },
    cell: (d) => (
      <>
        <Badge tone={d.needs_person > 0 ? 'danger' : d.waiting > 0 ? 'warning' : 'ok'}>
          {waitingWords(d) ? <IconAlert size={18} /> : <IconCheck size={18} />} {waitingWords(d) || 'Nothing waiting'}
        </Badge>
        {d.missing > 0 && <Badge tone="danger">{d.missing} never came</Badge>}
        {waitingWords(d) && d.oldest_waiting_at && <small className={layout.soft}>oldest from {formatMoment(d.oldest_waiting_at)}</small>}
      </>
    ),
  },
];

const HeldItem = ({ item, onDecided }: { item: Held; onDecided: () => void }) => {
  const [note, setNote] = useState('');
  useUnsaved(useId(), item.decision === null && note.trim() !== '');
  const [error, setError] = useState<string | null>(null);
  const { run: decide, busy } = useAction(
    (decision: 'applied' | 'dismissed') => call('POST /held-work/{id}/decision', { params: { id: item.id }, body: { decision, note } }),
    {
      success: ({ decision }) => (decision === 'applied' ? `Received, in ${item.user.name}’s name.` : 'Set aside, with your reason.'),
      onDone: onDecided,
      onFailed: (errors) => setError(errors.note ?? Object.values(errors)[0] ?? null),
    },
  );
  return (
    <li className={classes.item}>
      <div>
        <strong>
          {item.user.name}: {item.sentence}
        </strong>
        <Text size="sm" c="dimmed">
          Done {formatMoment(item.at)} · handed in by {item.imported_by.name} on {formatDay(item.imported_at)}
        </Text>
        <p>{item.reason}</p>
      </div>
      {item.decision === null ? (
        <Stack gap="xs">
          <TextInput label="Reason or note" value={note} onChange={(e) => setNote(e.currentTarget.value)} error={error} maxLength={1000} />
          <Group gap="xs">
            <Button loading={busy} onClick={() => void decide('applied')}>
              Accept in their name
            </Button>
            <Button loading={busy} variant="default" onClick={() => void decide('dismissed')}>
              Set it aside
            </Button>
          </Group>
        </Stack>
      ) : (
        <Text size="sm">
          {item.decision === 'applied' ? 'Accepted in their name' : 'Set aside'} by {item.decided_by?.name}
          {item.note ? `: ${item.note}` : ''}
        </Text>
      )}
    </li>
  );
};

const RefusalItem = ({ refusal: r, mayAnswer, onAnswered }: { refusal: Refusal; mayAnswer: boolean; onAnswered: () => void }) => {
  const [answer, setAnswer] = useState('');
  useUnsaved(useId(), !r.answer && answer.trim() !== '');
  const [error, setError] = useState<string | null>(null);
  const { run: send, busy } = useAction(() => call('POST /refusals/{id}/answer', { params: { id: r.id }, body: { answer } }), {
    onDone: onAnswered,
    onFailed: (errors) => setError(errors.answer ?? Object.values(errors)[0] ?? null),
  });
  return (
    <li className={classes.line}>
      <span>
        <strong>{r.user.name}</strong>: {changeWords(r.command)}
        <small className={layout.soft}>
          {r.message}
          {r.evidence_at ? ' Kept as evidence.' : ''}
        </small>
        {r.question && (
          <>
            <p className={classes.question}>“{r.question}”</p>
            {r.answer ? (
              <small className={layout.soft}>
                {r.answered_by?.name}: {r.answer}
              </small>
            ) : (
              mayAnswer && (
                <Group gap="xs" align="end">
                  <TextInput
                    label={`Answer to ${r.user.name}`}
                    value={answer}
                    onChange={(e) => setAnswer(e.currentTarget.value)}
                    error={error}
                    maxLength={1000}
                  />
                  <Button loading={busy} onClick={() => void send()}>
                    Answer
                  </Button>
                </Group>
              )
            )}
          </>
        )}
      </span>
      <span className={layout.soft}>{formatMoment(r.at)}</span>
    </li>
  );
};

const FailedItem = ({ change: c }: { change: FailedChange }) => (
  <li className={classes.line}>
    <span>
      <strong>{c.user.name}</strong>: {changeWords(c.command)}
      <small className={layout.soft}>
        {c.times === 1 ? 'Failed once' : `Failed ${c.times} times`} since {formatMoment(c.first_at)}
        {c.given_up_at ? `; device ${c.device_id} has stopped trying, and asks ${c.user.name}` : '; it is tried again'}
      </small>
      <small className={layout.soft}>
        {c.request_id ? `For the administrator of the server: ${c.error}, request ${c.request_id}` : 'The server itself has noted no failure'}
      </small>
    </span>
    <span className={layout.soft}>{formatMoment(c.last_at)}</span>
  </li>
);

/** The devices of the user's people: when each last reported, its unsent work, and refused work. */
export const Component = () => {
  const me = useSession();
  const mayDecide = can(me, 'record.update');
  const { state, retry } = useReadOf(
    ['devices', mayDecide],
    (signal) =>
      together(
        call('GET /devices', {}, { signal }),
        call('GET /refusals', {}, { signal }),
        call('GET /devices/failed-changes', {}, { signal }),
        mayDecide ? call('GET /held-work', {}, { signal }) : Promise.resolve({ kind: 'ok' as const, data: [] as Held[] }),
      ),
    { keepShown: 'same' },
  );
  const [imported, setImported] = useState<Imported | null>(null);
  const [busy, setBusy] = useState(false);
  const handIn = async (file: File | null) => {
    if (!file) return;
    setBusy(true);
    try {
      const copy = JSON.parse(await file.text()) as SealedWork;
      const done: Imported[] = [];
      for (const part of partsOfSealedCopy(copy)) {
        const result = await call('POST /sealed-work', { body: part }, { compress: true, timeoutMs: 120_000 });
        if (result.kind === 'ok') done.push(result.data);
        else {
          notify(
            'error',
            result.kind === 'refused' && result.error.code === 'invalid_input' ? 'This is not a sealed copy of Lantern.' : sentenceOf(result),
          );
          break;
        }
      }
      if (done[0]) setImported({ ...done[0], entries: done.flatMap((d) => d.entries) });
    } catch {
      notify('error', 'This is not a sealed copy of Lantern. Choose the file that was saved on the device.');
    }
    setBusy(false);
    retry();
  };
  const [devices, refusals, failed, held] = state.kind === 'loaded' ? state.data : [];
  return (
    <div className={`${layout.page} ${layout.wide}`}>
      <header className={layout.head}>
        <Title order={1} className={layout.title}>
          Devices
        </Title>
        {mayDecide && (
          <FileButton onChange={(file) => void handIn(file)} accept="application/json,.json">
            {(props) => (
              <Button {...props} loading={busy} variant="default">
                Hand in a sealed copy
              </Button>
            )}
          </FileButton>
        )}
      </header>
      <ReadPlaceholder state={state} retry={retry} loading="Loading the devices" offline="The list of devices needs a connection." />
      {imported && (
        <section className={`app-card ${layout.block}`} aria-label="Handed in">
          <Title order={2} size="h3">
            Handed in for {imported.person.name}
          </Title>
          <Proof imported={imported} />
          <ul className={layout.list} role="status">
            {imported.entries.map((e) => (
              <li key={e.id} className={classes.line}>
                <span>
                  {e.sentence || 'One line'}
                  {e.message && <small className={layout.soft}>{e.message}</small>}
                </span>
                <strong>{outcomeWords[e.outcome]}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      {devices && refusals && failed && held && (
        <>
          <section className={`app-card ${layout.block}`} aria-label="Last connection of each device">
            <Title order={2} size="h3">
              Last connection of each device
            </Title>
            {devices.length === 0 ? (
              <EmptyState icon={<IconTablet size={32} />} title="No device has connected yet">
                A device appears here when somebody of yours uses it with a connection.
              </EmptyState>
            ) : (
              <Table label="Devices" name="devices" columns={columns} rows={devices.map((d) => ({ ...d, id: `${d.device_id}:${d.user.id}` }))} />
            )}
          </section>
          {failed.length > 0 && (
            <Section title="Server errors">
              <Text c="dimmed">Nothing is wrong with these devices or what was done on them. Show this to the administrator of the server.</Text>
              <ul className={layout.list}>
                {failed.map((c) => (
                  <FailedItem key={`${c.user.id}:${c.id}`} change={c} />
                ))}
              </ul>
            </Section>
          )}
          {held.length > 0 && (
            <Section title="Waits for a decision">
              <ul className={layout.list}>
                {held.map((h) => (
                  <HeldItem key={h.id} item={h} onDecided={retry} />
                ))}
              </ul>
            </Section>
          )}
          <Section title="Work the server refused">
            {refusals.length === 0 ? (
              <Text c="dimmed">Nothing has been refused. Refused work is kept and shown here with the reason.</Text>
            ) : (
              <ul className={layout.list}>
                {refusals.map((r) => (
                  <RefusalItem key={`${r.user.id}:${r.id}`} refusal={r} mayAnswer={mayDecide} onAnswered={retry} />
                ))}
              </ul>
            )}
          </Section>
        </>
      )}
    </div>
  );
};
