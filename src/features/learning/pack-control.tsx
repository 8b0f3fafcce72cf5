import layout from '#src/ui/page.module.css';
import { Badge } from '#src/ui/badge.tsx';
import { Button, Group, Progress, Text } from '@mantine/core';
import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useEffect, useState } from 'react';
import { appKeptWords, useAppKept } from '#src/device/app-kept.ts';
import { useLine } from '#src/device/line.ts';
import { documentToKeep, downloadCourse, refreshPack, stopDownload, useDownloading } from '#src/device/pack-downloads.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import classes from '#src/features/learning/learner-events.module.css';
import { formatMegabytes } from '#src/lib/format.ts';
import { OverBudget } from '#src/offline/media/budget.ts';
import { isMetered, MeteredLine, whenLineChanges } from '#src/offline/media/metered-line.ts';
import { type Lacking, packLacks, packSize, removePack } from '#src/offline/media/packs.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { IconCheck, IconDownload, IconTablet } from '#src/ui/icons.tsx';
import { notify } from '#src/ui/notify.ts';

type Listed = { attempt_id: string | null; attempt_rev: number | null; asked_version: number | null };

/** What a downloaded course lacks; undefined while this is checked. */
const useLacking = (contentId: string, { attempt_id, attempt_rev, asked_version }: Listed) => {
  const db = usePersonDb();
  const [round, setRound] = useState(0);
  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && setRound((r) => r + 1);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  const found = useLiveQuery(
    async () => ({ contentId, lacking: await packLacks(db, contentId, { attempt_id, attempt_rev, asked_version }) }),
    [db, contentId, attempt_id, attempt_rev, asked_version, round],
  );
  return found?.contentId === contentId ? found.lacking : undefined;
};

/** States that the course works offline, based on the files of course and app, and on the work in it, that are stored now. */
const Kept = ({ lacking }: { lacking: Lacking | null | undefined }) => {
  const app = useAppKept();
  const words =
    lacking === undefined
      ? 'Checking what is on this device'
      : lacking === 'work'
        ? 'On this device without what you did elsewhere. That is fetched when there is a connection'
        : appKeptWords(app);
  return (
    <span className={layout.badge} data-tone={words === null ? 'ok' : 'warning'} data-live="" role="status">
      {words === null ? <IconCheck size={18} /> : <IconTablet size={18} />}
      {words ?? 'Available offline'}
    </span>
  );
};

/** Beside a course that is being stored: without the app it would not open, and the app may still be coming. */
const AppStillComes = () => {
  const app = useAppKept();
  if (app.state !== 'keeping') return null;
  return (
    <span className={layout.soft} role="status" data-live="">
      {app.trouble !== 'full' && 'The app itself is still being stored as well. '}
      {appKeptWords(app)}.
    </span>
  );
};

type Props = {
  contentId: string;
  title: string;
  /** The running try, as the newest list of courses names it. */
  listed: Listed;
};

/** Makes a course available offline: shows the size first, then progress; can be stopped and undone. */
export const PackControl = ({ contentId, title, listed }: Props) => {
  const db = usePersonDb();
  const pack = useLiveQuery(() => db.packs.get(contentId), [db, contentId]);
  const [question, setQuestion] = useState<{ document: ContentDocument; missing: number } | null>(null);
  const [looking, setLooking] = useState(false);
  const active = useDownloading(db, contentId);
  const [paused, setPaused] = useState(false);
  const lacking = useLacking(contentId, listed);
  const hasLine = useLine();

  const look = async () => {
    setLooking(true);
    const document = await documentToKeep(db, contentId);
    setLooking(false);
    if (!document.ok) notify('error', document.offline ? 'Making a course available offline needs a connection.' : document.message);
    else setQuestion({ document: document.value, missing: (await packSize(document.value)).missing });
  };
  const keep = async (document: ContentDocument) => {
    setQuestion(null);
    setPaused(false);
    try {
      await downloadCourse(db, document);
    } catch (error) {
      if (error instanceof MeteredLine) {
        setPaused(true);
        return;
      }
      const over = error instanceof OverBudget;
      if (over || (error as Error).name === 'QuotaExceededError')
        notify(
          'error',
          over
            ? `The space for courses on this device is used up: ${formatMegabytes(error.missingBytes)} more are needed. Remove a course you no longer need, then try “${title}” again.`
            : `This device is full. Remove a course you no longer need, then try “${title}” again.`,
        );
    }
  };
  const goOn = async () => {
    const document = await documentToKeep(db, contentId);
    if (document.ok) await keep(document.value);
    else notify('error', document.message);
  };
  // A download paused because of a metered connection resumes when the connection changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `goOn` is a new function on each render
  useEffect(() => (paused ? whenLineChanges((metered) => !metered && void goOn()) : undefined), [paused]);
  const remove = () => removePack(db, db.personId, contentId);
  // The list names work of another device that this one does not have.
  useEffect(() => {
    if (lacking === 'work' && hasLine) void refreshPack(db, contentId);
  }, [lacking, hasLine, db, contentId]);

  if (pack?.state === 'ready' && lacking !== 'files') {
    return (
      <div className={`${layout.line} ${classes.pack}`}>
        <Kept lacking={lacking} />
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
        <Button variant="subtle" color="gray" onClick={() => stopDownload(db, contentId)}>
          Stop
        </Button>
        <AppStillComes />
      </div>
    );
  }
  if (pack) {
    const costs = paused || (isMetered() && pack.state !== 'stopped');
    const goesOn = !costs && (pack.state === 'loading' || pack.state === 'failed');
    return (
      <div className={`${layout.line} ${classes.pack}`}>
        <Badge tone="warning" icon={IconTablet}>
          {costs
            ? 'Paused: this connection may cost money'
            : goesOn
              ? hasLine
                ? 'Incomplete: it goes on in a moment'
                : 'Incomplete: it goes on when there is a connection'
              : 'Incomplete'}
        </Badge>
        <span className={layout.soft}>
          {formatMegabytes(pack.loaded)} of {formatMegabytes(pack.bytes)}
        </span>
        {!goesOn && (
          <Button variant="light" onClick={goOn}>
            {costs ? 'Download anyway' : 'Download the rest'}
            <span className="visually-hidden">: {title}</span>
          </Button>
        )}
        <Button variant="subtle" color="gray" onClick={remove}>
          Remove<span className="visually-hidden">: {title}</span>
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
          <AppStillComes />
          <Group gap="xs">
            <Button leftSection={<IconDownload size={20} />} onClick={() => void keep(question.document)}>
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
