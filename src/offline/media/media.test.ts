import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ContentDocument, Media } from '#contract/entities/content.ts';
import { protocol } from '#contract/protocol.ts';
import { toHex } from '#contract/rules/bytes.ts';
import { makeRoom, OverBudget, setMediaBudget } from '#src/offline/media/budget.ts';
import { checkPieces, Damaged, deletePieces, fetchPieces, readNote, sliceOf } from '#src/offline/media/chunks.ts';
import { MeteredLine } from '#src/offline/media/metered-line.ts';
import { keepOffline } from '#src/offline/media/packs.ts';
import { rangeResponse } from '#src/offline/media/range-response.ts';
import { personDb } from '#src/offline/store/person-db.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

/** The part of Cache Storage that course files use. */
class MemoryCache {
  readonly kept = new Map<string, { body: ArrayBuffer; headers: Headers }>();
  async match(url: string) {
    const found = this.kept.get(url);
    return found && new Response(found.body, { headers: found.headers });
  }
  async put(url: string, response: Response) {
    this.kept.set(url, { body: await response.arrayBuffer(), headers: response.headers });
  }
  async delete(key: string | Request) {
    const url = typeof key === 'string' ? key : new URL(key.url);
    return this.kept.delete(typeof url === 'string' ? url : url.pathname + url.search);
  }
  async keys() {
    return [...this.kept.keys()].map((url) => new Request(`http://localhost${url}`));
  }
}

const size = protocol.mediaPieceBytes * 3 + 1000;
const bytes = new Uint8Array(size).map((_, i) => (i * 31 + (i >> 8)) % 251);
const pieces = Array.from({ length: 4 }, (_, i) => bytes.slice(i * protocol.mediaPieceBytes, (i + 1) * protocol.mediaPieceBytes));
const sha = async (b: Uint8Array<ArrayBuffer>) => toHex(await crypto.subtle.digest('SHA-256', b));
const url = `/api/media/${'a'.repeat(64)}.mp4`;

describe('course files', () => {
  let cache: MemoryCache;
  let media: Media;
  let asked: string[];
  let spoil: number | null;
  let cutAfter: number;
  beforeEach(async () => {
    cache = new MemoryCache();
    asked = [];
    spoil = null;
    cutAfter = 100;
    media = { hash: await sha(bytes), url, type: 'video/mp4', bytes: size };
    const hashes = await Promise.all(pieces.map(sha));
    vi.stubGlobal('caches', { open: async () => cache });
    vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
      if (String(input).endsWith('/pieces'))
        return new Response(JSON.stringify({ data: { bytes: size, piece_bytes: protocol.mediaPieceBytes, hashes } }), {
          headers: { 'X-Lantern': '1', 'Content-Type': 'application/json' },
        });
      const range = new Headers(init.headers).get('Range') as string;
      asked.push(range);
      if (asked.length > cutAfter) throw new TypeError('terminated');
      const [start = 0, end = 0] = range.replace('bytes=', '').split('-').map(Number);
      const part = bytes.slice(start, end + 1);
      if (spoil !== null && start === spoil * protocol.mediaPieceBytes) part[5] = 255;
      return new Response(part, { status: 206 });
    });
    await deviceDb().media.clear();
  });
  const fetchAll = () => fetchPieces(media, () => undefined, new AbortController().signal);
  const whole = async () => new Uint8Array(await ((await sliceOf(url, (await readNote(url)) as never, 0, size - 1)) as Blob).arrayBuffer());

  it('resume without fetching existing pieces again', async () => {
    cutAfter = 2;
    await expect(fetchAll()).rejects.toThrow();
    expect(await readNote(url)).toBeNull();
    asked = [];
    cutAfter = 100;
    let counted = 0;
    await fetchPieces(media, (n) => (counted += n), new AbortController().signal);
    expect(asked).toHaveLength(2);
    expect(counted).toBe(size);
    expect(await whole()).toEqual(bytes);
  });

  it('are downloaded while the browser is still asking for persistent storage', async () => {
    vi.stubGlobal('navigator', { storage: { persisted: async () => false, persist: () => new Promise(() => undefined) } });
    const db = personDb(crypto.randomUUID());
    const document = {
      id: crypto.randomUUID(),
      version: 1,
      image: null,
      lessons: [],
      quizzes: [{ questions: [{ kind: 'single', options: [{ picture: { media, alt: 'Bins' } }] }] }],
    } as unknown as ContentDocument;
    await setMediaBudget(50_000_000);
    await keepOffline(db, db.personId, document, new AbortController().signal);
    expect((await db.packs.get(document.id))?.state).toBe('ready');
  });

  it('pause when the connection becomes metered, and resume afterwards', async () => {
    const line = Object.assign(new EventTarget(), { type: 'wifi' });
    vi.stubGlobal('navigator', { connection: line });
    const db = personDb(crypto.randomUUID());
    const document = { id: crypto.randomUUID(), version: 1, image: media, lessons: [], quizzes: [] } as unknown as ContentDocument;
    const keep = () => keepOffline(db, db.personId, document, new AbortController().signal);
    await setMediaBudget(50_000_000);
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: string, init: RequestInit) => {
      if (asked.length === 2) {
        line.type = 'cellular';
        line.dispatchEvent(new Event('change'));
      }
      init.signal?.throwIfAborted();
      return real(input, init);
    });
    await expect(keep()).rejects.toThrow(MeteredLine);
    expect((await db.packs.get(document.id))?.state).toBe('failed');
    expect(asked).toHaveLength(2);
    // Started on a metered connection with consent, it continues.
    await keep();
    expect((await db.packs.get(document.id))?.state).toBe('ready');
    expect(asked).toHaveLength(4);
    vi.unstubAllGlobals();
  });

  it('are refused if a piece arrives damaged', async () => {
    spoil = 2;
    await expect(fetchAll()).rejects.toThrow(Damaged);
    spoil = null;
    await fetchAll();
    expect(await whole()).toEqual(bytes);
  });

  it('are repaired piece by piece', async () => {
    await fetchAll();
    const piece = cache.kept.get(`${url}?piece=1`) as { body: ArrayBuffer };
    new Uint8Array(piece.body)[100] = 0xee;
    cache.kept.delete(`${url}?piece=3`);
    expect(await checkPieces(media)).toBe(2);
    expect(await readNote(url)).toBeNull();
    asked = [];
    await fetchAll();
    expect(asked).toHaveLength(2);
    expect(await checkPieces(media)).toBe(0);
    expect(await whole()).toEqual(bytes);
  });

  it('answer byte ranges across pieces: in the middle, suffixes, beyond the end, and unsatisfiable ones', async () => {
    await fetchAll();
    const note = (await readNote(url)) as NonNullable<Awaited<ReturnType<typeof readNote>>>;
    const ask = (range: string | null) => rangeResponse(note, (start, end) => sliceOf(url, note, start, end), range);
    const body = async (r: Response | null) => new Uint8Array(await (r as Response).arrayBuffer());
    const edge = protocol.mediaPieceBytes;
    const middle = await ask(`bytes=${edge - 5}-${edge * 2 + 5}`);
    expect([middle?.status, middle?.headers.get('Content-Range')]).toEqual([206, `bytes ${edge - 5}-${edge * 2 + 5}/${size}`]);
    expect(await body(middle)).toEqual(bytes.slice(edge - 5, edge * 2 + 6));
    expect(await body(await ask('bytes=-10'))).toEqual(bytes.slice(-10));
    expect((await ask(`bytes=${size - 3}-${size + 100}`))?.headers.get('Content-Length')).toBe('3');
    const beyond = await ask(`bytes=${size}-`);
    expect([beyond?.status, beyond?.headers.get('Content-Range')]).toEqual([416, `bytes */${size}`]);
    expect((await ask(null))?.status).toBe(200);
    await cache.delete(`${url}?piece=0`);
    expect(await ask('bytes=0-10')).toBeNull();
    expect((await ask(`bytes=${edge}-${edge + 1}`))?.status).toBe(206);
  });

  it('leave no piece behind when deleted', async () => {
    await fetchAll();
    await deletePieces(url);
    expect(cache.kept.size).toBe(0);
    cutAfter = asked.length + 2;
    await expect(fetchAll()).rejects.toThrow();
    await deletePieces(url);
    expect(cache.kept.size).toBe(0);
  });

  it('stay within the budget: unneeded files are evicted first, then those of absent people, and never those in use', async () => {
    const { media: index, people } = deviceDb();
    await people.clear();
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    await people.bulkPut([
      { id: 'here', name: '', email: '', last_at: ago(1) },
      { id: 'away', name: '', email: '', last_at: ago(30) },
    ]);
    const row = (hash: string, pinned_by: string[], days: number) => ({ hash, url: `/api/media/${hash}`, bytes: 400, pinned_by, used_at: ago(days) });
    await index.bulkPut([row('needed', ['here'], 90), row('old', ['away'], 20), row('newer', ['away', 'gone'], 10), row('nobody', [], 1)]);
    await setMediaBudget(1600);
    await makeRoom(400);
    expect((await index.toArray()).map((m) => m.hash).sort()).toEqual(['needed', 'newer', 'nobody']);
    await makeRoom(1200);
    expect((await index.toArray()).map((m) => m.hash)).toEqual(['needed']);
    await expect(makeRoom(1300)).rejects.toThrow(OverBudget);
    expect(await index.count()).toBe(1);
  });
});
