import type { ContentDocument, Media } from '#contract/entities/content.ts';
import { mediaCacheName } from '#src/offline/cache-names.ts';
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

const textBytes = (document: ContentDocument) => new Blob([JSON.stringify(document)]).size;

/** How much a course takes on the device, and how much of that has to be downloaded. Bytes. */
export const packSize = async (document: ContentDocument): Promise<{ bytes: number; missing: number }> => {
  const media = mediaOf(document);
  const kept = new Set(
    (
      await deviceDb()
        .media.where('hash')
        .anyOf(media.map((m) => m.hash))
        .toArray()
    ).map((m) => m.hash),
  );
  const text = textBytes(document);
  return {
    bytes: text + media.reduce((sum, m) => sum + m.bytes, 0),
    missing: text + media.filter((m) => !kept.has(m.hash)).reduce((sum, m) => sum + m.bytes, 0),
  };
};

const hex = (buffer: ArrayBuffer) => [...new Uint8Array(buffer)].map((b) => b.toString(16).padStart(2, '0')).join('');

const download = async (media: Media, onBytes: (count: number) => void, signal: AbortSignal): Promise<void> => {
  const response = await fetch(media.url, { credentials: 'include', signal });
  if (!response.ok || !response.body) throw new Error(`answered ${response.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    onBytes(part.value.length);
  }
  const blob = new Blob(parts, { type: media.type });
  if (hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())) !== media.hash) throw new Error('arrived damaged');
  const cache = await caches.open(mediaCacheName);
  await cache.put(
    media.url,
    new Response(blob, { headers: { 'Content-Type': media.type, 'Content-Length': String(blob.size), 'Accept-Ranges': 'bytes' } }),
  );
};

/**
 * Keeps a course on this device: its text and every file, each checked against its hash. Goes on where it stopped:
 * what is there is not fetched again. The pack is `ready` only when all of it is there.
 */
export const keepOffline = async (db: PersonDb, personId: string, document: ContentDocument, signal: AbortSignal): Promise<void> => {
  await navigator.storage?.persist?.().catch(() => false);
  const media = mediaOf(document);
  const { bytes } = await packSize(document);
  const devices = deviceDb();
  const row = { content_id: document.id, version: document.version, bytes, hashes: media.map((m) => m.hash), at: new Date().toISOString() };
  let loaded = textBytes(document);
  await db.transaction('rw', [db.contents, db.packs], async () => {
    await db.contents.put({ id: document.id, version: document.version, document, kept_at: row.at });
    await db.packs.put({ ...row, state: 'loading', loaded });
  });
  try {
    let noted = 0;
    for (const file of media) {
      const kept = await devices.media.get(file.hash);
      const cached = kept && (await (await caches.open(mediaCacheName)).match(file.url));
      if (kept && cached) {
        loaded += file.bytes;
        await devices.media.update(file.hash, { pinned_by: [...new Set([...kept.pinned_by, personId])] });
      } else {
        await download(
          file,
          (count) => {
            loaded += count;
            if (Date.now() - noted > 100) {
              noted = Date.now();
              void db.packs.update(document.id, { loaded });
            }
          },
          signal,
        );
        await devices.media.put({
          hash: file.hash,
          url: file.url,
          bytes: file.bytes,
          pinned_by: [...new Set([...(kept?.pinned_by ?? []), personId])],
          used_at: row.at,
        });
      }
      await db.packs.update(document.id, { loaded });
    }
    await db.packs.put({ ...row, state: 'ready', loaded: bytes });
  } catch (error) {
    await db.packs.update(document.id, { state: 'failed', loaded });
    throw error;
  }
};

/** Takes a person's pin off their files and deletes those that nobody needs. */
const unpin = async (personId: string, hashes: readonly string[]) => {
  const { media } = deviceDb();
  const cache = await caches.open(mediaCacheName);
  for (const row of await media
    .where('hash')
    .anyOf([...hashes])
    .toArray()) {
    const left = row.pinned_by.filter((p) => p !== personId);
    if (left.length > 0) await media.update(row.hash, { pinned_by: left });
    else {
      await media.delete(row.hash);
      await cache.delete(row.url);
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
