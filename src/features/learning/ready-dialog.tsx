import layout from '#src/ui/page.module.css';
import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ContentDocument } from '#contract/entities/content.ts';
import { can } from '#contract/can.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import { type AppKept, appKeptWords, checkAppKept, keepApp, useAppKept } from '#src/device/app-kept.ts';
import { keepShiftFiles, lookAtShift, type ShiftPart } from '#src/device/next-shift.ts';
import { documentToKeep, downloadCourse } from '#src/device/pack-downloads.ts';
import { lookAtVisits, NotReady, readyVisit, type Visit } from '#src/device/visits.ts';
import { Fate, OwnPages, Registers, Visits } from '#src/features/learning/ready-visits.tsx';
import { draftsIn } from '#src/offline/store/person-db.ts';
import { type Keeping, keepingWords, lookAtKeeping } from '#src/device/what-browser-keeps.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import type { LearnerEvent } from '#src/features/learning/learner-events.ts';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { latestOnly } from '#src/lib/latest-only.ts';
import { countOfWork } from '#src/offline/kinds/count-work.ts';
import { mediaBudget, mediaUsed, OverBudget } from '#src/offline/media/budget.ts';
import { isMetered, MeteredLine } from '#src/offline/media/metered-line.ts';
import { checkPack, packLacks, packSize, Stopped } from '#src/offline/media/packs.ts';
import { askToPersist } from '#src/offline/store/persistence.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';

/** Whether the registers were fetched; null until that is known. */
const refreshedOf = (parts: readonly ShiftPart[]): boolean | null => {
  const registers = parts.find((p) => p.id === 'registers');
  return registers ? registers.state === 'ready' : null;
};

/** One course of the next shift with its progress, and what is missing and why. */
type Item = {
  id: string;
  title: string;
  state: 'ready' | 'missing' | 'loading' | 'failed' | 'not-here';
  missing: number;
  why: string | null;
  document: ContentDocument | null;
};

const Ready = ({ events }: { events: readonly LearnerEvent[] }) => {
  const db = usePersonDb();
  const [items, setItems] = useState<Item[] | null>(null);
  const [parts, setParts] = useState<ShiftPart[]>([]);
  const [partsFailed, setPartsFailed] = useState<readonly string[]>([]);
  const [space, setSpace] = useState<{ budget: number; used: number; keeping: Keeping } | null>(null);
  const [running, setRunning] = useState(false);
  /** Whether every file of the app was verified once; later damage shows in the file count. */
  const [appRead, setAppRead] = useState(false);
  const appNow = useAppKept();
  const app: AppKept = appNow.state === 'kept' && !appRead ? { state: 'looking' } : appNow;
  const stop = useRef<AbortController | null>(null);
  const unsent = useLiveQuery(async () => countOfWork(await db.outbox.toArray()), [db]) ?? 0;
  const drafts = useLiveQuery(() => draftsIn(db), [db]) ?? 0;
  const user = useSession();
  const brand = useBrand();
  const observes = can(user, 'observation.create');
  const trains = can(user, 'delegate.mark');
  const [visits, setVisits] = useState<Visit[]>([]);
  const [visiting, setVisiting] = useState<string | null>(null);
  const [why, setWhy] = useState<Record<string, string>>({});
  const showVisits = useMemo(() => latestOnly(setVisits), []);
  const showItems = useMemo(() => latestOnly(setItems), []);
  const showParts = useMemo(() => latestOnly(setParts), []);
  const lookAtPeople = useCallback(() => showVisits(async () => (observes ? lookAtVisits(db) : [])), [db, observes, showVisits]);
  const lookAtPages = useCallback(
    () => showParts(() => lookAtShift(db, brand.certificateGroupMenuName)),
    [db, showParts, brand.certificateGroupMenuName],
  );

  const lookAtCourses = useCallback(async (): Promise<Item[]> => {
    const found: Item[] = [];
    for (const event of events) {
      const id = event.content_id;
      const base = { title: event.course_title, missing: 0, document: null };
      if (!id) {
        found.push({ ...base, id: event.id, state: 'not-here', why: 'cannot be taken on a device' });
        continue;
      }
      const document = await documentToKeep(db, id);
      if (!document.ok) {
        found.push({ ...base, id, state: 'failed', why: document.message });
        continue;
      }
      // Stored files are verified piece by piece, so that damage is found now and not on the shift.
      const broken = (await db.packs.get(id))?.state === 'ready' ? await checkPack(db, document.value) : 0;
      const { missing } = await packSize(document.value);
      const lacking = await packLacks(db, id, event);
      const ready = lacking === null && broken === 0 && (await db.packs.get(id))?.version === document.value.version;
      found.push({
        id,
        title: event.course_title,
        state: ready ? 'ready' : 'missing',
        missing: ready ? 0 : missing,
        why: broken > 0 ? `${countOf(broken, 'piece')} damaged` : lacking === 'work' ? 'without what you did on another device' : null,
        document: document.value,
      });
    }
    return found;
  }, [db, events]);
  const look = useCallback(async () => {
    await showItems(async () => {
      const found = await lookAtCourses();
      await lookAtPeople();
      await lookAtPages();
      await checkAppKept(true);
      setAppRead(true);
      return found;
    });
    setSpace({ budget: await mediaBudget(), used: await mediaUsed(), keeping: await lookAtKeeping() });
  }, [lookAtCourses, lookAtPeople, lookAtPages, showItems]);
  // Work in progress continues when the page behind reloads its courses, and ends with the dialog.
  useEffect(() => {
    if (stop.current === null) void look();
  }, [look]);
  useEffect(() => () => stop.current?.abort(), []);

  const change = (id: string, more: Partial<Item>) => setItems((before) => before?.map((i) => (i.id === id ? { ...i, ...more } : i)) ?? null);
  const start = async () => {
    if (!items) return;
    setRunning(true);
    const control = new AbortController();
    stop.current = control;
    await sendNow().catch(() => undefined);
    // The browser may ask the person; the rest does not wait for an answer.
    void askToPersist()
      .then(lookAtKeeping)
      .then((keeping) => setSpace((now) => now && { ...now, keeping }));
    // Without the app nothing can be opened, and without its rest not the training record.
    if (app.state !== 'none' && !(app.state === 'kept' && app.rest === 0)) await keepApp(control.signal);
    // People first: their data is small, and others need it.
    setWhy({});
    for (const visit of visits) {
      if (control.signal.aborted) break;
      if (visit.state === 'ready') continue;
      setVisiting(visit.id);
      await readyVisit(db, visit.id, control.signal).catch((error: Error) =>
        setWhy((before) => ({
          ...before,
          [visit.id]: control.signal.aborted
            ? 'stopped; it will resume where it left off'
            : error instanceof NotReady
              ? error.message
              : error.name === 'QuotaExceededError'
                ? 'the device is full'
                : 'this could not be stored on the device',
        })),
      );
      await lookAtPeople();
    }
    setVisiting(null);
    if (!control.signal.aborted) {
      await lookAtPages();
      setPartsFailed(await keepShiftFiles(db, brand.certificateGroupMenuName, control.signal).catch(() => parts.map((part) => part.title)));
      await lookAtPages();
    }
    for (const item of items) {
      if (control.signal.aborted) break;
      if (!item.document || item.state === 'ready') continue;
      change(item.id, { state: 'loading', why: null });
      try {
        await downloadCourse(db, item.document, control.signal);
        change(item.id, (await packLacks(db, item.id)) === null ? { state: 'ready', missing: 0 } : { state: 'missing' });
      } catch (error) {
        const why = control.signal.aborted
          ? 'stopped; it will resume where it left off'
          : error instanceof MeteredLine
            ? 'paused: this connection may cost money'
            : error instanceof OverBudget
              ? `the space for courses is used up: ${formatMegabytes(error.missingBytes)} more needed`
              : (error as Error).name === 'QuotaExceededError'
                ? 'the device is full'
                : 'the connection was lost; it will resume where it left off';
        change(item.id, { state: 'failed', why, missing: (await packSize(item.document)).missing });
        if (error instanceof MeteredLine) break;
      }
    }
    setSpace({ budget: await mediaBudget(), used: await mediaUsed(), keeping: await lookAtKeeping() });
    stop.current = null;
    setRunning(false);
  };

  if (!items) return <Text role="status">Checking what your next shift needs …</Text>;
  const courses = items.filter((i) => i.state !== 'not-here');
  const needs = [...courses, ...visits, ...parts];
  const appIsHere = app.state === 'kept' && app.rest === 0;
  const missing = [...items, ...visits, ...parts].reduce((sum, i) => sum + i.missing, 0);
  const nobody = observes && visits.length === 0;
  const done = needs.filter((i) => i.state === 'ready').length + (appIsHere ? 1 : 0);
  const needed = needs.length + 1;
  const ready = done === needed;
  const stale = parts.filter((p) => p.state === 'stale' || (p.state === 'missing' && p.filesMissing === 0));
  const people = visits.some((v) => v.state !== 'ready');
  const download = missing > 0 ? `Download ${formatMegabytes(missing)}` : 'Get everything ready';
  const sent =
    unsent === 0 ? 'Everything you did has been received.' : `${countOf(unsent, 'item')} ${unsent === 1 ? 'has' : 'have'} not been sent yet.`;
  return (
    <Stack>
      <Text role="status">
        {ready
          ? nobody
            ? `What is listed here is on this device, but nobody to observe is chosen. ${sent}`
            : `Everything for your next shift is on this device. ${sent}`
          : running
            ? `${done} of ${needed} are on this device.`
            : missing > 0
              ? `${formatMegabytes(missing)} are missing on this device.`
              : people
                ? 'The records of the people you are visiting are not up to date.'
                : !appIsHere && done === needs.length
                  ? `${appKeptWords(app) ?? 'Keeping the app'}.`
                  : stale.length > 0
                    ? `Not up to date, because the server could not be reached: ${stale.map((p) => p.title).join(', ')}.`
                    : 'Something is missing on this device.'}
      </Text>
      <Group>
        {running ? (
          <Button variant="default" onClick={() => stop.current?.abort(new Stopped())}>
            Stop
          </Button>
        ) : (
          !ready && <Button onClick={() => void start()}>{isMetered() ? `${download} anyway` : download}</Button>
        )}
      </Group>
      <ul className={layout.lines}>
        <li>
          <span>
            The app itself
            {!appIsHere && <small>{appKeptWords(app)}</small>}
          </span>
          <Fate
            tone={appIsHere ? 'ok' : app.state === 'none' || (app.state === 'keeping' && app.trouble) ? 'danger' : 'warning'}
            words={appIsHere ? 'On this device' : app.state === 'none' ? 'Missing' : 'Downloading'}
          />
        </li>
      </ul>
      {running && <Progress value={(done * 100) / needed} size="lg" radius="xl" aria-label="Getting ready" />}
      {observes && <Visits visits={visits} loading={visiting} why={why} busy={running} onChanged={lookAtPeople} />}
      {trains && <Registers refreshed={refreshedOf(parts)} />}
      <OwnPages parts={parts.filter((p) => p.id !== 'registers')} failed={partsFailed} />
      <Title order={3} size="h4">
        Courses
      </Title>
      <ul className={layout.lines}>
        {items.map((item) => (
          <li key={item.id}>
            <span>
              {item.title}
              {item.why && <small>{item.why}</small>}
            </span>
            <Fate
              tone={item.state === 'ready' ? 'ok' : item.state === 'failed' ? 'danger' : item.state === 'not-here' ? undefined : 'warning'}
              words={
                item.state === 'ready'
                  ? 'On this device'
                  : item.state === 'loading'
                    ? 'Downloading'
                    : item.state === 'not-here'
                      ? 'Not needed'
                      : item.state === 'failed'
                        ? 'Missing'
                        : formatMegabytes(item.missing)
              }
            />
          </li>
        ))}
      </ul>
      {drafts > 0 && (
        <Text size="sm">
          {countOf(drafts, 'draft')} that you have started {drafts === 1 ? 'is' : 'are'} on this device.
        </Text>
      )}
      {space && (
        <Text size="sm" c="dimmed">
          Courses take {formatMegabytes(space.used)} of {formatMegabytes(space.budget)} on this device. {keepingWords(space.keeping, 'them')}
          {isMetered() ? ' This connection is metered: downloading may cost money.' : ''}
        </Text>
      )}
    </Stack>
  );
};

/** Prepares everything for the next shift and shows what is stored, what is missing and why, and the size. */
export const ReadyDialog = ({ events }: { events: readonly LearnerEvent[] }) => {
  useEffect(() => openModal('ready-for-tomorrow'), []);
  return (
    <RegisteredModal name="ready-for-tomorrow" title="Ready for tomorrow" scrollable>
      {() => <Ready events={events} />}
    </RegisteredModal>
  );
};
