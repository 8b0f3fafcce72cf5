import type { ResponseOf } from '#contract/api/endpoint.ts';
import type { listAttempts } from '#contract/api/attempts.ts';
import type { ContentDocument, Media } from '#contract/entities/content.ts';
import { mediaOfBlocks } from '#contract/rules/block-media.ts';
import { mediaOfDesign } from '#contract/rules/design-media.ts';
import { activitiesOf } from '#contract/rules/h5p-facts.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { request } from '#src/api/transport.ts';
import { noteAttemptRemoved, noteServerAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { makeRoom, OverBudget } from '#src/offline/media/budget.ts';
import { arePiecesHere, checkPieces, fetchPieces, readNote } from '#src/offline/media/chunks.ts';
import { isMetered, MeteredLine, whenLineChanges } from '#src/offline/media/metered-line.ts';
import { deleteKeptFile, packageFile, packageKeeper } from '#src/offline/media/package-keeper.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';
import { askToPersist } from '#src/offline/store/persistence.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** The fields of a course that determine its pack. */
export type PackContent = Pick<ContentDocument, 'image' | 'package' | 'design'> & {
  lessons: readonly { topics: readonly Pick<ContentDocument['lessons'][number]['topics'][number], 'blocks'>[] }[];
  quizzes: readonly Pick<ContentDocument['quizzes'][number], 'questions'>[];
};

/** All files of a course, without duplicates. */
export const mediaOf = (document: PackContent): Media[] => {
  const all: Media[] = document.image ? [document.image] : [];
  for (const topic of document.lessons.flatMap((l) => l.topics)) all.push(...mediaOfBlocks(topic.blocks));
  for (const question of document.quizzes.flatMap((q) => q.questions)) all.push(...picturesOf(question).map(({ picture }) => picture.media));
  if (document.design) all.push(...mediaOfDesign(document.design));
  return [...new Map(all.map((m) => [m.hash, m])).values()];
};

/** The packages of a course, without duplicates: of a SCORM course, or of activities in topics. Sizes in bytes. */
export const packagesOf = (document: PackContent): { tree: string; bytes: number }[] => {
  const all = [
    ...(document.package ? [document.package] : []),
    ...document.lessons
      .flatMap((l) => l.topics)
      .flatMap(activitiesOf)
      .map((a) => a.package),
  ];
  return [...new Map(all.map(({ tree, bytes }) => [tree, { tree, bytes }])).values()];
};

const textBytes = (document: PackContent) => new Blob([JSON.stringify(document)]).size;

/** The bytes that a course takes on a device: its texts, files and packages. */
export const packBytes = (document: PackContent): number =>
  textBytes(document) + [...packagesOf(document), ...mediaOf(document)].reduce((sum, { bytes }) => sum + bytes, 0);

/** The try that a person continues when they open a course, or undefined if they start afresh: theirs, neither closed nor completed. */
export const runningTry = async (db: PersonDb, contentId: string) =>
  (await db.attempts.where('content_id').equals(contentId).toArray())
    .filter((a) => a.user_id === db.personId && !a.closed && a.state !== 'graded')
    .sort((a, b) => b.try_no - a.try_no)[0];

/**
 * Fetches the person's tries of a course with all that they did in them, also on other devices, so that a running one continues
 * offline. Returns whether the server answered.
 */
export const fetchTries = async (db: PersonDb, contentId: string, signal?: AbortSignal): Promise<boolean> => {
  const answer = await request<ResponseOf<typeof listAttempts>>('GET', `/users/${db.personId}/attempts?content_id=${contentId}`, {
    timeoutMs: 8000,
    ...(signal ? { signal } : {}),
  });
  if (answer.kind !== 'ok') return false;
  for (const attempt of answer.data) await noteServerAttempt(db, attempt);
  const there = new Set(answer.data.map((a) => a.id));
  // One that the server had and has no longer was removed there.
  const removed = (await db.attempts.where('content_id').equals(contentId).toArray()).filter(
    (a) => a.user_id === db.personId && a.known && !a.closed && !there.has(a.id),
  );
  for (const { id } of removed) await noteAttemptRemoved(db, id);
  return true;
};

/** A course's size on the device and the part still to be downloaded, in bytes. */
export const packSize = async (document: ContentDocument): Promise<{ bytes: number; missing: number }> => {
  const media = mediaOf(document);
  const whole = await Promise.all(media.map(async (m) => ((await readNote(m.url)) ? m.hash : null)));
  const kept = new Set(whole);
  const textSize = textBytes(document);
  const packages = packagesOf(document);
  const missingPackages = await Promise.all(packages.map(async (p) => ((await packageKeeper().has(p.tree)) ? 0 : p.bytes)));
  return {
    bytes: packBytes(document),
    missing: textSize + missingPackages.reduce((sum, b) => sum + b, 0) + media.filter((m) => !kept.has(m.hash)).reduce((sum, m) => sum + m.bytes, 0),
  };
};

/**
 * Downloads a course: its document and every file, in pieces verified by their hash. Resumes without fetching existing pieces
 * again. The pack becomes `ready` once it is complete. Pauses if the connection becomes metered, but not if it was metered at the
 * start, because the person was told. Throws MeteredLine, OverBudget, a QuotaExceededError or a network error; downloaded pieces
 * and the pack's progress are kept.
 */
export const keepOffline = async (db: PersonDb, personId: string, document: ContentDocument, signal: AbortSignal): Promise<void> => {
  void askToPersist();
  const media = mediaOf(document);
  const packages = packagesOf(document);
  const { bytes, missing } = await packSize(document);
  const devices = deviceDb();
  const before = await db.packs.get(document.id);
  const hashes = [...media.map((m) => m.hash), ...packages.map((p) => p.tree)];
  const row = { content_id: document.id, version: document.version, bytes, at: new Date().toISOString() };
  let loaded = textBytes(document);
  await db.transaction('rw', [db.contents, db.packs], async () => {
    await db.contents.put({ id: document.id, version: document.version, document, kept_at: row.at });
    // Files of the version before stay until this one is complete.
    await db.packs.put({ ...row, hashes: [...new Set([...hashes, ...(before?.hashes ?? [])])], state: 'loading', loaded });
  });
  const control = new AbortController();
  const stop = () => control.abort(signal.reason);
  signal.addEventListener('abort', stop);
  const unwatch = isMetered() ? () => undefined : whenLineChanges((metered) => metered && control.abort(new MeteredLine()));
  try {
    signal.throwIfAborted();
    // The try first: it is small, and without it the course would not continue.
    if (!(await fetchTries(db, document.id, control.signal))) throw new Error('unreachable');
    await makeRoom(missing);
    // Pinned before the download, so that other downloads do not evict it.
    const pin = async (file: { hash: string; url: string; bytes: number }) => {
      const kept = await devices.media.get(file.hash);
      await devices.media.put({ ...file, pinned_by: [...new Set([...(kept?.pinned_by ?? []), personId])], used_at: row.at });
    };
    const addLoaded = (count: number) => {
      loaded += count;
      void db.packs.update(document.id, { loaded });
    };
    for (const file of media) {
      await pin({ hash: file.hash, url: file.url, bytes: file.bytes });
      await fetchPieces(file, addLoaded, control.signal);
    }
    for (const { tree, bytes } of packages) {
      await pin({ hash: tree, url: packageFile(tree), bytes });
      await packageKeeper().keep(tree, addLoaded, control.signal);
    }
    await db.packs.put({ ...row, hashes, state: 'ready', loaded: bytes });
    await releaseUnneeded(db, personId);
  } catch (error) {
    await db.packs.update(document.id, { state: goesOn(error, signal) ? 'failed' : 'stopped', loaded });
    throw control.signal.reason instanceof MeteredLine ? control.signal.reason : error;
  } finally {
    unwatch();
    signal.removeEventListener('abort', stop);
  }
};

/** Thrown by the page that shows a download when the person stops it: it then waits for them. */
export class Stopped extends Error {}
/** Whether an interrupted download goes on by itself: not if the person stopped it, or without space. */
const goesOn = (error: unknown, signal: AbortSignal) =>
  !(signal.reason instanceof Stopped || error instanceof OverBudget || (error as Error).name === 'QuotaExceededError');

/** Interrupted downloads that go on by themselves when there is a connection. */
export const interruptedPacks = (db: PersonDb) => db.packs.filter(({ state }) => state === 'loading' || state === 'failed').toArray();

/**
 * What a course would lack if the server were gone now: null if it opens, and a running try continues where the person left it. Looks at
 * the version that would open, which a running try determines. Does not read the files' bytes; `checkPack` does.
 * `listed`: the running try, and the version that the person is asked to take, as the newest list of courses names them.
 */
export type Lacking = 'files' | 'work';
export const packLacks = async (
  db: PersonDb,
  contentId: string,
  listed: { attempt_id?: string | null; attempt_rev?: number | null; asked_version?: number | null } = {},
): Promise<Lacking | null> => {
  const pack = await db.packs.get(contentId);
  if (pack?.state !== 'ready') return 'files';
  if (listed.attempt_id) {
    const here = await db.attempts.get(listed.attempt_id);
    if (!here || (listed.attempt_rev ?? 0) > here.rev) return 'work';
  }
  const running = await runningTry(db, contentId);
  // Without a running try, the newest stored version is the one that opens offline.
  const stored = (await db.contents.where('id').equals(contentId).toArray()).sort((a, b) => b.version - a.version);
  const document = (running ? stored.find((row) => row.version === running.content_version) : stored[0])?.document;
  if (!document || (!running && document.version < (listed.asked_version ?? 0))) return 'files';
  const there = await Promise.all([
    ...mediaOf(document).map((m) => arePiecesHere(m.url)),
    ...packagesOf(document).map((p) => packageKeeper().has(p.tree)),
  ]);
  return there.every(Boolean) ? null : 'files';
};

/** Verifies every file of a downloaded course and marks the pack as incomplete if any is damaged. Returns the number of damaged pieces. */
export const checkPack = async (db: PersonDb, document: ContentDocument): Promise<number> => {
  let broken = 0;
  for (const file of mediaOf(document)) broken += await checkPieces(file);
  for (const { tree } of packagesOf(document)) broken += await packageKeeper().check(tree);
  if (broken > 0) await db.packs.update(document.id, { state: 'failed' });
  return broken;
};

/** Removes a person's pin from files and deletes those that nobody else needs. */
const unpin = async (personId: string, rows: readonly { hash: string; url: string; pinned_by: string[] }[]) => {
  const { media } = deviceDb();
  for (const row of rows) {
    const left = row.pinned_by.filter((p) => p !== personId);
    if (left.length > 0) await media.update(row.hash, { pinned_by: left });
    else {
      await media.delete(row.hash);
      await deleteKeptFile(row.url);
    }
  }
};
const pinnedBy = (personId: string) => deviceDb().media.where('pinned_by').equals(personId).toArray();

/** Releases files that none of the person's courses needs any more, such as those of an earlier version. */
const releaseUnneeded = async (db: PersonDb, personId: string): Promise<void> => {
  const needed = new Set((await db.packs.toArray()).flatMap((p) => p.hashes));
  await unpin(
    personId,
    (await pinnedBy(personId)).filter((row) => !needed.has(row.hash)),
  );
};

/** Deletes a downloaded course. The person's work in it is kept. */
export const removePack = async (db: PersonDb, personId: string, contentId: string): Promise<void> => {
  await db.packs.delete(contentId);
  await releaseUnneeded(db, personId);
};

/** Deletes all course files that only this person needed, at sign-out. */
export const removeAllPacks = async (personId: string): Promise<void> => unpin(personId, await pinnedBy(personId));
