import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ContentDocument } from '#contract/entities/content.ts';
import { sendNow } from '#src/device/engine-lifetime.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/learner-events.module.css';
import type { LearnerEvent } from '#src/features/learning/learner-events.ts';
import { loadDocument } from '#src/device/start-course.ts';
import { countOf, formatMegabytes } from '#src/lib/format.ts';
import { mediaBudget, mediaUsed, OverBudget } from '#src/offline/media/budget.ts';
import { isMetered, MeteredLine } from '#src/offline/media/metered-line.ts';
import { askToPersist, checkPack, keepOffline, packSize } from '#src/offline/media/packs.ts';
import { RegisteredModal } from '#src/ui/modal/modal-registry.tsx';
import { openModal } from '#src/ui/modal/open-modals.ts';
import { IconAlert, IconCheck } from '#src/ui/icons.tsx';

/** One course of the next shift, and how far it is: what is missing, and why. */
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
  const [space, setSpace] = useState<{ budget: number; used: number; kept: boolean } | null>(null);
  const [running, setRunning] = useState(false);
  const stop = useRef<AbortController | null>(null);
  const unsent = useLiveQuery(() => db.outbox.count(), [db]) ?? 0;

  const look = useCallback(async () => {
    const found: Item[] = [];
    for (const event of events) {
      const id = event.content_id;
      if (!id) {
        found.push({ id: event.id, title: event.course_title, state: 'not-here', missing: 0, why: 'is not done on a tablet', document: null });
        continue;
      }
      const pack = await db.packs.get(id);
      const document = await loadDocument(db, id);
      if (!document.ok) {
        found.push({ id, title: event.course_title, state: 'failed', missing: 0, why: document.message, document: null });
        continue;
      }
      // What was kept is looked at piece by piece: a damaged film is found now, not on the shift.
      const broken = pack?.state === 'ready' ? await checkPack(db, document.value) : 0;
      const { missing } = await packSize(document.value);
      const ready = pack?.state === 'ready' && broken === 0 && pack.version === document.value.version;
      found.push({
        id,
        title: event.course_title,
        state: ready ? 'ready' : 'missing',
        missing: ready ? 0 : missing,
        why: broken > 0 ? `${countOf(broken, 'piece')} damaged` : null,
        document: document.value,
      });
    }
    setItems(found);
    setSpace({ budget: await mediaBudget(), used: await mediaUsed(), kept: (await navigator.storage?.persisted?.()) ?? false });
  }, [db, events]);
  useEffect(() => {
    void look();
    return () => stop.current?.abort();
  }, [look]);

  const change = (id: string, more: Partial<Item>) => setItems((before) => before?.map((i) => (i.id === id ? { ...i, ...more } : i)) ?? null);
  const start = async () => {
    if (!items) return;
    setRunning(true);
    const control = new AbortController();
    stop.current = control;
    await sendNow().catch(() => undefined);
    const kept = await askToPersist();
    for (const item of items) {
      if (control.signal.aborted) break;
      if (!item.document || item.state === 'ready') continue;
      change(item.id, { state: 'loading', why: null });
      try {
        await keepOffline(db, db.personId, item.document, control.signal);
        change(item.id, { state: 'ready', missing: 0 });
      } catch (error) {
        const why = control.signal.aborted
          ? 'stopped; it goes on where it was'
          : error instanceof MeteredLine
            ? 'paused: this line may cost money'
            : error instanceof OverBudget
              ? `the space for courses is used up: ${formatMegabytes(error.missingBytes)} missing`
              : (error as Error).name === 'QuotaExceededError'
                ? 'the tablet is full'
                : 'the connection broke off; it goes on where it was';
        change(item.id, { state: 'failed', why, missing: (await packSize(item.document)).missing });
        if (error instanceof MeteredLine) break;
      }
    }
    setSpace({ budget: await mediaBudget(), used: await mediaUsed(), kept });
    stop.current = null;
    setRunning(false);
  };

  if (!items) return <Text role="status">Looking at what your next shift needs …</Text>;
  const courses = items.filter((i) => i.state !== 'not-here');
  const missing = items.reduce((sum, i) => sum + i.missing, 0);
  const ready = courses.every((i) => i.state === 'ready');
  const done = courses.filter((i) => i.state === 'ready').length;
  return (
    <Stack>
      <Text role="status">
        {ready
          ? unsent === 0
            ? 'Everything for your next shift is on this tablet, and everything you did has been received.'
            : `Everything for your next shift is on this tablet. ${countOf(unsent, 'thing')} you did still ${unsent === 1 ? 'waits' : 'wait'} to be sent.`
          : running
            ? `${done} of ${courses.length} courses are on this tablet.`
            : `${formatMegabytes(missing)} are missing on this tablet.`}
      </Text>
      {running && <Progress value={(done * 100) / Math.max(1, courses.length)} size="lg" radius="xl" aria-label="Getting ready" />}
      <ul className={classes.ready}>
        {items.map((item) => (
          <li key={item.id}>
            <span>
              {item.title}
              {item.why && <small>{item.why}</small>}
            </span>
            <span
              className={classes.status}
              data-tone={item.state === 'ready' ? 'ok' : item.state === 'failed' ? 'danger' : item.state === 'not-here' ? undefined : 'warning'}
            >
              {item.state === 'ready' && <IconCheck size={18} />}
              {item.state === 'failed' && <IconAlert size={18} />}
              {item.state === 'ready'
                ? 'On this tablet'
                : item.state === 'loading'
                  ? 'Downloading'
                  : item.state === 'not-here'
                    ? 'Not needed'
                    : item.state === 'failed'
                      ? 'Missing'
                      : formatMegabytes(item.missing)}
            </span>
          </li>
        ))}
      </ul>
      {space && (
        <Text size="sm" c="dimmed">
          Courses take {formatMegabytes(space.used)} of {formatMegabytes(space.budget)} on this tablet.{' '}
          {space.kept ? 'The browser has promised to keep them.' : 'The browser may clear them if the tablet runs out of space.'}
          {isMetered() ? ' The line is metered: downloading may cost money.' : ''}
        </Text>
      )}
      <Group justify="flex-end">
        {running ? (
          <Button variant="default" onClick={() => stop.current?.abort()}>
            Stop
          </Button>
        ) : (
          !ready && (
            <Button onClick={() => void start()}>
              {isMetered() ? `Download ${formatMegabytes(missing)} all the same` : `Download ${formatMegabytes(missing)}`}
            </Button>
          )
        )}
      </Group>
    </Stack>
  );
};

/** Everything for the next shift, at once: what is here, what is missing, why, and how many MB. Opens at once. */
export const ReadyDialog = ({ events }: { events: readonly LearnerEvent[] }) => {
  useEffect(() => openModal('ready-for-tomorrow'), []);
  return (
    <RegisteredModal name="ready-for-tomorrow" title="Ready for tomorrow">
      {() => <Ready events={events} />}
    </RegisteredModal>
  );
};
