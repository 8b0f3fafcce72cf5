import layout from '#src/ui/page.module.css';
import { Button, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { useUnsaved } from '#src/screens/unsaved.ts';
import type { Refusal } from '#contract/entities/refusal.ts';
import { call } from '#src/api/call.ts';
import { lastContact } from '#src/offline/check-in.ts';
import { skewMs } from '#src/offline/clock.ts';
import { asideWith, costOf, explain, sidesOf, waitsFor } from '#src/offline/kinds/explain.ts';
import { type Done, namesOf, resultsSince, whatWasDone } from '#src/offline/kinds/what-was-done.ts';
import { hasSecondCopy } from '#src/offline/outbox/commit.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { type PersonHere, peopleHere, sealedCopyOf } from '#src/offline/sealed-copy.ts';
import { neverCame, seenNeverCame } from '#src/offline/store/never-came.ts';
import { emptiedStore, heldEntries, type Incident, incidentsOf, noteIncidents, tryWritingAgain, whenEmptied } from '#src/offline/store/open-store.ts';
import { storageUsed } from '#src/offline/media/storage-used.ts';
import { endSession } from '#src/access/session.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { useSaveState } from '#src/device/save-state.ts';
import { type Keeping, keepingWords, lookAtKeeping, sendsWhenClosed } from '#src/device/what-browser-keeps.ts';
import { useAnyPersonDb, usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/sync-centre/sync-centre.module.css';
import { describeSaveState } from '#src/features/sync-centre/save-words.ts';
import { countOf, dayOf, formatMegabytes, formatMoment } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import type { Entry } from '#src/offline/ports.ts';
import { keepMine, keepTheirs, sendAsNewTry, setAside, tryAgain } from '#src/offline/outbox/resolve.ts';
import plain from '#src/ui/plain/plain.module.css';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';
import { EmptyState } from '#src/ui/states.tsx';
import { ConflictSides } from '#src/ui/conflict-sides.tsx';
import { IconCheck } from '#src/ui/icons.tsx';
import { useChoosing } from '#src/ui/use-choosing.ts';

const refusedEntry = (entry: Entry) => ({
  command: entry.command,
  code: entry.trouble?.code ?? 'internal',
  message: entry.trouble?.message ?? '',
  payload: { at: entry.at, sentence: entry.sentence, args: entry.args },
  at: entry.at,
});

const exportEntry = (entry: Entry) =>
  saveFile(new Blob([JSON.stringify(entry, null, 2)], { type: 'application/json' }), null, `lantern-${entry.id}.json`);

/** A question to the manager about one entry, and the answer. */
const AskManager = ({ entry }: { entry: Entry }) => {
  const [open, setOpen] = useState(false);
  const [question, setQuestion] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [sent, setSent] = useState(false);
  useUnsaved(useId(), open && !sent && question.trim() !== '');
  const send = async () => {
    const result = await call(
      'POST /refusals/{id}/question',
      { params: { id: entry.id }, body: { entry: refusedEntry(entry), question } },
      { quiet: true },
    );
    if (result.kind === 'ok') setSent(true);
    else
      setError(
        result.kind === 'refused' ? (result.error.errors?.question?.[0] ?? result.error.message) : 'Asking needs a connection. Your work stays here.',
      );
  };
  if (sent) return <Text size="sm">Your manager has been asked. The answer will stand here, and this stays as it is until you choose.</Text>;
  if (!open)
    return (
      <Button variant="subtle" color="gray" onClick={() => setOpen(true)}>
        Ask my manager
      </Button>
    );
  return (
    <Stack gap="xs" w="100%">
      <Textarea
        label="Your question"
        autosize
        minRows={2}
        value={question}
        onChange={(e) => setQuestion(e.currentTarget.value)}
        error={error}
        maxLength={1000}
        data-autofocus
      />
      <Group gap="xs">
        <Button onClick={() => void send()}>Send the question</Button>
        <Button variant="subtle" color="gray" onClick={() => setOpen(false)}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
};

const Trouble = ({ entry, thing, all, answer }: { entry: Entry; thing: string; all: readonly Entry[]; answer: Refusal | undefined }) => {
  const db = usePersonDb();
  const { busy, setBusy, choose } = useChoosing();
  const copy = () => {
    void navigator.clipboard
      .writeText(JSON.stringify({ what: entry.sentence, at: entry.at, why: entry.trouble?.message, details: entry.args }, null, 2))
      .then(
        () => notify('info', 'Copied.'),
        () => notify('error', 'This could not be copied.'),
      );
  };
  const attach = async () => {
    setBusy(true);
    const result = await call('POST /refusals/{id}/evidence', { params: { id: entry.id }, body: { entry: refusedEntry(entry) } }, { quiet: true });
    setBusy(false);
    if (result.kind === 'ok') await choose(() => keepTheirs(db, entry), 'It is kept as evidence beside your training record.');
    else notify('error', result.kind === 'refused' ? result.error.message : 'Keeping it as evidence needs a connection. Your work stays here.');
  };
  const choices = entry.trouble?.resolution ?? [];
  const sides = sidesOf(entry, all);
  const aside = asideWith(entry, all);
  const cost = useLiveQuery(() => (choices.includes('new_try') ? costOf(db, entry) : null), [db, entry]);
  const readable = entry.trouble?.code !== 'unreadable';
  const sendable = entry.trouble?.code !== 'not_yours';
  const decided = choices.some((c) => c === 'keep_theirs' || c === 'keep_mine' || c === 'new_try');
  return (
    <li className={classes.trouble}>
      <strong>{entry.sentence}</strong>
      <Text size="sm" c="dimmed">
        {thing} · {formatMoment(entry.at)}
      </Text>
      <p>{explain(entry)}</p>
      {sides && <ConflictSides sides={sides} />}
      {cost && <p>{cost}</p>}
      {aside && <p>{aside}</p>}
      {answer?.question && (
        <p>
          You asked: {answer.question}
          <br />
          {answer.answer ? (
            <strong>
              {answer.answered_by?.name}: {answer.answer}
            </strong>
          ) : (
            'No answer yet.'
          )}
        </p>
      )}
      <Group gap="xs">
        {choices.includes('new_try') && (
          <Button loading={busy} onClick={() => void choose(() => sendAsNewTry(db, entry), 'Your answers are handed in as a new try.')}>
            Hand mine in as a new try
          </Button>
        )}
        {choices.includes('keep_mine') && sides?.keepMine && (
          <Button variant="default" loading={busy} onClick={() => void choose(() => keepMine(db, entry), sides.keptMine)}>
            {sides.keepMine}
          </Button>
        )}
        {choices.includes('keep_theirs') && (
          <Button
            variant="default"
            loading={busy}
            onClick={() => void choose(() => keepTheirs(db, entry), sides?.keptTheirs ?? 'It has been set aside. Yours stays in the archive.')}
          >
            {sides?.keepTheirs ?? 'Set it aside'}
          </Button>
        )}
        {choices.includes('attach_evidence') && (
          <Button variant="default" loading={busy} onClick={() => void attach()}>
            Keep mine as evidence
          </Button>
        )}
        {!decided && readable && sendable && (
          <Button loading={busy} onClick={() => void choose(() => tryAgain(db, entry), 'It is sent again.')}>
            Try again
          </Button>
        )}
        {!decided && readable && (
          <Button variant="default" loading={busy} onClick={() => void choose(() => setAside(db, entry), 'It has been set aside.')}>
            Set it aside
          </Button>
        )}
        {!sendable && (
          <Button variant="default" onClick={() => exportEntry(entry)}>
            Export
          </Button>
        )}
        {!answer?.question && <AskManager entry={entry} />}
        {readable && (
          <Button variant="subtle" color="gray" onClick={copy}>
            Copy
          </Button>
        )}
      </Group>
    </li>
  );
};

const Storage = ({ personId, unsent }: { personId: string; unsent: boolean }) => {
  const [facts, setFacts] = useState<{ used: number | null; quota: number; keeping: Keeping; heard: string | null; others: PersonHere[] } | null>(
    null,
  );
  useEffect(() => {
    void (async () => {
      // Not every browser reports its storage use. The rest is valid without it.
      const used = await storageUsed();
      const quota = (await navigator.storage?.estimate?.().catch(() => null))?.quota ?? 0;
      const others = (await peopleHere()).filter((p) => p.id !== personId && p.unsent > 0);
      setFacts({ used, quota, keeping: await lookAtKeeping(), heard: await lastContact(), others });
    })().catch(() => undefined);
  }, [personId]);
  if (!facts) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed">
        {facts.used !== null
          ? `This device uses ${formatMegabytes(facts.used)} for Lantern of ${formatMegabytes(facts.quota)} it may use.`
          : 'Lantern keeps your work on this device; this browser does not say how much room there is.'}{' '}
        {keepingWords(facts.keeping, 'it', unsent)}
      </Text>
      <Text size="sm" c="dimmed">
        {facts.heard ? `Last contact with the server: ${formatMoment(facts.heard)}.` : 'This device has not heard the server yet.'}{' '}
        {clockWords(skewMs())}
        {hasSecondCopy() === false ? ' This browser keeps no second copy of your work.' : ''}
      </Text>
      {facts.others.length > 0 && (
        <Group gap="xs">
          {facts.others.map((p) => (
            <Text key={p.id} size="sm">
              {countOf(p.unsent, 'item')} of another colleague {p.unsent === 1 ? 'waits' : 'wait'} on this device.
              {p.last_at && ` They were last here on ${formatMoment(p.last_at)}.`}{' '}
              {p.sealable && (
                <Button size="compact-md" variant="subtle" onClick={() => void saveSealed(p)}>
                  Save a sealed copy for them
                </Button>
              )}
            </Text>
          ))}
        </Group>
      )}
    </Stack>
  );
};

const saveSealed = async (person: PersonHere) => {
  const copy = await sealedCopyOf(person.id);
  if (!copy) return;
  saveFile(new Blob([JSON.stringify(copy)], { type: 'application/json' }), null, `lantern-sealed-work-${dayOf(copy.made_at)}.json`);
  if (copy.signed) notify('info', 'The sealed copy has been saved. A manager can hand it in; the colleague’s work also stays on this device.');
  else
    notify(
      'error',
      'The sealed copy has been saved, but nothing proves yet whose it is: a manager can read it, and not hand it in. The colleague has to sign in here once with a connection, which also sends it.',
    );
};

/** The device's clock error, if it matters. */
const clockWords = (behindMs: number): string => {
  const minutes = Math.round(Math.abs(behindMs) / 60_000);
  return minutes < 1
    ? 'Its clock is right.'
    : `Its clock is ${countOf(minutes, 'minute')} ${behindMs > 0 ? 'slow' : 'fast'}. Times of what you do from now on are corrected; what was done before this was known says so.`;
};

/** What the browser lost and what was recovered. Shown until the person has seen it. */
const Losses = ({ personId }: { personId: string }) => {
  const [incidents, setIncidents] = useState<Incident[]>([]);
  useEffect(() => {
    void incidentsOf(personId)
      .then((all) => setIncidents(all.filter((i) => !i.seen)))
      .catch(() => undefined);
  }, [personId]);
  if (incidents.length === 0) return null;
  const seen = () => {
    setIncidents([]);
    void noteIncidents(personId, (all) => all.map((i) => ({ ...i, seen: true })));
  };
  return (
    <section className={plain.note} data-tone="warning" aria-label="The browser lost this device’s storage">
      <strong>The browser lost this device’s storage.</strong>
      {incidents.map((i) => (
        <p key={i.at}>
          {formatMoment(i.at)}:{' '}
          {i.recovered > 0 && `${countOf(i.recovered, 'thing', 'things')} you did ${i.recovered === 1 ? 'was' : 'were'} brought back. `}
          {(i.lost ?? 0) > 0 && `${countOf(i.lost ?? 0, 'thing', 'things')} that had been saved could not be brought back.`}
          {i.recovered === 0 && !i.lost && 'nothing of yours was known to be waiting.'}
        </p>
      ))}
      <Button variant="default" onClick={seen}>
        I have read this
      </Button>
    </section>
  );
};

/** What only this page has, after the browser has emptied the device's storage and nothing can be written. */
const OnlyHere = () => {
  const db = useAnyPersonDb();
  const emptied = useSyncExternalStore(whenEmptied, emptiedStore);
  const { busy, setBusy } = useChoosing();
  if (!emptied || emptied.personId !== db.personId) return null;
  const again = async () => {
    setBusy(true);
    const written = await tryWritingAgain(db);
    setBusy(false);
    notify(
      written ? 'success' : 'error',
      written ? 'Everything is saved on this device again.' : 'It cannot be written yet. Free some space on this device.',
    );
  };
  const exportHeld = () =>
    saveFile(new Blob([JSON.stringify(heldEntries(db.personId), null, 2)], { type: 'application/json' }), null, 'lantern-unsent.json');
  return (
    <section className={plain.note} data-tone="danger" role="alert" aria-label="The browser has emptied this device’s storage">
      <strong>The browser has emptied this device’s storage.</strong>
      <p>
        {emptied.waiting.length > 0
          ? `${countOf(emptied.waiting.length, 'item')} you saved ${emptied.waiting.length === 1 ? 'is' : 'are'} only in this page now. Keep it open, free some space on this device and try again, or export a copy for your manager.`
          : 'Nothing of yours was waiting. Free some space on this device before you go on.'}
      </p>
      <Group gap="xs">
        <Button loading={busy} onClick={() => void again()}>
          Try again
        </Button>
        {emptied.waiting.length > 0 && (
          <Button variant="default" onClick={exportHeld}>
            Export
          </Button>
        )}
      </Group>
    </section>
  );
};

/** Work that was saved here, is no longer here, and has not arrived. Shown until the person has read it; the manager sees it as well. */
const NotArrived = () => {
  const db = useAnyPersonDb();
  const lost = (useLiveQuery(() => neverCame(db.personId), [db]) ?? []).filter(({ seen }) => !seen);
  if (lost.length === 0) return null;
  const days = [...new Set(lost.map(({ at }) => formatMoment(at)))];
  return (
    <section className={plain.note} data-tone="danger" role="alert" aria-label="Not received">
      <strong>
        {countOf(lost.length, 'item')} saved on this device {lost.length === 1 ? 'has' : 'have'} not arrived.
      </strong>
      <p>
        {lost.length === 1 ? 'It was' : 'They were'} waiting here on {days.slice(0, 3).join(', ')}
        {days.length > 3 ? ' and other days' : ''}, and {lost.length === 1 ? 'is' : 'are'} no longer on this device: the browser has probably emptied
        its storage. Look at your course, record or register, and do again what is missing. Your manager sees this in the list of devices.
      </p>
      <Button variant="default" onClick={() => void seenNeverCame(db.personId)}>
        I have read this
      </Button>
    </section>
  );
};

/** For how long results of sent work are shown. */
const resultsForMs = 86_400_000;

/** The work on one thing, in one line; expands to single entries. */
const Waiting = ({ done, all }: { done: Done; all: readonly Entry[] }) => {
  const first = done.entries[0] as Entry;
  const waits = new Set(done.entries.flatMap((e) => waitsFor(e, all) ?? []));
  return (
    <li className={classes.item}>
      <div>
        <strong>{done.name}</strong>
        {done.did && `: ${done.did}`}
        <small>
          {formatMoment(first.at)}
          {[...waits].map((w) => ` · waits for ${w}`)}
        </small>
        <details className={classes.each}>
          <summary>{done.entries.length === 1 ? 'Details' : `All ${done.entries.length} changes`}</summary>
          <ol>
            {done.entries.map((e) => (
              <li key={e.id}>
                {e.sentence} <small>{formatMoment(e.at)}</small>
              </li>
            ))}
          </ol>
        </details>
      </div>
      <span className={classes.state}>{done.entries.some((e) => e.state === 'sending') ? 'Sending' : 'Saved'}</span>
    </li>
  );
};

/** After this time without an answer, the person is told that the server is silent. */
const silentMs = 8000;

/** What came of *Send now*, while something still waits. */
const sendWords = (sent: 'sending' | 'silent' | 'tried', offline: boolean): string => {
  if (sent === 'sending') return 'Sending …';
  if (sent === 'silent') return 'The server does not answer yet. Your work stays on this device, and is sent as soon as it does.';
  return offline
    ? 'There is no connection. Your work stays on this device, and is sent as soon as there is one.'
    : 'Not everything could be sent. What waits stays on this device, and is tried again by itself.';
};

const SyncList = () => {
  const db = useAnyPersonDb();
  const state = useSaveState();
  const data = useLiveQuery(async () => {
    const entries = (await db.outbox.orderBy('n').toArray()).map(entryToShow);
    const results = await resultsSince(db, new Date(Date.now() - resultsForMs).toISOString());
    return { entries, results, names: await namesOf(db, entries) };
  }, [db]);
  const [answers, setAnswers] = useState<Refusal[]>([]);
  const [sent, setSent] = useState<'sending' | 'silent' | 'tried' | null>(null);
  const troubled = data?.entries.some((e) => e.state === 'needs-person') ?? false;
  useEffect(() => {
    if (!troubled) return;
    void call('GET /users/{id}/refusals', { params: { id: db.personId } }, { quiet: true }).then((r) => r.kind === 'ok' && setAnswers(r.data));
  }, [troubled, db]);
  if (!data)
    return (
      <Text size="md" role="status">
        {describeSaveState(state).long}.
      </Text>
    );
  const needs = data.entries.filter((e) => e.state === 'needs-person');
  const waiting = data.entries.filter((e) => e.state !== 'needs-person');
  const exportAll = () => saveFile(new Blob([JSON.stringify(data.entries, null, 2)], { type: 'application/json' }), null, 'lantern-unsent.json');
  const send = async () => {
    setSent('sending');
    const silent = setTimeout(() => setSent('silent'), silentMs);
    await sendNow();
    clearTimeout(silent);
    setSent('tried');
  };
  // The app opens the sign-in screen automatically, and returns here.
  const signInAgain = () => void endSession(true);
  return (
    <Stack gap="lg">
      <Text size="md" role="status">
        {describeSaveState(state).long}.
      </Text>
      <OnlyHere />
      <NotArrived />
      <Losses personId={db.personId} />
      {needs.length > 0 && (
        <section aria-label="Needs you">
          <Title order={3} size="h4" mb="xs">
            Needs you
          </Title>
          <ul className={layout.list}>
            {needs.map((e) => (
              <Trouble key={e.id} entry={e} all={data.entries} thing={data.names.get(e.id) ?? ''} answer={answers.find((r) => r.id === e.id)} />
            ))}
          </ul>
        </section>
      )}
      {waiting.length > 0 && (
        <section aria-label="Waiting to be sent">
          <Title order={3} size="h4" mb="xs">
            Saved on this device, not sent yet
          </Title>
          {!sendsWhenClosed() && (
            <Text size="sm" mb="xs">
              This browser sends only while Lantern is open: open it where there is a signal, until it says “All sent”.
            </Text>
          )}
          <ol className={layout.list}>
            {whatWasDone(waiting, data.names).map((done) => (
              <Waiting key={done.key} done={done} all={data.entries} />
            ))}
          </ol>
        </section>
      )}
      {data.results.length > 0 && (
        <section aria-label="Results">
          <Title order={3} size="h4" mb="xs">
            Received and marked
          </Title>
          <ul className={layout.list}>
            {data.results.map((r) => (
              <li key={r.id} className={classes.item}>
                <span>{r.title}</span>
                <strong>{r.words}</strong>
              </li>
            ))}
          </ul>
        </section>
      )}
      {data.entries.length === 0 && state.kind === 'all-sent' && (
        <EmptyState icon={<IconCheck size={32} />} title="Everything has been received">
          The server has all that you did on this device.
        </EmptyState>
      )}
      {sent !== null && waiting.length > 0 && (
        <Text size="sm" role="status">
          {sendWords(sent, state.offline)}
        </Text>
      )}
      {data.entries.length > 0 && (
        <Group gap="xs">
          {state.kind === 'sign-in' || state.kind === 'other-person' ? (
            <Button onClick={signInAgain}>Sign in again</Button>
          ) : (
            <Button onClick={() => void send()} loading={sent === 'sending'}>
              Send now
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={exportAll}>
            Export
          </Button>
        </Group>
      )}
      <Storage personId={db.personId} unsent={data.entries.length > 0} />
    </Stack>
  );
};

/** The sync centre behind the save state: unsent work in words, oldest first, and choices for what needs the person. Opens immediately. */
export const SyncCentre = () => {
  useEffect(() => openModal('sync-centre'), []);
  return (
    <RegisteredModal name="sync-centre" title="Your work on this device" width={680} scrollable>
      {() => <SyncList />}
    </RegisteredModal>
  );
};
