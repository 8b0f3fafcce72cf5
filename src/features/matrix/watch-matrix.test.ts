import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { StoredMatrix } from '#contract/matrix/stored-matrix.ts';
import { binaryProtocol, type MatrixCourse, type MatrixRequest, type MatrixUser, packing } from '#contract/matrix/messages.ts';
import { knowing, type PlacesKnown, placesIn, withoutKnown } from '#contract/matrix/marks.ts';
import { doneBit, emptySheet, type MatrixSheet, packRows, rowBytes, rowMark, unpackRows } from '#contract/matrix/sheet.ts';
import { toHex } from '#contract/rules/bytes.ts';
import { serverMark } from '#contract/protocol.ts';
import type { MatrixKeeper } from '#src/device/kept-matrix.ts';
import { type MatrixState, watchMatrix } from '#src/features/matrix/watch-matrix.ts';

const rows = 2300;
const columns = 3;
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const filledSheet = (count = rows, width = columns): MatrixSheet => {
  const sheet = emptySheet(count, width);
  for (let at = 0; at < count * width; at++) {
    sheet.states[at] = (at * 7) & (0x7f | doneBit);
    if (((sheet.states[at] as number) & doneBit) !== 0) {
      sheet.completed[at] = 1 + (at % 9000);
      sheet.expires[at] = at % 4 === 0 ? 0 : 2 + (at % 9000);
    }
  }
  return sheet;
};
const user = (row: number): MatrixUser => ({
  ...{ id: id(row), name: `Person ${row}`, primary_entity_id: id(1), primary_entity_name: 'House', role_id: null, starter: false, tags: [] },
});

const fakeDigest = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const sum = new Uint8Array(32);
  bytes.forEach((byte, i) => {
    sum[i % 32] = Math.imul(sum[i % 32] as number, 31) + byte;
  });
  return sum;
};

const course = (n: number): MatrixCourse => ({ id: id(n), title: `Course ${n}`, short_title: `C${n}` });
/**
 * The server's data, how it fails, the requests that it got and what it sent. `cuts`: how many connections it closes after `cutAfter`
 * messages. `collisions`: how many times it takes changed data for known.
 */
const fresh = () => ({
  ...{ sheet: filledSheet(), users: Array.from({ length: rows }, (_, row) => user(row)), courses: [0, 1, 2].map(course) },
  ...{
    cutAfter: Number.POSITIVE_INFINITY,
    cuts: 0,
    collisions: 0,
    checks: true,
    last: null as { close: () => void } | null,
    error: null as string | null,
  },
  ...{ requests: [] as MatrixRequest[], sentRows: 0, sentUsers: 0, open: 0 },
});
const server = fresh();

/** A WebSocket with the server in the same process. It answers as `server/features/matrix/socket.ts` does. */
class Socket {
  static readonly OPEN = 1;
  readyState = 0;
  binaryType = '';
  onopen: () => void = () => undefined;
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  private sent = 0;
  private places: PlacesKnown = new Map();
  constructor(_url: string, protocols: string[]) {
    expect(protocols).toEqual([binaryProtocol]);
    server.open++;
    server.last = this;
    queueMicrotask(() => {
      this.readyState = 1;
      this.onopen();
    });
  }
  private deliver(data: string | Uint8Array<ArrayBuffer>) {
    if (this.readyState !== 1) return;
    if (++this.sent > server.cutAfter && server.cuts > 0) {
      server.cuts--;
      this.end(1006);
      return;
    }
    this.onmessage({ data: typeof data === 'string' ? data : data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) });
  }
  private end(code: number) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onclose({ code });
  }
  close() {
    this.end(1000);
  }
  async send(text: string): Promise<void> {
    const request = JSON.parse(text) as MatrixRequest;
    server.requests.push(request);
    const reply = (message: object) => this.deliver(JSON.stringify(message));
    if (request.type === 'subscribe') {
      this.places = placesIn(request.known_people ?? '');
      const nobody = { entities: [], roles: [], tags: [], users: [], courses: [] };
      reply({ type: 'subscribe_ack', matrixID: request.matrixID });
      reply({ type: 'metadata', user_count: server.users.length, course_count: server.courses.length, chosen: nobody });
      reply({ type: 'fetch_ready', data: ['users', 'courses', 'roles'] });
      return;
    }
    if (server.error) {
      reply({ type: 'error', code: server.error, message: 'You may not.' });
      return this.end(4403);
    }
    const { data, from = 0, to = server.users.length, known } = request;
    const answer = (all: unknown[], more = {}) => reply({ type: 'data', data, from, rows: all, complete: true, ...more });
    if (data === 'courses') return answer(server.courses);
    if (data === 'roles') return answer([]);
    const hexOf = async (bytes: Uint8Array<ArrayBuffer>) => toHex(await crypto.subtle.digest('SHA-256', bytes));
    if (data === 'users') {
      const users = server.users.slice(from, to);
      if (!request.short) return answer(users);
      const { rows: others, same, text } = withoutKnown(users, from, this.places);
      if (server.collisions > 0 && others.length > 0) {
        server.collisions--;
        return answer([], { same: [[from, 0, users.length]], digest: await hexOf(new TextEncoder().encode(text)) });
      }
      server.sentUsers += others.length;
      return answer(others, { same, digest: await hexOf(new TextEncoder().encode(text)) });
    }
    const collides = known !== undefined && server.collisions > 0;
    if (collides) server.collisions--;
    const isKnown = collides ? () => true : knowing(known);
    for (let at = from; at < to; at += 250) {
      const changedRows = Array.from({ length: Math.min(250, to - at) }, (_, i) => at + i).filter(
        (row) => known === undefined || !isKnown(row - from, rowMark(server.sheet, row)),
      );
      if (changedRows.length === 0) continue;
      server.sentRows += changedRows.length;
      this.deliver(Uint8Array.from([packing.plain, 0, 0, 0, ...packRows(server.sheet, changedRows)]));
    }
    answer([], { digest: await hexOf(rowBytes(server.sheet, from, to)) });
    return undefined;
  }
}

const advanceUntil = async (isDone: () => boolean, atMost = 2000) => {
  for (let i = 0; i < atMost && !isDone(); i++) await vi.advanceTimersByTimeAsync(100);
};
const watchUntil = async (ends: (state: MatrixState) => boolean, atMost = 2000, keeper?: MatrixKeeper) => {
  const states: MatrixState[] = [];
  const { stop, reload: look } = watchMatrix(
    {},
    (state) => {
      states.push(state);
      expectServersData(state);
    },
    keeper,
  );
  await advanceUntil(() => states.some(ends), atMost);
  return { states, stop, look };
};
/** Every shown person and cell equals the server's. */
const expectServersData = (state: MatrixState) => {
  if (state.kind !== 'loaded' || !server.checks) return;
  const { users, loaded, sheet } = state.view;
  users.forEach((user, row) => {
    if (user && user !== server.users[row]) expect(user).toEqual(server.users[row]);
    if (loaded[row] === 1) expect(rowMark(sheet, row)).toBe(rowMark(server.sheet, row));
  });
};
const startAnswer = async () =>
  Response.json(
    { data: { matrix: { websocketUrl: 'ws://localhost/api/matrix-socket', matrixID: id(9) } } },
    { headers: { [serverMark.header]: serverMark.value } },
  );
const isComplete = (state: MatrixState) => state.kind === 'loaded' && state.view.complete;
const viewOf = (states: MatrixState[]) => {
  const last = states.at(-1);
  if (last?.kind !== 'loaded') throw new Error(JSON.stringify(last));
  return last.view;
};

describe('a watched matrix', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    Object.assign(server, fresh());
    vi.stubGlobal('WebSocket', Socket);
    // Synchronous, unlike the real digest, so that the order of events does not depend on the machine.
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_name, bytes) => fakeDigest(bytes as Uint8Array).buffer);
    vi.stubGlobal('fetch', startAnswer);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('loads completely, the first screenful first, in few revisions', async () => {
    const { states, stop } = await watchUntil(isComplete);
    const view = viewOf(states);
    expect(view.sheet).toEqual(server.sheet);
    expect(view.users.map((u) => u?.id)).toEqual(Array.from({ length: rows }, (_, row) => id(row)));
    expect(view.loaded.every((l) => l === 1)).toBe(true);
    const fetched = server.requests.flatMap((m) => (m.type === 'fetch_data' && m.data === 'matrix_cells' ? [[m.from, m.to]] : []));
    expect(fetched).toEqual([
      [0, 60],
      [60, 1060],
      [1060, 2060],
      [2060, 2300],
    ]);
    const revisions = states.flatMap((s) => (s.kind === 'loaded' ? [s.view.revision] : []));
    expect(new Set(revisions).size).toBe(revisions.length);
    expect(revisions.length).toBeLessThan(15);
    stop();
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 17, 19])('is complete if the connection is lost after message %i, five times', async (cutAfter) => {
    Object.assign(server, { cutAfter, cuts: 5 });
    const { states, stop } = await watchUntil(isComplete);
    const view = viewOf(states);
    expect(view.sheet).toEqual(server.sheet);
    expect(view.complete).toBe(true);
    // Loaded rows are not sent again.
    if (cutAfter > 9) expect(server.sentRows).toBeLessThan(rows * 2);
    stop();
  });

  it('reports an incomplete matrix as lost after the last retry, and one that never came as offline', async () => {
    Object.assign(server, { cutAfter: 8, cuts: Number.POSITIVE_INFINITY });
    const { states, stop } = await watchUntil(() => false, 700);
    expect(states.at(-1)).toMatchObject({ kind: 'loaded', connection: 'lost' });
    expect(viewOf(states).complete).toBe(false);
    stop();
    Object.assign(server, { cutAfter: 1, open: 0 });
    const unreachable = await watchUntil((s) => s.kind === 'offline', 700);
    expect(unreachable.states.at(-1)).toEqual({ kind: 'offline' });
    expect(server.open).toBe(6);
    unreachable.stop();
  });

  it('reports nothing once it is stopped', async () => {
    const { states, stop } = await watchUntil((s) => s.kind === 'loaded');
    const count = states.length;
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toHaveLength(count);
  });

  /** A keeper that stores the matrix in memory. */
  const memoryKeeper = (has: StoredMatrix | null = null) => {
    const storage = { has, kept: 0, forgotten: 0 };
    const keeper: MatrixKeeper = {
      read: async () => storage.has,
      keep: ({ users, courses, sheet }) => {
        storage.kept++;
        storage.has = structuredClone({ users, courses, sheet });
      },
      forget: () => {
        storage.forgotten++;
        storage.has = null;
      },
    };
    return { here: storage, keeper };
  };
  const afterFirstLoad = async () => {
    const { here, keeper } = memoryKeeper();
    (await watchUntil(isComplete, 2000, keeper)).stop();
    expect(here.kept).toBe(1);
    Object.assign(server, { sentRows: 0, sentUsers: 0, requests: [] });
    return { here, keeper };
  };
  const change = (row: number) => {
    const at = row * server.sheet.columns;
    server.sheet.states[at] = (server.sheet.states[at] as number) ^ 1;
  };

  it('gets only new and changed rows if the device has stored it, whatever the order of people is by now', async () => {
    const { here, keeper } = await afterFirstLoad();
    // One person left, one joined, one has another name, and the cells of two have changed.
    const users = [...server.users.slice(0, 5), user(9_000), ...server.users.slice(5, 2000), ...server.users.slice(2001)];
    users[70] = { ...(users[70] as MatrixUser), name: 'Person with another name' };
    const sheet = emptySheet(users.length, columns);
    users.forEach(({ id: userId }, row) => {
      const old = server.users.findIndex((u) => u.id === userId);
      if (old >= 0) unpackRows(packRows(server.sheet, [old], row - old), sheet);
    });
    Object.assign(server, { users, sheet });
    change(3);
    change(1500);
    const { states, stop } = await watchUntil(isComplete, 2000, keeper);
    expect([server.sentUsers, server.sentRows]).toEqual([2, 2]);
    expect(viewOf(states).users).toEqual(server.users);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    expect(here.kept).toBe(2);
    stop();
    // Nothing has changed since: nothing is sent, and nothing is stored.
    Object.assign(server, { sentRows: 0, sentUsers: 0 });
    const third = await watchUntil(isComplete, 2000, keeper);
    expect([server.sentUsers, server.sentRows, here.kept]).toEqual([0, 0, 2]);
    expect(viewOf(third.states).sheet).toEqual(server.sheet);
    third.stop();
  });

  it('is complete if courses were added and removed since it was stored', async () => {
    const { keeper } = await afterFirstLoad();
    const sheet = filledSheet();
    for (let row = 0; row < rows; row++)
      for (const part of ['states', 'completed', 'expires'] as const) {
        sheet[part][row * columns] = server.sheet[part][row * columns + 1] as number;
        sheet[part][row * columns + 1] = server.sheet[part][row * columns] as number;
      }
    Object.assign(server, { sheet, courses: [1, 0, 7].map(course) });
    const { states, stop } = await watchUntil(isComplete, 2000, keeper);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    expect(viewOf(states).courses).toEqual(server.courses);
    stop();
  });

  it.each([1, 2, 3])('is requested without marks after %i collisions of marks', async (collisions) => {
    const { keeper } = await afterFirstLoad();
    server.users = server.users.map((u, row) => (row === 20 ? { ...u, name: 'Another name' } : u));
    change(30);
    change(200);
    server.collisions = collisions;
    const { states, stop } = await watchUntil(isComplete, 2000, keeper);
    expect(server.collisions).toBe(0);
    expect(viewOf(states).users).toEqual(server.users);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    stop();
  });

  it('shows nothing of a stored matrix while offline, and deletes it if the server refuses', async () => {
    const { here, keeper } = await afterFirstLoad();
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('no connection');
    });
    const { states } = await watchUntil((s) => s.kind === 'offline', 100, keeper);
    expect(states.map((s) => s.kind)).toEqual(['loading', 'offline']);
    expect(here.forgotten).toBe(0);
    vi.stubGlobal('fetch', startAnswer);
    server.error = 'forbidden';
    const refused = await watchUntil((s) => s.kind === 'error', 100, keeper);
    expect(refused.states.map((s) => s.kind)).toEqual(['loading', 'error']);
    expect(here).toMatchObject({ forgotten: 1, has: null });
  });

  it('requests the rows to reload and no others, while the rest stays on the screen', async () => {
    const { states, stop, look } = await watchUntil(isComplete);
    server.checks = false;
    const before = states.length;
    Object.assign(server, { sentRows: 0, requests: [] });
    change(7);
    change(8);
    look([id(7)]);
    await advanceUntil(() => states.length > before);
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.sentRows).toBe(1);
    const view = viewOf(states);
    expect(view.complete).toBe(true);
    expect(rowMark(view.sheet, 7)).toBe(rowMark(server.sheet, 7));
    expect(rowMark(view.sheet, 8)).not.toBe(rowMark(server.sheet, 8));
    expect(server.open).toBe(1);
    stop();
  });

  it('loads the whole matrix in the background if somebody joined before rows are reloaded', async () => {
    const { states, stop, look } = await watchUntil(isComplete);
    server.checks = false;
    const before = states.length;
    Object.assign(server, { users: [user(9_000), ...server.users], sheet: filledSheet(rows + 1), sentRows: 0 });
    look([id(7)]);
    await advanceUntil(() => viewOf(states).users.length === rows + 1);
    expect(states.slice(before).every(isComplete)).toBe(true);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    expect(viewOf(states).users).toEqual(server.users);
    stop();
  });

  it('reloads rows after what is still loading, and over a new connection if the old one has closed', async () => {
    const { states, stop, look } = await watchUntil((s) => s.kind === 'loaded');
    server.checks = false;
    change(2);
    look([id(2), id(2), id(99_999)]);
    await advanceUntil(() => states.some(isComplete));
    await vi.advanceTimersByTimeAsync(1000);
    expect(rowMark(viewOf(states).sheet, 2)).toBe(rowMark(server.sheet, 2));
    server.last?.close();
    await vi.advanceTimersByTimeAsync(1000);
    change(1700);
    look([id(1700)]);
    await advanceUntil(() => rowMark(viewOf(states).sheet, 1700) === rowMark(server.sheet, 1700));
    expect(server.open).toBe(2);
    stop();
  });
});
