import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HadMatrix } from '#contract/matrix/had.ts';
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
const filled = (count = rows, width = columns): MatrixSheet => {
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

const sumOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const sum = new Uint8Array(32);
  bytes.forEach((byte, i) => {
    sum[i % 32] = Math.imul(sum[i % 32] as number, 31) + byte;
  });
  return sum;
};

const course = (n: number): MatrixCourse => ({ id: id(n), title: `Course ${n}`, short_title: `C${n}` });
/** What the server has, how it is to fail, and what it was asked and has sent. `lies`: it takes what is otherwise for known, so many times. */
const fresh = () => ({
  ...{ sheet: filled(), users: Array.from({ length: rows }, (_, row) => user(row)), courses: [0, 1, 2].map(course) },
  ...{ cutAfter: Number.POSITIVE_INFINITY, cuts: 0, lies: 0, checks: true, last: null as { close: () => void } | null, error: null as string | null },
  ...{ asked: [] as MatrixRequest[], sentRows: 0, sentUsers: 0, open: 0 },
});
const server = fresh();

/** The socket's other side, in the same process: it answers as `server/features/matrix/socket.ts` does. */
class Socket {
  static readonly OPEN = 1;
  readyState = 0;
  binaryType = '';
  onopen: () => void = () => undefined;
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  private told = 0;
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
  private tell(data: string | Uint8Array<ArrayBuffer>) {
    if (this.readyState !== 1) return;
    if (++this.told > server.cutAfter && server.cuts > 0) {
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
    const asked = JSON.parse(text) as MatrixRequest;
    server.asked.push(asked);
    const say = (message: object) => this.tell(JSON.stringify(message));
    if (asked.type === 'subscribe') {
      this.places = placesIn(asked.known_people ?? '');
      const nobody = { entities: [], roles: [], tags: [], users: [], courses: [] };
      say({ type: 'subscribe_ack', matrixID: asked.matrixID });
      say({ type: 'metadata', user_count: server.users.length, course_count: server.courses.length, chosen: nobody });
      say({ type: 'fetch_ready', data: ['users', 'courses', 'roles'] });
      return;
    }
    if (server.error) {
      say({ type: 'error', code: server.error, message: 'You may not.' });
      return this.end(4403);
    }
    const { data, from = 0, to = server.users.length, known } = asked;
    const answer = (all: unknown[], more = {}) => say({ type: 'data', data, from, rows: all, complete: true, ...more });
    if (data === 'courses') return answer(server.courses);
    if (data === 'roles') return answer([]);
    const hexOf = async (bytes: Uint8Array<ArrayBuffer>) => toHex(await crypto.subtle.digest('SHA-256', bytes));
    if (data === 'users') {
      const users = server.users.slice(from, to);
      if (!asked.short) return answer(users);
      const { rows: others, same, text } = withoutKnown(users, from, this.places);
      if (server.lies > 0 && others.length > 0) {
        server.lies--;
        return answer([], { same: [[from, 0, users.length]], digest: await hexOf(new TextEncoder().encode(text)) });
      }
      server.sentUsers += others.length;
      return answer(others, { same, digest: await hexOf(new TextEncoder().encode(text)) });
    }
    const lies = known !== undefined && server.lies > 0;
    if (lies) server.lies--;
    const isKnown = lies ? () => true : knowing(known);
    for (let at = from; at < to; at += 250) {
      const some = Array.from({ length: Math.min(250, to - at) }, (_, i) => at + i).filter(
        (row) => known === undefined || !isKnown(row - from, rowMark(server.sheet, row)),
      );
      if (some.length === 0) continue;
      server.sentRows += some.length;
      this.tell(Uint8Array.from([packing.plain, 0, 0, 0, ...packRows(server.sheet, some)]));
    }
    answer([], { digest: await hexOf(rowBytes(server.sheet, from, to)) });
    return undefined;
  }
}

const until = async (found: () => boolean, atMost = 2000) => {
  for (let i = 0; i < atMost && !found(); i++) await vi.advanceTimersByTimeAsync(100);
};
const watched = async (ends: (state: MatrixState) => boolean, atMost = 2000, keeper?: MatrixKeeper) => {
  const states: MatrixState[] = [];
  const { stop, look } = watchMatrix(
    {},
    (state) => {
      states.push(state);
      expectTold(state);
    },
    keeper,
  );
  await until(() => states.some(ends), atMost);
  return { states, stop, look };
};
/** Every person and every cell that is shown equals the server's. */
const expectTold = (state: MatrixState) => {
  if (state.kind !== 'here' || !server.checks) return;
  const { users, loaded, sheet } = state.view;
  users.forEach((user, row) => {
    if (user && user !== server.users[row]) expect(user).toEqual(server.users[row]);
    if (loaded[row] === 1) expect(rowMark(sheet, row)).toBe(rowMark(server.sheet, row));
  });
};
const started = async () =>
  Response.json(
    { data: { matrix: { websocketUrl: 'ws://localhost/api/matrix-socket', matrixID: id(9) } } },
    { headers: { [serverMark.header]: serverMark.value } },
  );
const isWhole = (state: MatrixState) => state.kind === 'here' && state.view.complete;
const viewOf = (states: MatrixState[]) => {
  const last = states.at(-1);
  if (last?.kind !== 'here') throw new Error(JSON.stringify(last));
  return last.view;
};

describe('a matrix that is looked at', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    Object.assign(server, fresh());
    vi.stubGlobal('WebSocket', Socket);
    // The same on both sides, and without a thread of its own: what happens when does not hang on the machine.
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_name, bytes) => sumOf(bytes as Uint8Array).buffer);
    vi.stubGlobal('fetch', started);
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  it('comes whole, what is seen first before the rest, and is shown again a few times only', async () => {
    const { states, stop } = await watched(isWhole);
    const view = viewOf(states);
    expect(view.sheet).toEqual(server.sheet);
    expect(view.users.map((u) => u?.id)).toEqual(Array.from({ length: rows }, (_, row) => id(row)));
    expect(view.loaded.every((l) => l === 1)).toBe(true);
    const fetched = server.asked.flatMap((m) => (m.type === 'fetch_data' && m.data === 'matrix_cells' ? [[m.from, m.to]] : []));
    expect(fetched).toEqual([
      [0, 60],
      [60, 1060],
      [1060, 2060],
      [2060, 2300],
    ]);
    const revisions = states.flatMap((s) => (s.kind === 'here' ? [s.view.revision] : []));
    expect(new Set(revisions).size).toBe(revisions.length);
    expect(revisions.length).toBeLessThan(15);
    stop();
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 17, 19])(
    'is the same where the line breaks after message %i, five times over',
    async (cutAfter) => {
      Object.assign(server, { cutAfter, cuts: 5 });
      const { states, stop } = await watched(isWhole);
      const view = viewOf(states);
      expect(view.sheet).toEqual(server.sheet);
      expect(view.complete).toBe(true);
      // What had come is not sent once more.
      if (cutAfter > 9) expect(server.sentRows).toBeLessThan(rows * 2);
      stop();
    },
  );

  it('says that what is shown is not all where it breaks for good, and that nothing can be had where it never came', async () => {
    Object.assign(server, { cutAfter: 8, cuts: Number.POSITIVE_INFINITY });
    const { states, stop } = await watched(() => false, 700);
    expect(states.at(-1)).toMatchObject({ kind: 'here', broken: 'for good' });
    expect(viewOf(states).complete).toBe(false);
    stop();
    Object.assign(server, { cutAfter: 1, open: 0 });
    const never = await watched((s) => s.kind === 'offline', 700);
    expect(never.states.at(-1)).toEqual({ kind: 'offline' });
    expect(server.open).toBe(6);
    never.stop();
  });

  it('tells nothing any more when it is not looked at', async () => {
    const { states, stop } = await watched((s) => s.kind === 'here');
    const count = states.length;
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toHaveLength(count);
  });

  /** A device that keeps what it is given, in memory. */
  const device = (has: HadMatrix | null = null) => {
    const here = { has, kept: 0, forgotten: 0 };
    const keeper: MatrixKeeper = {
      read: async () => here.has,
      keep: ({ users, courses, sheet }) => {
        here.kept++;
        here.has = structuredClone({ users, courses, sheet });
      },
      forget: () => {
        here.forgotten++;
        here.has = null;
      },
    };
    return { here, keeper };
  };
  const loadedOnce = async () => {
    const { here, keeper } = device();
    (await watched(isWhole, 2000, keeper)).stop();
    expect(here.kept).toBe(1);
    Object.assign(server, { sentRows: 0, sentUsers: 0, asked: [] });
    return { here, keeper };
  };
  const change = (row: number) => {
    const at = row * server.sheet.columns;
    server.sheet.states[at] = (server.sheet.states[at] as number) ^ 1;
  };

  it('comes a day later without what this device had: who is new or otherwise travels, wherever they stand by now', async () => {
    const { here, keeper } = await loadedOnce();
    // One has gone, one has come, one has another name, and of two the cells have changed.
    const users = [...server.users.slice(0, 5), user(9_000), ...server.users.slice(5, 2000), ...server.users.slice(2001)];
    users[70] = { ...(users[70] as MatrixUser), name: 'Person with another name' };
    const sheet = emptySheet(users.length, columns);
    users.forEach(({ id: of }, row) => {
      const old = server.users.findIndex((u) => u.id === of);
      if (old >= 0) unpackRows(packRows(server.sheet, [old], row - old), sheet);
    });
    Object.assign(server, { users, sheet });
    change(3);
    change(1500);
    const { states, stop } = await watched(isWhole, 2000, keeper);
    expect([server.sentUsers, server.sentRows]).toEqual([2, 2]);
    expect(viewOf(states).users).toEqual(server.users);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    expect(here.kept).toBe(2);
    stop();
    // Nothing has changed since: nothing travels, and nothing is written.
    Object.assign(server, { sentRows: 0, sentUsers: 0 });
    const again = await watched(isWhole, 2000, keeper);
    expect([server.sentUsers, server.sentRows, here.kept]).toEqual([0, 0, 2]);
    expect(viewOf(again.states).sheet).toEqual(server.sheet);
    again.stop();
  });

  it('is the same where courses have come and gone since', async () => {
    const { keeper } = await loadedOnce();
    const sheet = filled();
    for (let row = 0; row < rows; row++)
      for (const part of ['states', 'completed', 'expires'] as const) {
        sheet[part][row * columns] = server.sheet[part][row * columns + 1] as number;
        sheet[part][row * columns + 1] = server.sheet[part][row * columns] as number;
      }
    Object.assign(server, { sheet, courses: [1, 0, 7].map(course) });
    const { states, stop } = await watched(isWhole, 2000, keeper);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    expect(viewOf(states).courses).toEqual(server.courses);
    stop();
  });

  it.each([1, 2, 3])('is fetched whole where marks are the same by accident, %i times', async (lies) => {
    const { keeper } = await loadedOnce();
    server.users = server.users.map((u, row) => (row === 20 ? { ...u, name: 'Another name' } : u));
    change(30);
    change(200);
    server.lies = lies;
    const { states, stop } = await watched(isWhole, 2000, keeper);
    expect(server.lies).toBe(0);
    expect(viewOf(states).users).toEqual(server.users);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    stop();
  });

  it('shows nothing of what the device had without the server, and forgets it where the server refuses', async () => {
    const { here, keeper } = await loadedOnce();
    vi.stubGlobal('fetch', async () => {
      throw new TypeError('no connection');
    });
    const { states } = await watched((s) => s.kind === 'offline', 100, keeper);
    expect(states.map((s) => s.kind)).toEqual(['loading', 'offline']);
    expect(here.forgotten).toBe(0);
    vi.stubGlobal('fetch', started);
    server.error = 'forbidden';
    const refused = await watched((s) => s.kind === 'error', 100, keeper);
    expect(refused.states.map((s) => s.kind)).toEqual(['loading', 'error']);
    expect(here).toMatchObject({ forgotten: 1, has: null });
  });

  it('fetches rows again that may have changed, and no others; all else stays on the screen', async () => {
    const { states, stop, look } = await watched(isWhole);
    server.checks = false;
    const before = states.length;
    Object.assign(server, { sentRows: 0, asked: [] });
    change(7);
    change(8);
    look([id(7)]);
    await until(() => states.length > before);
    await vi.advanceTimersByTimeAsync(1000);
    expect(server.sentRows).toBe(1);
    const view = viewOf(states);
    expect(view.complete).toBe(true);
    expect(rowMark(view.sheet, 7)).toBe(rowMark(server.sheet, 7));
    expect(rowMark(view.sheet, 8)).not.toBe(rowMark(server.sheet, 8));
    expect(server.open).toBe(1);
    stop();
  });

  it('loads another matrix behind the one that is shown where somebody has come meanwhile', async () => {
    const { states, stop, look } = await watched(isWhole);
    server.checks = false;
    const before = states.length;
    Object.assign(server, { users: [user(9_000), ...server.users], sheet: filled(rows + 1), sentRows: 0 });
    look([id(7)]);
    await until(() => viewOf(states).users.length === rows + 1);
    expect(states.slice(before).every(isWhole)).toBe(true);
    expect(viewOf(states).sheet).toEqual(server.sheet);
    expect(viewOf(states).users).toEqual(server.users);
    stop();
  });

  it('looks again over a new line where the old one has ended, and after what is still being loaded', async () => {
    const { states, stop, look } = await watched((s) => s.kind === 'here');
    server.checks = false;
    change(2);
    look([id(2), id(2), id(99_999)]);
    await until(() => states.some(isWhole));
    await vi.advanceTimersByTimeAsync(1000);
    expect(rowMark(viewOf(states).sheet, 2)).toBe(rowMark(server.sheet, 2));
    server.last?.close();
    await vi.advanceTimersByTimeAsync(1000);
    change(1700);
    look([id(1700)]);
    await until(() => rowMark(viewOf(states).sheet, 1700) === rowMark(server.sheet, 1700));
    expect(server.open).toBe(2);
    stop();
  });
});
