import type { MatrixFilter } from '#contract/matrix/filter.ts';
import {
  binaryProtocol,
  type Fetchable,
  type MatrixChosen,
  type MatrixCourse,
  type MatrixMessage,
  type MatrixRole,
  type MatrixUser,
  packing,
  subscribeRetries,
  takesLongMs,
} from '#contract/matrix/messages.ts';
import { emptySheet, type MatrixSheet, rowBytes, rowMark, unpackRows } from '#contract/matrix/sheet.ts';
import { noteRefused } from '#src/api/call.ts';
import { MatrixStartDocument } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import { correctedNow } from '#src/offline/clock.ts';

/** A matrix that is being loaded or is there. What is typed array is filled in place; `revision` grows with each part that comes. */
export type WatchedMatrix = {
  courses: readonly MatrixCourse[];
  roles: readonly MatrixRole[];
  chosen: MatrixChosen;
  /** By row; those that have not come yet are undefined. */
  users: readonly (MatrixUser | undefined)[];
  sheet: MatrixSheet;
  /** 1 for each row whose cells have come. */
  loaded: Uint8Array;
  revision: number;
  /** How many rows have come, people and cells. */
  rows: number;
  complete: boolean;
  asOf: number;
};
export type MatrixState =
  | { kind: 'loading'; takesLong: boolean }
  | { kind: 'offline' }
  | { kind: 'error'; message: string }
  /** `broken`: the line broke; what is there stays. The rest is asked for again, or not any more. */
  | { kind: 'here'; view: WatchedMatrix; broken: 'again' | 'for good' | null };

/** The first screenful; everything else comes in larger parts. */
const firstRows = 60;
const rowsAtOnce = 1000;
/** All cells are counted again whenever more are shown. */
const showEveryMs = 250;
/** Where the first part takes longer than this for its size, the rest comes deflated. */
const slowBytesPerMs = 500;
const refusedCodes = { signedOut: 4401, refused: 4403 } as const;

const inflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer());
const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))].map((b) => b.toString(16).padStart(2, '0')).join('');

type Part = { data: Fetchable; from: number; to: number };

/**
 * Looks at a matrix over its socket, and tells whenever more of it has come: what is seen first, then the rest. A line that breaks is taken up
 * again where it broke, at most five times in a row, waiting 1, 4, 9 … seconds. The answer ends it.
 */
export const watchMatrix = (filter: Partial<MatrixFilter>, tell: (state: MatrixState) => void): (() => void) => {
  const stopping = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let socket: WebSocket | null = null;
  let tries = 0;
  let view: WatchedMatrix | null = null;
  let waiting: Part[] = [];
  let asked: Part | null = null;
  let came = 0;
  let slow = false;
  let askedAt = 0;
  /** Messages are dealt with one after the other: inflating one takes time. */
  let turn = Promise.resolve();
  const over = () => stopping.signal.aborted;
  const later = (ms: number, work: () => void): ReturnType<typeof setTimeout> => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!over()) work();
    }, ms);
    timers.add(timer);
    return timer;
  };
  const say = (state: MatrixState) => !over() && tell(state);
  let shownAt = 0;
  let shownRows = 0;
  let showing: ReturnType<typeof setTimeout> | null = null;
  /** Shows what has come: the first screenful, a broken line and the end at once, what comes between a few times a second. */
  const show = (broken: 'again' | 'for good' | null = null) => {
    if (!view) return;
    const wait = shownAt + showEveryMs - performance.now();
    if (!broken && !view.complete && shownRows > 0 && wait > 0) {
      showing ??= later(wait, () => show());
      return;
    }
    if (showing !== null) clearTimeout(showing);
    showing = null;
    shownAt = performance.now();
    shownRows = view.rows;
    view = { ...view, revision: view.revision + 1 };
    say({ kind: 'here', view, broken });
  };
  const stop = () => {
    stopping.abort();
    for (const timer of timers) clearTimeout(timer);
    socket?.close();
  };
  const fail = (state: MatrixState) => {
    say(state);
    stop();
  };

  const send = (message: object) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const askNext = () => {
    const next = waiting[0];
    asked = next ?? null;
    if (!next || !view) return;
    askedAt = performance.now();
    came = 0;
    const known = next.data === 'matrix_cells' && view.sheet.columns > 0 ? knownIn(view, next) : undefined;
    send({ type: 'fetch_data', ...next, ...(known ? { known } : {}), ...(slow ? { deflate: true } : {}) });
  };
  /** The marks of the rows of a part of which some have come: only those that are otherwise are sent. */
  const knownIn = ({ loaded, sheet }: WatchedMatrix, { from, to }: Part): number[] | undefined =>
    loaded.subarray(from, to).some((l) => l === 1) ? Array.from({ length: to - from }, (_, i) => rowMark(sheet, from + i)) : undefined;

  const partsOf = (rows: number): Part[] => {
    const edges = [0, Math.min(firstRows, rows)];
    while ((edges.at(-1) as number) < rows) edges.push(Math.min((edges.at(-1) as number) + rowsAtOnce, rows));
    const between = edges.slice(1).map((to, i) => ({ from: edges[i] as number, to }));
    return between
      .filter(({ from, to }) => to > from)
      .flatMap((part) => [
        { data: 'users' as const, ...part },
        { data: 'matrix_cells' as const, ...part },
      ]);
  };
  const lists: { courses?: MatrixCourse[]; roles?: MatrixRole[] } = {};
  let counts: Pick<Extract<MatrixMessage, { type: 'metadata' }>, 'user_count' | 'course_count' | 'chosen'> | null = null;

  const begin = () => {
    if (!counts) return;
    const { user_count: rows, chosen } = counts;
    const courses = lists.courses ?? [];
    // Who is there and for what may have changed since the line broke: then it is another matrix.
    const same =
      view && view.users.length === rows && view.courses.length === courses.length && view.courses.every((c, i) => c.id === courses[i]?.id);
    if (!same)
      view = {
        ...{ courses, chosen, roles: lists.roles ?? [], users: Array.from({ length: rows }, () => undefined) },
        ...{
          sheet: emptySheet(rows, courses.length),
          loaded: new Uint8Array(rows),
          revision: 0,
          rows: 0,
          complete: false,
          asOf: correctedNow().getTime(),
        },
      };
    waiting = partsOf(rows);
    if (waiting.length === 0 && view) view = { ...view, complete: true };
    show();
    askNext();
  };

  const takeBytes = async (bytes: Uint8Array<ArrayBuffer>) => {
    if (!view) return;
    came += bytes.length;
    const packed = bytes.subarray(4);
    const rows = unpackRows(bytes[0] === packing.deflated ? await inflate(packed) : packed, view.sheet);
    for (const row of rows) view.loaded[row] = 1;
    show();
  };
  const takePart = async (message: Extract<MatrixMessage, { type: 'data' }>) => {
    if (message.data === 'courses' || message.data === 'roles') {
      if (message.data === 'courses') lists.courses = message.rows as MatrixCourse[];
      else lists.roles = message.rows as MatrixRole[];
      if (lists.courses && lists.roles) begin();
      return;
    }
    if (!view || !asked) return;
    if (message.data === 'users') {
      const users = [...view.users];
      message.rows.forEach((user, i) => {
        users[message.from + i] = user as MatrixUser;
      });
      view = { ...view, users };
    } else if (message.digest !== undefined) {
      const there = await digestOf(rowBytes(view.sheet, asked.from, asked.to));
      if (there !== message.digest) {
        // Two rows with the same mark: all of this part once more.
        view.loaded.fill(0, asked.from, asked.to);
        askNext();
        return;
      }
      slow = came > 0 && came / (performance.now() - askedAt) < slowBytesPerMs;
      view.loaded.fill(1, asked.from, asked.to);
      // What is new is progress; what was there already and came again is none.
      if (asked.to > view.rows) tries = 0;
      view = { ...view, rows: Math.max(view.rows, asked.to) };
    }
    waiting = waiting.slice(1);
    if (waiting.length === 0) view = { ...view, complete: true, asOf: correctedNow().getTime() };
    show();
    askNext();
  };
  const take = async (data: unknown) => {
    if (over()) return;
    if (data instanceof ArrayBuffer) return takeBytes(new Uint8Array(data));
    const message = JSON.parse(String(data)) as MatrixMessage;
    if (message.type === 'metadata') counts = message;
    else if (message.type === 'fetch_ready') {
      delete lists.courses;
      delete lists.roles;
      send({ type: 'fetch_data', data: 'courses' });
      send({ type: 'fetch_data', data: 'roles' });
    } else if (message.type === 'data') await takePart(message);
    else if (message.type === 'error') fail({ kind: 'error', message: message.message });
  };

  const again = () => {
    if (over()) return;
    if (tries >= subscribeRetries) return view ? show('for good') : fail({ kind: 'offline' });
    tries++;
    if (view) show('again');
    later(tries * tries * 1000, () => void open());
  };
  const open = async () => {
    const start = await graphCall(MatrixStartDocument, filter as never, { signal: stopping.signal });
    if (over()) return;
    if (start.kind === 'unreachable') return tries === 0 && !view ? fail({ kind: 'offline' }) : again();
    if (start.kind === 'refused') return fail({ kind: 'error', message: start.error.message });
    const { websocketUrl, matrixID } = start.data.matrix;
    const own = new WebSocket(websocketUrl, [binaryProtocol]);
    socket = own;
    own.binaryType = 'arraybuffer';
    own.onopen = () => send({ type: 'subscribe', matrixID });
    own.onmessage = ({ data }) => {
      turn = turn.then(() => (socket === own ? take(data) : undefined)).catch(() => own.close());
    };
    own.onclose = ({ code }) => {
      if (code === refusedCodes.signedOut) noteRefused(401);
      void turn.then(() => {
        if (socket !== own || over()) return;
        socket = null;
        if (view?.complete) return;
        again();
      });
    };
    return undefined;
  };
  say({ kind: 'loading', takesLong: false });
  later(takesLongMs, () => !view && say({ kind: 'loading', takesLong: true }));
  void open();
  return stop;
};
