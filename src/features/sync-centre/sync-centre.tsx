import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { ArgsOf } from '#contract/commands/attempt-commands.ts';
import { endSession } from '#src/access/session.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { useSaveState } from '#src/device/save-state.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/sync-centre/sync-centre.module.css';
import { describeSaveState } from '#src/features/sync-centre/save-words.ts';
import { formatDay, formatMegabytes, formatTime } from '#src/lib/format.ts';
import { saveFile } from '#src/lib/save-file.ts';
import type { Entry } from '#src/offline/ports.ts';
import { keepTheirs, sendAsNewTry, setAsideAttempt, tryAgain } from '#src/offline/outbox/resolve.ts';
import type { AttemptRow } from '#src/offline/store/person-db.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';
import { notify } from '#src/ui/notify.ts';
import { EmptyState } from '#src/ui/states.tsx';
import { IconCheck } from '#src/ui/icons.tsx';

const when = (at: string) => `${formatDay(at)}, ${formatTime(at)}`;

/** What happened, in the words of somebody who was not there. */
const explain = (entry: Entry): string => {
  const code = entry.trouble?.code;
  if (code === 'quiz_try_taken') return 'You handed this quiz in on another device first. That one counts. The answers you gave here are kept.';
  if (code === 'no_tries_left') return 'The tries for this quiz were used up on another device. The answers you gave here are kept.';
  if (code === 'attempt_closed') return 'The course was started again on another device before this arrived. What you did here is kept.';
  if (code === 'prerequisite_missing')
    return 'Another course has to be completed before this one. What you did here is kept: complete the other one, then try again.';
  if (code === 'forbidden') return 'You no longer have permission for this. Ask your manager. What you did here is kept.';
  return entry.trouble?.message ?? 'The server could not accept this. It is kept here.';
};

const Sides = ({ entry }: { entry: Entry }) => {
  if (entry.command !== 'attempt.submit_quiz') return null;
  const args = entry.args as ArgsOf<'attempt.submit_quiz'>;
  const theirs = entry.trouble?.current?.submissions.filter((s) => s.quiz_id === args.quiz_id) ?? [];
  const last = theirs.at(-1);
  return (
    <div className={classes.sides}>
      <div>
        <strong>On this tablet</strong>
        <p>
          Handed in {when(entry.at)}, {Object.keys(args.answers).length} answers, not marked
        </p>
      </div>
      <div>
        <strong>On the server</strong>
        <p>{last ? `Handed in ${when(last.submitted_at)}, ${last.score} %, ${last.passed ? 'passed' : 'not passed'}` : 'Nothing yet'}</p>
      </div>
    </div>
  );
};

const Trouble = ({ entry, course }: { entry: Entry; course: string }) => {
  const db = usePersonDb();
  const [busy, setBusy] = useState(false);
  const choose = async (work: () => Promise<void>, said: string) => {
    setBusy(true);
    try {
      await work();
      notify('success', said);
    } catch {
      notify('error', 'This could not be saved on the tablet. Nothing has changed; please try again.');
    } finally {
      setBusy(false);
    }
  };
  const copy = () => {
    void navigator.clipboard
      .writeText(JSON.stringify({ what: entry.sentence, at: entry.at, why: entry.trouble?.message, details: entry.args }, null, 2))
      .then(
        () => notify('info', 'Copied.'),
        () => notify('error', 'This could not be copied.'),
      );
  };
  const choices = entry.trouble?.resolution ?? [];
  const notStarted = choices.includes('start_prerequisite');
  const mayTryAgain = choices.length === 0 || notStarted;
  return (
    <li className={classes.trouble}>
      <strong>{entry.sentence}</strong>
      <Text size="sm" c="dimmed">
        {course} · {when(entry.at)}
      </Text>
      <p>{explain(entry)}</p>
      <Sides entry={entry} />
      <Group gap="xs">
        {choices.includes('new_try') && (
          <Button loading={busy} onClick={() => void choose(() => sendAsNewTry(db, entry), 'Your answers are handed in as a new try.')}>
            Hand mine in as a new try
          </Button>
        )}
        {choices.includes('keep_theirs') && (
          <Button
            variant="default"
            loading={busy}
            onClick={() => void choose(() => keepTheirs(db, entry), 'The other one is kept. Yours stays in the archive.')}
          >
            Keep the one on the server
          </Button>
        )}
        {mayTryAgain && (
          <Button loading={busy} onClick={() => void choose(() => tryAgain(db, entry), 'It is sent again.')}>
            Try again
          </Button>
        )}
        {mayTryAgain && entry.trouble?.code !== 'unreadable' && (
          <Button
            variant="default"
            loading={busy}
            onClick={() => void choose(() => (notStarted ? setAsideAttempt : keepTheirs)(db, entry), 'It has been set aside.')}
          >
            Set it aside
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={copy}>
          Copy
        </Button>
      </Group>
    </li>
  );
};

const Storage = () => {
  const [facts, setFacts] = useState<{ used: number; quota: number; kept: boolean } | null>(null);
  useEffect(() => {
    void (async () => {
      const estimate = await navigator.storage?.estimate?.();
      const kept = (await navigator.storage?.persisted?.()) ?? false;
      if (estimate) setFacts({ used: estimate.usage ?? 0, quota: estimate.quota ?? 0, kept });
    })();
  }, []);
  if (!facts) return null;
  return (
    <Text size="sm" c="dimmed">
      This tablet uses {formatMegabytes(facts.used)} for Lantern of {formatMegabytes(facts.quota)} it may use.{' '}
      {facts.kept ? 'The browser has promised to keep it.' : 'The browser may clear it if the tablet runs out of space; sending soon is safest.'}
    </Text>
  );
};

const SyncList = () => {
  const db = usePersonDb();
  const navigate = useNavigate();
  const state = useSaveState();
  const data = useLiveQuery(async () => {
    const entries = await db.outbox.orderBy('n').toArray();
    const attempts = new Map((await db.attempts.toArray()).map((a: AttemptRow) => [`attempt:${a.id}`, a.content_title]));
    return { entries, attempts };
  }, [db]);
  const [busy, setBusy] = useState(false);
  if (!data) return null;
  const course = (e: Entry) => data.attempts.get(e.lane) ?? 'A course';
  const needs = data.entries.filter((e) => e.state === 'needs-person');
  const waiting = data.entries.filter((e) => e.state !== 'needs-person');
  const stuck = new Set(needs.map((e) => e.lane));
  const exportAll = () => saveFile(new Blob([JSON.stringify(data.entries, null, 2)], { type: 'application/json' }), null, 'lantern-unsent.json');
  const send = async () => {
    setBusy(true);
    await sendNow();
    setBusy(false);
  };
  const signInAgain = async () => {
    await endSession();
    void navigate(`/login?redirect=${encodeURIComponent(location.pathname + location.search)}`);
  };
  return (
    <Stack gap="lg">
      <Text size="md" role="status">
        {describeSaveState(state).long}.
      </Text>
      {needs.length > 0 && (
        <section aria-label="Needs you">
          <Title order={3} size="h4" mb="xs">
            Needs you
          </Title>
          <ul className={classes.list}>
            {needs.map((e) => (
              <Trouble key={e.id} entry={e} course={course(e)} />
            ))}
          </ul>
        </section>
      )}
      {waiting.length > 0 && (
        <section aria-label="Waiting to be sent">
          <Title order={3} size="h4" mb="xs">
            Saved on this tablet, not sent yet
          </Title>
          <ol className={classes.list}>
            {waiting.map((e) => (
              <li key={e.id} className={classes.item}>
                <span>
                  {e.sentence}
                  <small>
                    {course(e)} · {when(e.at)}
                    {stuck.has(e.lane) ? ' · waits for the question above' : ''}
                  </small>
                </span>
                <span className={classes.state}>{e.state === 'sending' ? 'Sending' : 'Saved'}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
      {data.entries.length === 0 && (
        <EmptyState icon={<IconCheck size={32} />} title="Everything has been received">
          The server has all that you did on this tablet.
        </EmptyState>
      )}
      {data.entries.length > 0 && (
        <Group gap="xs">
          {state.kind === 'sign-in' || state.kind === 'other-person' ? (
            <Button onClick={() => void signInAgain()}>Sign in again</Button>
          ) : (
            <Button onClick={() => void send()} loading={busy}>
              Send now
            </Button>
          )}
          <Button variant="subtle" color="gray" onClick={exportAll}>
            Export
          </Button>
        </Group>
      )}
      <Storage />
    </Stack>
  );
};

/** The list behind the save state: what waits, in words, oldest first; what needs the person, with choices. Opens at once. */
export const SyncCentre = () => {
  useEffect(() => openModal('sync-centre'), []);
  return (
    <RegisteredModal name="sync-centre" title="Your work on this tablet" width={680}>
      {() => <SyncList />}
    </RegisteredModal>
  );
};
