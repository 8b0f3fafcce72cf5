import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { ContentDocument, Media } from '#contract/entities/content.ts';
import { protocol } from '#contract/protocol.ts';
import { toHex } from '#contract/rules/bytes.ts';
import { scormToResume } from '#src/offline/kinds/attempt/package-commands.ts';
import { makeRoom, OverBudget, setMediaBudget } from '#src/offline/media/budget.ts';
import { checkPieces, Damaged, deletePieces, fetchPieces, readNote, sliceOf } from '#src/offline/media/chunks.ts';
import { MeteredLine } from '#src/offline/media/metered-line.ts';
import { fetchTries, interruptedPacks, keepOffline, packLacks, runningTry, Stopped } from '#src/offline/media/packs.ts';
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
  let tries: Attempt[];
  let answersTries: boolean;
  beforeEach(async () => {
    cache = new MemoryCache();
    asked = [];
    spoil = null;
    cutAfter = 100;
    tries = [];
    answersTries = true;
    media = { hash: await sha(bytes), url, type: 'video/mp4', bytes: size };
    const hashes = await Promise.all(pieces.map(sha));
    vi.stubGlobal('caches', { open: async () => cache });
    vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
      if (String(input).endsWith('/pieces'))
        return new Response(JSON.stringify({ data: { bytes: size, piece_bytes: protocol.mediaPieceBytes, hashes } }), {
          headers: { 'X-Lantern': '1', 'Content-Type': 'application/json' },
        });
      if (String(input).includes('/attempts?')) {
        if (!answersTries) throw new TypeError('terminated');
        return new Response(JSON.stringify({ data: tries }), { headers: { 'X-Lantern': '1', 'Content-Type': 'application/json' } });
      }
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

  const courseOf = (version: number, picture: Media | null, id: string = crypto.randomUUID()) =>
    ({ id, version, image: picture, lessons: [], quizzes: [] }) as unknown as ContentDocument;
  const tryOf = (userId: string, document: ContentDocument, more: Partial<Attempt> = {}): Attempt => ({
    ...{ id: crypto.randomUUID(), user_id: userId, content_id: document.id, content_version: document.version, content_title: 'Course' },
    ...{ course_id: crypto.randomUUID(), course_title: 'Course', try_no: 1, state: 'open', closed: false, percent: 40, score: null, passed: null },
    ...{ started_at: '2026-11-01T08:00:00Z', completed_at: null, last_topic_id: crypto.randomUUID(), rev: 3, progress: [], submissions: [] },
    ...{ answers: [], scorm: [], h5p: [], result: null },
    ...more,
  });
  const signal = () => new AbortController().signal;

  it('come with the try that the person began on another device: its place, answers and packages', async () => {
    const db = personDb(crypto.randomUUID());
    await setMediaBudget(50_000_000);
    const document = courseOf(1, media);
    const [quiz, question, session] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()];
    const elsewhere = tryOf(db.personId, document, {
      answers: [{ quiz_id: quiz, try_no: 1, question_id: question, answer: { kind: 'free_text', text: 'Raise the alarm' } }],
      scorm: [
        {
          item_id: 'one',
          resume: session,
          sessions: [
            {
              ...{ session_id: session, at: '2026-11-01T08:00:00Z', ticks: 1, seconds: 9, completion: 'incomplete', success: 'unknown' },
              ...{ score: null, percent: 40, cmi: { 'cmi.suspend_data': 'page=4' } },
            } as const,
          ],
        },
      ],
      h5p: [{ item_id: 'two', state: 'slide 3', statements: 1, completed: false, score: null }],
    });
    tries = [elsewhere];
    // Without the server's answer about the tries the course is not complete, whatever files are here.
    answersTries = false;
    await expect(keepOffline(db, db.personId, document, signal())).rejects.toThrow();
    expect(await packLacks(db, document.id)).toBe('files');
    answersTries = true;
    await keepOffline(db, db.personId, document, signal());
    expect(await packLacks(db, document.id, { attempt_id: elsewhere.id, attempt_rev: 3 })).toBeNull();
    expect(await db.attempts.get(elsewhere.id)).toMatchObject({ percent: 40, last_topic_id: elsewhere.last_topic_id, known: true });
    expect((await db.quizAnswers.get([elsewhere.id, quiz, 1, question]))?.answer).toEqual({ kind: 'free_text', text: 'Raise the alarm' });
    expect((await scormToResume(db, elsewhere.id, 'one'))?.cmi).toEqual({ 'cmi.suspend_data': 'page=4' });
    expect((await db.h5pStates.get([elsewhere.id, 'two']))?.state).toBe('slide 3');

    // The person goes on elsewhere: the list of courses names a newer state than this device has, until it has been fetched.
    const further = { ...elsewhere, rev: 4, percent: 60, last_topic_id: crypto.randomUUID() };
    expect(await packLacks(db, document.id, { attempt_id: elsewhere.id, attempt_rev: 4 })).toBe('work');
    tries = [further];
    expect(await fetchTries(db, document.id)).toBe(true);
    expect(await packLacks(db, document.id, { attempt_id: elsewhere.id, attempt_rev: 4 })).toBeNull();
    expect(await db.attempts.get(elsewhere.id)).toMatchObject({ percent: 60, last_topic_id: further.last_topic_id });
    // And one that was removed is not continued.
    tries = [];
    await fetchTries(db, document.id);
    expect(await runningTry(db, document.id)).toBeUndefined();
  });

  it('belong to the version of the running try, and those of an earlier version are released once nothing needs them', async () => {
    const db = personDb(crypto.randomUUID());
    await setMediaBudget(50_000_000);
    const before = courseOf(1, media);
    const small = new Uint8Array([1, 2, 3]);
    const picture: Media = { hash: await sha(small), url: '/api/media/new.png', type: 'image/png', bytes: 3 };
    const after = courseOf(2, picture, before.id);
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', async (input: string, init?: RequestInit) =>
      String(input).endsWith('new.png') ? new Response(small) : real(input, init),
    );
    const running = tryOf(db.personId, before);
    tries = [running];
    await keepOffline(db, db.personId, before, signal());
    // The newer version is read meanwhile: the running try opens in its own all the same.
    await db.contents.put({ id: after.id, version: 2, document: after, kept_at: '' });
    expect(await packLacks(db, before.id)).toBeNull();
    tries = [{ ...running, closed: true, rev: 4 }, tryOf(db.personId, after, { try_no: 2 })];
    await fetchTries(db, before.id);
    expect(await packLacks(db, before.id)).toBe('files');
    await keepOffline(db, db.personId, after, signal());
    expect(await packLacks(db, before.id)).toBeNull();
    expect((await deviceDb().media.toArray()).map((m) => m.hash)).toEqual([picture.hash]);
    expect(await readNote(url)).toBeNull();
  });

  it('go on by themselves after an interruption, and not after the person stopped them or the space ran out', async () => {
    const db = personDb(crypto.randomUUID());
    await setMediaBudget(50_000_000);
    const document = courseOf(1, media);
    cutAfter = 1;
    await expect(keepOffline(db, db.personId, document, signal())).rejects.toThrow();
    expect((await interruptedPacks(db)).map((p) => p.content_id)).toEqual([document.id]);
    const stopped = new AbortController();
    stopped.abort(new Stopped());
    await expect(keepOffline(db, db.personId, document, stopped.signal)).rejects.toThrow();
    expect(await interruptedPacks(db)).toEqual([]);
    await setMediaBudget(10);
    cutAfter = 100;
    await expect(keepOffline(db, db.personId, document, signal())).rejects.toThrow(OverBudget);
    expect(await interruptedPacks(db)).toEqual([]);
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
      { id: 'here', last_at: ago(1) },
      { id: 'away', last_at: ago(30) },
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
