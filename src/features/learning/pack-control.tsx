import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';
import { Button, Group, Progress, Text } from '@mantine/core';
import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useRef, useState } from 'react';
import { currentUser } from '#src/access/session.ts';
import { appKeptWords, useAppKept } from '#src/device/app-kept.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/learner-events.module.css';
import { loadDocument } from '#src/device/start-course.ts';
import { formatMegabytes } from '#src/lib/format.ts';
import { OverBudget } from '#src/offline/media/budget.ts';
import { isMetered, MeteredLine, whenLineChanges } from '#src/offline/media/metered-line.ts';
import { keepOffline, packIsHere, packSize, removePack } from '#src/offline/media/packs.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { IconCheck, IconDownload, IconTablet } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

/** Whether a downloaded course is complete; null while this is checked. */
const useIsHere = (contentId: string, downloadedAt: string | null) => {
  const db = usePersonDb();
  const [isStored, setStored] = useState<boolean | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    const look = () => {
      if (downloadedAt === null || document.visibilityState !== 'visible') return;
      void packIsHere(db, contentId).then((is) => !isUnmounted && setStored(is));
    };
    setStored(null);
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      isUnmounted = true;
      document.removeEventListener('visibilitychange', look);
    };
  }, [db, contentId, downloadedAt]);
  return isStored;
};

/** States that the course works offline, based on the files of course and app that are stored now. */
const Kept = ({ here }: { here: boolean | null }) => {
  const app = useAppKept();
  const words = here === null ? 'Checking what is on this device' : appKeptWords(app);
  return (
    <span className={layout.badge} data-tone={words === null ? 'ok' : 'warning'} data-live="" role="status">
      {words === null ? <IconCheck size={18} /> : <IconTablet size={18} />}
      {words ?? 'Available offline'}
    </span>
  );
};

/** Makes a course available offline: shows the size first, then progress; can be stopped and undone. */
export const PackControl = ({ contentId, title }: { contentId: string; title: string }) => {
  const db = usePersonDb();
  const pack = useLiveQuery(() => db.packs.get(contentId), [db, contentId]);
  const [question, setQuestion] = useState<{ document: ContentDocument; missing: number } | null>(null);
  const [looking, setLooking] = useState(false);
  const running = useRef<AbortController | null>(null);
  const [active, setActive] = useState(false);
  const [paused, setPaused] = useState(false);
  const here = useIsHere(contentId, pack?.state === 'ready' ? pack.at : null);

  const look = async () => {
    setLooking(true);
    const document = await loadDocument(db, contentId);
    setLooking(false);
    if (!document.ok) notify('error', document.offline ? 'Making a course available offline needs a connection.' : document.message);
    else setQuestion({ document: document.value, missing: (await packSize(document.value)).missing });
  };
  const keep = async (document: ContentDocument) => {
    const user = currentUser();
    if (!user) return;
    setQuestion(null);
    setPaused(false);
    setActive(true);
    running.current = new AbortController();
    try {
      await keepOffline(db, user.uuid, document, running.current.signal);
    } catch (error) {
      if (error instanceof MeteredLine) {
        setPaused(true);
        return;
      }
      const over = error instanceof OverBudget;
      const full = over || (error as Error).name === 'QuotaExceededError';
      if (!running.current.signal.aborted)
        notify(
          'error',
          full
            ? over
              ? `The space for courses on this device is used up: ${formatMegabytes(error.missingBytes)} more are needed. Remove a course you no longer need, then try “${title}” again.`
              : `This device is full. Remove a course you no longer need, then try “${title}” again.`
            : `“${title}” could not be downloaded completely. Press Continue when there is a connection.`,
        );
    } finally {
      running.current = null;
      setActive(false);
    }
  };
  const goOn = async () => {
    // A formerly complete course is completed in its current version; a download in progress continues with its version.
    const document = await loadDocument(db, contentId, pack?.state === 'ready' ? undefined : pack?.version);
    if (document.ok) await keep(document.value);
    else notify('error', document.message);
  };
  // A download paused because of a metered connection resumes when the connection changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `goOn` is a new function on each render
  useEffect(() => (paused ? whenLineChanges((metered) => !metered && void goOn()) : undefined), [paused]);
  const remove = async () => {
    const user = currentUser();
    if (user) await removePack(db, user.uuid, contentId);
  };

  if (pack?.state === 'ready' && here !== false) {
    return (
      <div className={`${layout.line} ${classes.pack}`}>
        <Kept here={here} />
        <span className={layout.soft}>{formatMegabytes(pack.bytes)}</span>
        <Button variant="subtle" color="gray" onClick={remove}>
          Remove from this device<span className="visually-hidden">: {title}</span>
        </Button>
      </div>
    );
  }
  if (pack && active) {
    const percent = Math.min(100, Math.floor((pack.loaded * 100) / Math.max(1, pack.bytes)));
    return (
      <div className={`${layout.line} ${classes.pack}`}>
        <Progress value={percent} size="lg" radius="xl" style={{ flex: '1 1 160px' }} aria-label={`Downloading ${title}`} />
        <span className={layout.soft} role="status">
          {formatMegabytes(pack.loaded)} of {formatMegabytes(pack.bytes)}
        </span>
        <Button variant="subtle" color="gray" onClick={() => running.current?.abort()}>
          Stop
        </Button>
      </div>
    );
  }
  if (pack) {
    return (
      <div className={`${layout.line} ${classes.pack}`}>
        <Badge tone="warning" icon={IconTablet}>
          {paused ? 'Paused: this connection may cost money' : 'Incomplete'}
        </Badge>
        <span className={layout.soft}>
          {formatMegabytes(pack.loaded)} of {formatMegabytes(pack.bytes)}
        </span>
        <Button variant="light" onClick={goOn}>
          {paused ? 'Continue anyway' : 'Continue'}
        </Button>
        <Button variant="subtle" color="gray" onClick={remove}>
          Remove
        </Button>
      </div>
    );
  }
  return (
    <div className={`${layout.line} ${classes.pack}`}>
      {question ? (
        <>
          <Text size="md">
            This takes {formatMegabytes(question.missing)} on this device.{isMetered() ? ' This connection is metered and may cost money.' : ''}
          </Text>
          <Group gap="xs">
            <Button leftSection={<IconDownload size={20} />} onClick={() => keep(question.document)}>
              Download {formatMegabytes(question.missing)}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setQuestion(null)}>
              Not now
            </Button>
          </Group>
        </>
      ) : (
        <Button variant="subtle" leftSection={<IconTablet size={20} />} onClick={look} loading={looking}>
          Make available offline<span className="visually-hidden">: {title}</span>
        </Button>
      )}
    </div>
  );
};
