import type { ContentDocument, Media } from '#contract/entities/content.ts';
import { mediaOfBlocks } from '#contract/rules/block-media.ts';
import { mediaOfDesign } from '#contract/rules/design-media.ts';
import { activitiesOf } from '#contract/rules/h5p-facts.ts';
import { picturesOf } from '#contract/rules/question-pictures.ts';
import { makeRoom } from '#src/offline/media/budget.ts';
import { arePiecesHere, checkPieces, fetchPieces, readNote } from '#src/offline/media/chunks.ts';
import { isMetered, MeteredLine, whenLineChanges } from '#src/offline/media/metered-line.ts';
import { deleteKeptFile, packageFile, packageKeeper } from '#src/offline/media/package-keeper.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';
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
 * Asks the browser once for persistent storage. Returns its answer. Firefox asks the person, who may take any amount of time, so
 * nothing else should wait for it.
 */
export const askToPersist = async (): Promise<boolean> =>
  (await globalThis.navigator?.storage?.persisted?.()) || ((await globalThis.navigator?.storage?.persist?.().catch(() => false)) ?? false);

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
  const row = {
    content_id: document.id,
    version: document.version,
    bytes,
    hashes: [...media.map((m) => m.hash), ...packages.map((p) => p.tree)],
    at: new Date().toISOString(),
  };
  let loaded = textBytes(document);
  await db.transaction('rw', [db.contents, db.packs], async () => {
    await db.contents.put({ id: document.id, version: document.version, document, kept_at: row.at });
    await db.packs.put({ ...row, state: 'loading', loaded });
  });
  const control = new AbortController();
  const stop = () => control.abort(signal.reason);
  signal.addEventListener('abort', stop);
  const unwatch = isMetered() ? () => undefined : whenLineChanges((metered) => metered && control.abort(new MeteredLine()));
  try {
    signal.throwIfAborted();
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
    await db.packs.put({ ...row, state: 'ready', loaded: bytes });
  } catch (error) {
    await db.packs.update(document.id, { state: 'failed', loaded });
    throw control.signal.reason instanceof MeteredLine ? control.signal.reason : error;
  } finally {
    unwatch();
    signal.removeEventListener('abort', stop);
  }
};

/** Whether a course is on this device now: its document and every piece of every file. Does not read the bytes; `checkPack` does. */
export const packIsHere = async (db: PersonDb, contentId: string): Promise<boolean> => {
  const pack = await db.packs.get(contentId);
  if (pack?.state !== 'ready') return false;
  // Offline, the newest stored version is the one that opens.
  const document = (await db.contents.where('id').equals(contentId).toArray()).sort((a, b) => b.version - a.version)[0]?.document;
  if (!document) return false;
  const there = await Promise.all([
    ...mediaOf(document).map((m) => arePiecesHere(m.url)),
    ...packagesOf(document).map((p) => packageKeeper().has(p.tree)),
  ]);
  return there.every(Boolean);
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
const unpin = async (personId: string, hashes: readonly string[]) => {
  const { media } = deviceDb();
  for (const row of await media
    .where('hash')
    .anyOf([...hashes])
    .toArray()) {
    const left = row.pinned_by.filter((p) => p !== personId);
    if (left.length > 0) await media.update(row.hash, { pinned_by: left });
    else {
      await media.delete(row.hash);
      await deleteKeptFile(row.url);
    }
  }
};

/** Deletes a downloaded course. The person's work in it is kept. */
export const removePack = async (db: PersonDb, personId: string, contentId: string): Promise<void> => {
  const pack = await db.packs.get(contentId);
  if (!pack) return;
  await db.packs.delete(contentId);
  const others = new Set((await db.packs.toArray()).flatMap((p) => p.hashes));
  await unpin(
    personId,
    pack.hashes.filter((h) => !others.has(h)),
  );
};

/** Deletes all course files that only this person needed, at sign-out. */
export const removeAllPacks = async (personId: string): Promise<void> => {
  const rows = await deviceDb().media.where('pinned_by').equals(personId).toArray();
  await unpin(
    personId,
    rows.map((r) => r.hash),
  );
};
