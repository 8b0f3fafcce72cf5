import { Button } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import type { Result } from '#contract/entities/result.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { lastValidDay } from '#contract/rules/result-dates.ts';
import { pathTo } from '#contract/site-map.ts';
import { useLine } from '#src/device/line.ts';
import { keepSubmissionCourses } from '#src/device/submission-courses.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/users/users.module.css';
import { formatDay } from '#src/lib/format.ts';
import { resultWords } from '#src/lib/result-words.ts';
import type { SubmissionStart } from '#src/lib/submission-start.ts';
import { explain } from '#src/offline/kinds/explain.ts';
import { placeOfLane } from '#src/offline/kinds/lane.ts';
import { withdrawSubmission } from '#src/offline/kinds/submission/commands.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { setAside } from '#src/offline/outbox/resolve.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb, SubmittedCertificateRow } from '#src/offline/store/person-db.ts';
import { Badge, type Tone } from '#src/ui/badge.tsx';
import { IconAlert, IconClock, IconOffline, IconSend } from '#src/ui/icons.tsx';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { closeModal, openModal } from '#src/ui/modal/open-modals.ts';
import layout from '#src/ui/page.module.css';
import shapes from '#src/ui/shapes.module.css';
import { Section } from '#src/ui/section.tsx';
import { useChoosing } from '#src/ui/use-choosing.ts';

type Here = { id: string; row: SubmittedCertificateRow | undefined; added: Entry | undefined; withdrawn: Entry | undefined };

/** Submissions on this device that are missing on the record, or differ from it: oldest first. */
const certificatesHere = async (db: PersonDb): Promise<Here[]> => {
  const rows = await db.submissions.toArray();
  const entries = (await db.outbox.where('lane').startsWith('submission:').sortBy('n')).map((e) => ({ id: placeOfLane(e.lane).id, e }));
  const ids = new Set([...rows.map((r) => r.id), ...entries.map(({ id }) => id)]);
  return [...ids].map((id) => {
    const entryOf = (command: Entry['command']) => entries.find((x) => x.id === id && x.e.command === command)?.e;
    return { id, row: rows.find((r) => r.id === id), added: entryOf('submission.add'), withdrawn: entryOf('submission.withdraw') };
  });
};
/** With the time at which the server last received something from this device; undefined until the store was read. */
const useCertificatesHere = (): { here: Here[]; received: string | null } | undefined => {
  const db = usePersonDb();
  return useLiveQuery(async () => {
    const [here, received] = await Promise.all([certificatesHere(db), db.kv.get('last-received-at')]);
    return { here, received: (received?.value as string | undefined) ?? null };
  }, [db]);
};

const startOf = (r: Result): SubmissionStart => ({
  course: { id: r.course_id, title: r.course_title },
  completed_on: dayIn(r.completed_at, r.zone),
  expires_on: r.expiry === 'day' && r.expires_at ? lastValidDay(r.expires_at, r.zone) : null,
  note: r.note,
});
/** Whether somebody submitted a result for themselves. */
const isSubmitted = ({ type, user, recorded_by }: Result): boolean => type === 'historical' && recorded_by?.id === user.id;

/** Whether nothing about it is unsent on this device. */
const isSent = ({ added, withdrawn }: Here) => !added && !withdrawn;
const isOn = (records: readonly Result[], { id }: Here) => records.some((r) => r.id === id);

type Status = { words: string; tone: Tone; icon: typeof IconClock };
const standingOf = ({ row, added, withdrawn }: Here, hasLine: boolean): Status => {
  if (added?.state === 'needs-person') return { words: 'Not accepted', tone: 'danger', icon: IconAlert };
  if (withdrawn) return withdrawalOf(withdrawn, hasLine);
  if (added?.state === 'sending') return { words: 'Sending', tone: 'plain', icon: IconSend };
  if (added && !hasLine) return { words: 'Waiting for connection', tone: 'plain', icon: IconOffline };
  if (added) return { words: 'Waiting to be sent', tone: 'plain', icon: IconSend };
  if (row?.status === 'approved') return { words: resultWords.statuses.approved, tone: 'ok', icon: IconClock };
  if (row?.status === 'rejected') return { words: resultWords.statuses.rejected, tone: 'danger', icon: IconAlert };
  return { words: 'Waiting for approval', tone: 'warning', icon: IconClock };
};
const withdrawalOf = ({ state }: Entry, hasLine: boolean): Status =>
  state === 'needs-person'
    ? { words: 'Not withdrawn', tone: 'danger', icon: IconAlert }
    : { words: hasLine ? 'Being withdrawn' : 'Withdrawn when there is a connection', tone: 'plain', icon: hasLine ? IconSend : IconOffline };

const dialogOf = (id: string) => `withdraw-${id}`;
/** Confirms, then withdraws. */
const Withdraw = ({ id, title }: { id: string; title: string }) => {
  const db = usePersonDb();
  const { busy, choose } = useChoosing();
  const dialog = dialogOf(id);
  return (
    <>
      <Button variant="default" onClick={() => openModal(dialog)} aria-label={`Withdraw the certificate for ${title}`}>
        Withdraw
      </Button>
      <RegisteredModal name={dialog} title="Withdraw this certificate?">
        {() => (
          <>
            <p>Your certificate for {title} will not be decided on. You can add it again later.</p>
            <div className={layout.tools}>
              <Button
                loading={busy}
                onClick={() =>
                  void choose(async () => {
                    await withdrawSubmission(db, { id, title });
                    closeModal(dialog);
                  }, 'Your withdrawal is saved.')
                }
              >
                Withdraw
              </Button>
              <Button variant="default" onClick={() => closeModal(dialog)}>
                Keep it
              </Button>
            </div>
          </>
        )}
      </RegisteredModal>
    </>
  );
};

/** A refused change: why, and how to fix it. */
const Refused = ({ entry, start }: { entry: Entry; start: SubmissionStart | null }) => {
  const db = usePersonDb();
  const { busy, choose } = useChoosing();
  return (
    <>
      <p className={layout.notice} data-tone="danger">
        {explain(entryToShow(entry))}
      </p>
      <div className={layout.tools}>
        {start && (
          <Button component={Link} to={pathTo('results-historical-submit')} state={{ submission: { ...start, instead: entry.id } }}>
            Correct it
          </Button>
        )}
        <Button variant="default" loading={busy} onClick={() => void choose(() => setAside(db, { ...entry }), 'It has been set aside.')}>
          Set it aside
        </Button>
      </div>
    </>
  );
};

/** The state of a certificate, on this device or on the record. */
const saidOf = (row: SubmittedCertificateRow | undefined, r: Result | undefined): (SubmissionStart & { file: string | null; at: string }) | null => {
  if (row) return { ...row, file: row.file_name };
  return r ? { ...startOf(r), file: r.evidence, at: r.recorded_at } : null;
};

const CertificateHere = ({ here, result, hasLine }: { here: Here; result: Result | undefined; hasLine: boolean }) => {
  const { id, row, added, withdrawn } = here;
  const standing = standingOf(here, hasLine);
  const details = saidOf(row, result);
  const title = details?.course.title ?? added?.sentence ?? 'A certificate from elsewhere';
  const refused = [added, withdrawn].find((e) => e?.state === 'needs-person');
  return (
    <li>
      <div>
        <strong>{title}</strong>
        {details && (
          <small>
            Completed on {dayWords(details.completed_on)}
            {details.expires_on && `, valid until ${dayWords(details.expires_on)}`} · {details.file && `${details.file} · `}added on{' '}
            {formatDay(details.at)}
          </small>
        )}
        {details?.note && <small className={shapes.text}>{details.note}</small>}
      </div>
      <div className={layout.tools}>
        <Badge tone={standing.tone} icon={standing.icon} role="status">
          {standing.words}
        </Badge>
        {!refused && !withdrawn && row?.status !== 'approved' && row?.status !== 'rejected' && <Withdraw id={id} title={title} />}
      </div>
      {refused && (
        <div className={`${layout.stack} ${classes.refused}`}>
          <Refused entry={refused} start={refused === added && row ? row : null} />
        </div>
      )}
    </li>
  );
};

const nothingHere: Here[] = [];

type Props = { records: readonly Result[]; online: boolean; reload: () => void };
/**
 * The certificates that a person submitted and nobody has decided on, with the state of each: those only on this device, and those
 * on the record. Reloads the record
 * when something was received, and stores the courses for submitting one offline.
 */
export const OwnCertificates = ({ records, online, reload }: Props) => {
  const db = usePersonDb();
  const hasLine = useLine();
  const stored = useCertificatesHere();
  const here = stored?.here ?? nothingHere;
  const received = stored?.received;
  // What was received before this part loaded may be missing too, because the record was fetched earlier.
  const isMissed = stored !== undefined && here.some((one) => isSent(one) && !isOn(records, one));
  const seen = useRef<string | null | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for everything received, and not again if the record lacks it
  useEffect(() => {
    if (received === undefined) return;
    if (seen.current === undefined ? isMissed : seen.current !== received) reload();
    seen.current = received;
  }, [received, reload]);
  useEffect(() => {
    if (online) void keepSubmissionCourses().catch(() => undefined);
  }, [online]);
  // What is on the record is stored with it.
  useEffect(() => {
    const there = here.filter((one) => isSent(one) && isOn(records, one)).map(({ id }) => id);
    if (there.length > 0) void db.submissions.bulkDelete(there).catch(() => undefined);
  }, [db, here, records]);
  const pending = records.filter((r) => r.status === 'pending' && isSubmitted(r));
  const shown = [
    ...here.filter((one) => !isSent(one) || !isOn(records, one)),
    ...pending.flatMap(({ id }) =>
      here.some((one) => one.id === id && (one.added || one.withdrawn)) ? [] : { id, row: undefined, added: undefined, withdrawn: undefined },
    ),
  ];
  if (shown.length === 0) return null;
  return (
    <Section title="Certificates you added" id="own-certificates">
      <ul className={`${layout.lines} ${classes.must}`}>
        {shown.map((one) => (
          <CertificateHere key={one.id} here={one} result={records.find((r) => r.id === one.id)} hasLine={hasLine} />
        ))}
      </ul>
    </Section>
  );
};

/** A person's options for a result that they submitted and that was rejected. */
export const OwnRejected = ({ result }: { result: Result }) => (
  <Button
    variant="default"
    component={Link}
    to={pathTo('results-historical-submit')}
    state={{ submission: startOf(result) }}
    aria-label={`Submit again: ${result.course_title}`}
  >
    Submit again
  </Button>
);
