import type { ResponseOf } from '#contract/api/endpoint.ts';
import type { mediaChunks } from '#contract/api/learning.ts';
import type { Media } from '#contract/entities/content.ts';
import { protocol } from '#contract/protocol.ts';
import { request } from '#src/api/transport.ts';
import { mediaCacheName } from '#src/offline/cache-names.ts';
import { toHex } from '#contract/rules/bytes.ts';

/**
 * A course file on this device: pieces of equal size, each stored under its own URL with the hash of its bytes, and an index
 * under the file's URL. Downloads resume, damaged pieces are fetched separately, and videos play from the pieces.
 *
 *   /api/media/<hash>.mp4          the index: type, bytes, hashes of the pieces
 *   /api/media/<hash>.mp4?piece=0  the first piece, and so on
 */
export type Note = { type: string; bytes: number; piece_bytes: number; hashes: string[] };
const noteType = 'application/vnd.lantern.pieces+json';

const openCache = () => caches.open(mediaCacheName);
const pieceUrl = (url: string, i: number) => `${url}?piece=${i}`;
const pieceLength = (note: Note, i: number) => Math.min(note.piece_bytes, note.bytes - i * note.piece_bytes);

/** The index of a file, or null if it is not on this device. */
export const readNote = async (url: string): Promise<Note | null> => {
  const kept = await (await openCache()).match(url);
  return kept?.headers.get('Content-Type') === noteType ? ((await kept.json()) as Note) : null;
};

/** A stored piece of full length, or null. */
export const readPiece = async (url: string, note: Note, i: number): Promise<Blob | null> => {
  const blob = await (await (await openCache()).match(pieceUrl(url, i)))?.blob();
  return blob && blob.size === pieceLength(note, i) ? blob : null;
};

/** Whether every piece of a file is stored. */
export const arePiecesHere = async (url: string): Promise<boolean> => {
  const note = await readNote(url);
  if (!note) return false;
  const cache = await openCache();
  const there = await Promise.all(note.hashes.map((_, i) => cache.match(pieceUrl(url, i))));
  return there.every((piece) => piece !== undefined);
};

/** Thrown if a piece does not match its hash; the download can be retried. */
export class Damaged extends Error {}

const hashOf = async (bytes: ArrayBuffer) => toHex(await crypto.subtle.digest('SHA-256', bytes));

const noteFor = async (media: Media, signal: AbortSignal): Promise<Note> => {
  if (media.bytes <= protocol.mediaPieceBytes)
    return { type: media.type, bytes: media.bytes, piece_bytes: protocol.mediaPieceBytes, hashes: [media.hash] };
  const name = media.url.split('/').at(-1) as string;
  const answer = await request<ResponseOf<typeof mediaChunks>>('GET', `/media/${name}/pieces`, { signal });
  if (answer.kind !== 'ok') throw new Error(answer.kind === 'refused' ? answer.error.message : 'unreachable');
  return { type: media.type, ...answer.data };
};

/**
 * Fetches the missing pieces of a file. `onBytes` is called for each piece, including existing ones. Throws if the connection
 * fails, the disk is full or a piece is damaged; fetched pieces are kept.
 */
export const fetchPieces = async (media: Media, onBytes: (count: number) => void, signal: AbortSignal): Promise<void> => {
  const cache = await openCache();
  const note = (await readNote(media.url)) ?? (await noteFor(media, signal));
  for (const [i, hash] of note.hashes.entries()) {
    signal.throwIfAborted();
    const length = pieceLength(note, i);
    if (await readPiece(media.url, note, i)) {
      onBytes(length);
      continue;
    }
    const from = i * note.piece_bytes;
    const response = await fetch(media.url, {
      credentials: 'include',
      cache: 'no-store',
      signal,
      headers: note.hashes.length === 1 ? {} : { Range: `bytes=${from}-${from + length - 1}` },
    });
    if (!response.ok) throw new Error(`answered ${response.status}`);
    const bytes = await response.arrayBuffer();
    if ((await hashOf(bytes)) !== hash) throw new Damaged(`piece ${i + 1} of ${note.hashes.length} arrived damaged`);
    await cache.put(pieceUrl(media.url, i), new Response(bytes, { headers: { 'Content-Length': String(length) } }));
    onBytes(length);
  }
  // The index is stored last, so its presence means that all pieces were stored.
  await cache.put(media.url, new Response(JSON.stringify(note), { headers: { 'Content-Type': noteType } }));
};

/** Verifies every piece and deletes damaged ones. Returns how many must be fetched again. */
export const checkPieces = async (media: Media): Promise<number> => {
  const note = await readNote(media.url);
  if (!note) return 1;
  const cache = await openCache();
  let broken = 0;
  for (const [i, hash] of note.hashes.entries()) {
    const piece = await readPiece(media.url, note, i);
    if (piece && (await hashOf(await piece.arrayBuffer())) === hash) continue;
    broken++;
    await cache.delete(pieceUrl(media.url, i));
  }
  // Without its index the file counts as incomplete.
  if (broken > 0) await cache.delete(media.url);
  return broken;
};

export const deletePieces = async (url: string): Promise<void> => {
  const cache = await openCache();
  const note = await readNote(url);
  await cache.delete(url);
  if (note) for (const i of note.hashes.keys()) await cache.delete(pieceUrl(url, i));
  else for (const key of await cache.keys()) if (key.url.includes(`${url}?piece=`)) await cache.delete(key);
};

/** The bytes from `start` to `end`, both inclusive; null if a piece is missing. */
export const sliceOf = async (url: string, note: Note, start: number, end: number): Promise<Blob | null> => {
  const parts: Blob[] = [];
  for (let i = Math.floor(start / note.piece_bytes); i * note.piece_bytes <= end; i++) {
    const piece = await readPiece(url, note, i);
    if (!piece) return null;
    const offset = i * note.piece_bytes;
    parts.push(piece.slice(Math.max(0, start - offset), Math.min(piece.size, end - offset + 1)));
  }
  return new Blob(parts, { type: note.type });
};
