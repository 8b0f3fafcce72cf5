import type { FromKeeper } from '#contract/bridge.ts';
import { hashOf } from './kept-packages.ts';

type Why = Extract<FromKeeper, { type: 'failed' }>['why'];
/** Why a package could not be stored. */
export class Stopped extends Error {
  readonly why: Why;
  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

/** Fetches from the server, bypassing the cache. */
export const fetched = async (url: string, signal: AbortSignal, range?: string): Promise<Response> => {
  const headers = { 'X-Lantern-Keep': '1', ...(range ? { Range: range } : {}) };
  const answer = await fetch(url, { cache: 'no-store', signal, headers }).catch(() => null);
  if (signal.aborted) throw new Stopped('stopped');
  if (!answer?.ok) throw new Stopped(answer ? 'damaged' : 'unreachable');
  return answer;
};
export const put = async (cache: Cache, url: string, answer: Response) => {
  await cache.put(url, answer).catch(() => {
    throw new Stopped('full');
  });
};
/** Whether a file is in the cache and matches its hash. */
export const isWhole = async (cache: Cache, url: string, hash: string): Promise<boolean> => {
  const kept = await cache.match(url);
  return kept !== undefined && (await hashOf(await kept.arrayBuffer())) === hash;
};

/** Larger files are downloaded in pieces of this size. */
export const pieceBytes = 1_000_000;
const pieceAt = (url: string, start: number) => `${url}?piece=${start}`;
const dropPieces = async (cache: Cache, url: string, bytes: number) => {
  for (let start = 0; start < bytes; start += pieceBytes) await cache.delete(pieceAt(url, start));
};
const inPieces = async (cache: Cache, url: string, bytes: number, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<Response> => {
  const pieces: Blob[] = [];
  let type = '';
  for (let start = 0; start < bytes; start += pieceBytes) {
    if (signal.aborted) throw new Stopped('stopped');
    const end = Math.min(start + pieceBytes, bytes);
    const at = pieceAt(url, start);
    const kept = await cache.match(at);
    const piece = kept ? await kept.blob() : await (await fetched(url, signal, `bytes=${start}-${end - 1}`)).blob();
    // A partially written piece is useless.
    if (piece.size !== end - start) throw new Stopped((await cache.delete(at)) ? 'unreachable' : 'damaged');
    if (!kept) await put(cache, at, new Response(piece));
    type ||= piece.type;
    pieces.push(piece);
    onBytes(piece.size);
  }
  return new Response(new Blob(pieces, { type }));
};

type File = { url: string; hash: string; bytes: number };
/**
 * Stores a file of a package, unless it is stored and intact. A large file is downloaded in pieces, which are kept if the
 * connection breaks. Throws Stopped; damaged data is not kept.
 */
export const keepFile = async (cache: Cache, { url, hash, bytes }: File, signal: AbortSignal, onBytes: (bytes: number) => void): Promise<void> => {
  if (await isWhole(cache, url, hash)) {
    onBytes(bytes);
    return;
  }
  const large = bytes > pieceBytes;
  const answer = large ? await inPieces(cache, url, bytes, signal, onBytes) : await fetched(url, signal);
  const copy = answer.clone();
  const right = (await hashOf(await answer.arrayBuffer())) === hash;
  if (right) await put(cache, url, copy);
  if (large) await dropPieces(cache, url, bytes);
  else onBytes(bytes);
  if (!right) throw new Stopped('damaged');
};
