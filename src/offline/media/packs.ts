import type { ContentDocument, Media } from '#contract/entities/content.ts';
import { activitiesOf } from '#contract/rules/h5p-facts.ts';
import { makeRoom } from '#src/offline/media/budget.ts';
import { arePiecesHere, checkPieces, fetchPieces, readNote } from '#src/offline/media/chunks.ts';
import { isMetered, MeteredLine, whenLineChanges } from '#src/offline/media/metered-line.ts';
import { deleteKeptFile, packageFile, packageKeeper } from '#src/offline/media/package-keeper.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** Every file that a course needs, each once. */
export const mediaOf = (document: ContentDocument): Media[] => {
  const all: Media[] = document.image ? [document.image] : [];
  for (const topic of document.lessons.flatMap((l) => l.topics)) {
    for (const block of topic.blocks) {
      if ('media' in block) all.push(block.media);
      if (block.kind === 'video') all.push(...(block.poster ? [block.poster] : []), ...block.captions.map((c) => c.media));
    }
  }
  return [...new Map(all.map((m) => [m.hash, m])).values()];
};

/** The packages that a course plays, each once: of a SCORM course, or of the activities in its topics. Sizes in bytes. */
export const packagesOf = (document: ContentDocument): { tree: string; bytes: number }[] => {
  const all = [
    ...(document.package ? [document.package] : []),
    ...document.lessons
      .flatMap((l) => l.topics)
      .flatMap(activitiesOf)
      .map((a) => a.package),
  ];
  return [...new Map(all.map(({ tree, bytes }) => [tree, { tree, bytes }])).values()];
};

const textBytes = (document: ContentDocument) => new Blob([JSON.stringify(document)]).size;

/** How much a course takes on the device, and how much of that has to be downloaded. Bytes. */
export const packSize = async (document: ContentDocument): Promise<{ bytes: number; missing: number }> => {
  const media = mediaOf(document);
  const whole = await Promise.all(media.map(async (m) => ((await readNote(m.url)) ? m.hash : null)));
  const kept = new Set(whole);
  const own = textBytes(document);
  const packages = packagesOf(document);
  const missingPackages = await Promise.all(packages.map(async (p) => ((await packageKeeper().has(p.tree)) ? 0 : p.bytes)));
  return {
    bytes: own + packages.reduce((sum, p) => sum + p.bytes, 0) + media.reduce((sum, m) => sum + m.bytes, 0),
    missing: own + missingPackages.reduce((sum, b) => sum + b, 0) + media.filter((m) => !kept.has(m.hash)).reduce((sum, m) => sum + m.bytes, 0),
  };
};

/**
 * Asks the browser, once, not to clear what is kept here. Answers what it said. Firefox asks the person, who may leave the
 * question open for as long as they like: nothing may wait for the answer that can be done without it.
 */
export const askToPersist = async (): Promise<boolean> =>
  (await globalThis.navigator?.storage?.persisted?.()) || ((await globalThis.navigator?.storage?.persist?.().catch(() => false)) ?? false);

/**
 * Keeps a course on this device: its text and every file, in pieces that are each checked against their hash. Goes on
 * where it stopped: what is there is not fetched again. The pack is `ready` only when all of it is there. A line that
 * becomes metered pauses it; who begins on a metered line has been told so. Throws MeteredLine, OverBudget, a QuotaExceededError, or what the line said; what has come stays, and the pack says how far it is.
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
    // Pinned before it is fetched: nobody else's download makes room by it.
    const pin = async (file: { hash: string; url: string; bytes: number }) => {
      const kept = await devices.media.get(file.hash);
      await devices.media.put({ ...file, pinned_by: [...new Set([...(kept?.pinned_by ?? []), personId])], used_at: row.at });
    };
    const came = (count: number) => {
      loaded += count;
      void db.packs.update(document.id, { loaded });
    };
    for (const file of media) {
      await pin({ hash: file.hash, url: file.url, bytes: file.bytes });
      await fetchPieces(file, came, control.signal);
    }
    for (const { tree, bytes } of packages) {
      await pin({ hash: tree, url: packageFile(tree), bytes });
      await packageKeeper().keep(tree, came, control.signal);
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

/**
 * Whether a course is on this device at this moment: its text, and every piece of every file that it names. The bytes are
 * not read: that is `checkPack`.
 */
export const packIsHere = async (db: PersonDb, contentId: string): Promise<boolean> => {
  const pack = await db.packs.get(contentId);
  if (pack?.state !== 'ready') return false;
  // Without a connection the newest text that is here is the one that opens.
  const document = (await db.contents.where('id').equals(contentId).toArray()).sort((a, b) => b.version - a.version)[0]?.document;
  if (!document) return false;
  const there = await Promise.all([
    ...mediaOf(document).map((m) => arePiecesHere(m.url)),
    ...packagesOf(document).map((p) => packageKeeper().has(p.tree)),
  ]);
  return there.every(Boolean);
};

/** Checks every file of a kept course and marks the pack as not complete where something is damaged. Answers how many pieces are. */
export const checkPack = async (db: PersonDb, document: ContentDocument): Promise<number> => {
  let broken = 0;
  for (const file of mediaOf(document)) broken += await checkPieces(file);
  for (const { tree } of packagesOf(document)) broken += await packageKeeper().check(tree);
  if (broken > 0) await db.packs.update(document.id, { state: 'failed' });
  return broken;
};

/** Takes a person's pin off their files and deletes those that nobody needs. */
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

/** Frees the space of a course. What the person did in it is not touched. */
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

/** Frees all course files that only this person needed: part of signing out. */
export const removeAllPacks = async (personId: string): Promise<void> => {
  const rows = await deviceDb().media.where('pinned_by').equals(personId).toArray();
  await unpin(
    personId,
    rows.map((r) => r.hash),
  );
};
