import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { binaryProtocol, type MatrixRequest, type MatrixUser, packing } from '#contract/matrix/messages.ts';
import { doneBit, emptySheet, type MatrixSheet, packRows, rowBytes, rowMark } from '#contract/matrix/sheet.ts';
import { serverMark } from '#contract/protocol.ts';
import { type MatrixState, watchMatrix } from '#src/features/matrix/watch-matrix.ts';

const rows = 2300;
const columns = 3;
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const filled = (): MatrixSheet => {
  const sheet = emptySheet(rows, columns);
  for (let at = 0; at < rows * columns; at++) {
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

/** What the server has, and how it is to fail. */
const server = { sheet: filled(), cutAfter: Number.POSITIVE_INFINITY, cuts: 0, asked: [] as MatrixRequest[], sentRows: 0, open: 0 };

/** The socket's other side, in the same process: it answers as `server/features/matrix/socket.ts` does. */
class Socket {
  static readonly OPEN = 1;
  readyState = 0;
  binaryType = '';
  onopen: () => void = () => undefined;
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onclose: (event: { code: number }) => void = () => undefined;
  private told = 0;
  constructor(_url: string, protocols: string[]) {
    expect(protocols).toEqual([binaryProtocol]);
    server.open++;
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
      const nobody = { entities: [], roles: [], tags: [], users: [], courses: [] };
      say({ type: 'subscribe_ack', matrixID: asked.matrixID });
      say({ type: 'metadata', user_count: rows, course_count: columns, chosen: nobody });
      say({ type: 'fetch_ready', data: ['users', 'courses', 'roles'] });
      return;
    }
    const { data, from = 0, to = rows, known } = asked;
    const answer = (all: unknown[], more = {}) => say({ type: 'data', data, from, rows: all, complete: true, ...more });
    if (data === 'courses') return answer(Array.from({ length: columns }, (_, i) => ({ id: id(i), title: `Course ${i}`, short_title: `C${i}` })));
    if (data === 'roles') return answer([]);
    if (data === 'users') return answer(Array.from({ length: to - from }, (_, i) => user(from + i)));
    for (let at = from; at < to; at += 250) {
      const some = Array.from({ length: Math.min(250, to - at) }, (_, i) => at + i).filter(
        (row) => known?.[row - from] !== rowMark(server.sheet, row),
      );
      if (some.length === 0) continue;
      server.sentRows += some.length;
      this.tell(Uint8Array.from([packing.plain, 0, 0, 0, ...packRows(server.sheet, some)]));
    }
    const digest = await crypto.subtle.digest('SHA-256', rowBytes(server.sheet, from, to));
    answer([], { digest: [...new Uint8Array(digest)].map((b) => b.toString(16).padStart(2, '0')).join('') });
    return undefined;
  }
}

const watched = async (until: (state: MatrixState) => boolean, atMost = 2000): Promise<{ states: MatrixState[]; stop: () => void }> => {
  const states: MatrixState[] = [];
  const stop = watchMatrix({}, (state) => states.push(state));
  for (let i = 0; i < atMost && !states.some(until); i++) {
    await vi.advanceTimersByTimeAsync(100);
  }
  return { states, stop };
};
const isWhole = (state: MatrixState) => state.kind === 'here' && state.view.complete;
const viewOf = (states: MatrixState[]) => {
  const last = states.at(-1);
  if (last?.kind !== 'here') throw new Error(JSON.stringify(last));
  return last.view;
};

describe('a matrix that is looked at', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    Object.assign(server, { sheet: filled(), cutAfter: Number.POSITIVE_INFINITY, cuts: 0, asked: [], sentRows: 0, open: 0 });
    vi.stubGlobal('WebSocket', Socket);
    // The same on both sides, and without a thread of its own: what happens when does not hang on the machine.
    vi.spyOn(crypto.subtle, 'digest').mockImplementation(async (_name, bytes) => sumOf(bytes as Uint8Array).buffer);
    vi.stubGlobal('fetch', async () =>
      Response.json(
        { data: { matrix: { websocketUrl: 'ws://localhost/api/matrix-socket', matrixID: id(9) } } },
        { headers: { [serverMark.header]: serverMark.value } },
      ),
    );
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
});
