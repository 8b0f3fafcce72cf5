import { useSyncExternalStore } from 'react';
import type { ContentDocument } from '#contract/entities/content.ts';
import { currentActingAs, currentUser, watchSession } from '#src/access/session.ts';
import { hasLine, watchLine } from '#src/device/line.ts';
import { type Loaded, loadDocument } from '#src/device/start-course.ts';
import { observable } from '#src/lib/observable.ts';
import { isMetered } from '#src/offline/media/metered-line.ts';
import { fetchTries, interruptedPacks, keepOffline, runningTry, Stopped } from '#src/offline/media/packs.ts';
import { type PersonDb, personDb } from '#src/offline/store/person-db.ts';

/**
 * Downloads of courses, independent of the page that shows them: each at most once at a time. An interrupted one goes on by itself
 * when there is a connection, also after a reload; one that the person stopped, or that found no space, waits for the person.
 */
type Download = { control: AbortController; done: Promise<void> };
const running = observable<ReadonlyMap<string, Download>>(new Map());
const keyOf = (db: PersonDb, contentId: string) => `${db.personId} ${contentId}`;
const change = (to: (map: Map<string, Download>) => unknown) => {
  const next = new Map(running.get());
  to(next);
  running.set(next);
};

/** The version of a course that opens for this person: that of their running try, also if it was begun elsewhere, else the newest. */
export const documentToKeep = async (db: PersonDb, contentId: string): Promise<Loaded<ContentDocument>> => {
  if (hasLine()) await fetchTries(db, contentId);
  return loadDocument(db, contentId, (await runningTry(db, contentId))?.content_version);
};

/** Downloads a course; waits if this is already going on. Throws what `keepOffline` throws. */
export const downloadCourse = async (db: PersonDb, document: ContentDocument, signal?: AbortSignal): Promise<void> => {
  const key = keyOf(db, document.id);
  const before = running.get().get(key);
  const control = before?.control ?? new AbortController();
  const stop = () => control.abort(signal?.reason);
  signal?.addEventListener('abort', stop);
  const done = before?.done ?? keepOffline(db, db.personId, document, control.signal).finally(() => change((map) => map.delete(key)));
  if (!before) change((map) => map.set(key, { control, done }));
  try {
    await done;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
};

/** Stops a download until the person continues it. */
export const stopDownload = (db: PersonDb, contentId: string): void => running.get().get(keyOf(db, contentId))?.control.abort(new Stopped());

/** Whether a course is being downloaded now. */
export const useDownloading = (db: PersonDb, contentId: string): boolean =>
  useSyncExternalStore(running.subscribe, () => running.get().has(keyOf(db, contentId)));

/** How often the tries of stored courses are fetched at most. */
const freshMs = 60_000;
const firstPauseMs = 15_000;
const longestPauseMs = 300_000;
const askedAt = new Map<string, number>();

/** Fetches what the person did elsewhere in a stored course. A try of another version makes the course incomplete. */
export const refreshPack = async (db: PersonDb, contentId: string): Promise<void> => {
  askedAt.set(keyOf(db, contentId), Date.now());
  if (!(await fetchTries(db, contentId))) askedAt.delete(keyOf(db, contentId));
  const [pack, now] = await Promise.all([db.packs.get(contentId), runningTry(db, contentId)]);
  if (pack?.state === 'ready' && now && now.content_version !== pack.version) await db.packs.update(contentId, { state: 'failed' });
};

const lookAfter = async (db: PersonDb): Promise<'all' | 'some left'> => {
  for (const { content_id } of await db.packs.filter((p) => p.state === 'ready').toArray())
    if (Date.now() - (askedAt.get(keyOf(db, content_id)) ?? 0) > freshMs && hasLine()) await refreshPack(db, content_id);
  for (const pack of await interruptedPacks(db)) {
    // What costs money waits for the person.
    if (isMetered() || !hasLine()) return 'some left';
    const document = await documentToKeep(db, pack.content_id);
    if (document.ok) await downloadCourse(db, document.value).catch(() => undefined);
  }
  return (await interruptedPacks(db)).length > 0 ? 'some left' : 'all';
};

let following = false;
/**
 * Keeps the signed-in person's stored courses as they promise: interrupted downloads go on, and tries continued elsewhere are fetched,
 * at the start, when the connection returns and when the page becomes visible. Safe to call more than once.
 */
export const followPacks = (): void => {
  if (following) return;
  following = true;
  let busy = false;
  let pause = firstPauseMs;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = async () => {
    const user = currentUser();
    // While acting for another organisation the server answers for that one.
    if (busy || !user || currentActingAs() || !hasLine() || document.visibilityState !== 'visible') return;
    busy = true;
    clearTimeout(timer);
    const left = await lookAfter(personDb(user.uuid)).catch(() => 'some left' as const);
    busy = false;
    if (left === 'all') pause = firstPauseMs;
    else {
      timer = setTimeout(() => void look(), pause);
      pause = Math.min(pause * 2, longestPauseMs);
    }
  };
  const soon = () => {
    pause = firstPauseMs;
    void look();
  };
  watchLine(() => hasLine() && soon());
  watchSession(soon);
  document.addEventListener('visibilitychange', soon);
  addEventListener('focus', soon);
  soon();
};
