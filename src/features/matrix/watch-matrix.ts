import type { MatrixFilter } from '#contract/matrix/filter.ts';
import type { HadMatrix } from '#contract/matrix/had.ts';
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
import { linesOf, packMarks, personMark } from '#contract/matrix/marks.ts';
import { emptySheet, type MatrixSheet, rowBytes, rowMark, unpackRows } from '#contract/matrix/sheet.ts';
import { toHex } from '#contract/rules/bytes.ts';
import { noteRefused } from '#src/api/call.ts';
import { MatrixStartDocument } from '#src/api/generated/graphql.ts';
import { graphCall } from '#src/api/graph.ts';
import type { MatrixKeeper } from '#src/device/kept-matrix.ts';
import { correctedNow } from '#src/offline/clock.ts';

/** A matrix that is being loaded or is there. What is typed array is filled in place; `revision` grows with each part that comes. */
export type WatchedMatrix = {
  courses: readonly MatrixCourse[];
  roles: readonly MatrixRole[];
  chosen: MatrixChosen;
  /** By row; undefined until it has loaded. */
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
  /** `broken`: the connection was lost; loaded rows stay. The rest is requested again, or no longer. */
  | { kind: 'here'; view: WatchedMatrix; broken: 'again' | 'for good' | null };

const keepsNothing: MatrixKeeper = { read: async () => null, keep: () => undefined, forget: () => undefined };
/** `look`: reloads the rows of these people, because something was done that may change them. */
export type Watch = { stop: () => void; look: (people: readonly string[]) => void };

/** The first screenful; everything else comes in larger parts. */
const firstRows = 60;
const rowsAtOnce = { new: 1000, had: 5000 } as const;
/** All cells are counted again whenever more are shown. */
const showEveryMs = 250;
/** Where the first part takes longer than this for its size, the rest comes deflated. */
const slowBytesPerMs = 500;
const refusedCodes = { signedOut: 4401, refused: 4403 } as const;

const inflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer());
const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => toHex(await crypto.subtle.digest('SHA-256', bytes));
const utf8 = new TextEncoder();

type Part = { data: Fetchable; from: number; to: number };
type DataMessage = Extract<MatrixMessage, { type: 'data' }>;

const hadOf = ({ users, courses, sheet }: WatchedMatrix): HadMatrix => ({
  ...{ users: users.flatMap((u) => u ?? []), courses: courses.map((c) => c.id), sheet },
});
const isOf = (courses: readonly MatrixCourse[], ids: readonly string[]): boolean =>
  courses.length === ids.length && courses.every((c, i) => c.id === ids[i]);

/** Copies what is known from before into a new sheet, for people who are still in it. */
const fillerFrom = ({ users, courses: ids, sheet: from }: HadMatrix, courses: readonly MatrixCourse[]) => {
  const rowOf = new Map(users.map((user, row) => [user.id, row]));
  const columnOf = new Map(ids.map((id, column) => [id, column]));
  const columns = isOf(courses, ids) ? null : courses.map((c) => columnOf.get(c.id));
  /** Whether there was something of this person. */
  return (id: string, to: MatrixSheet, row: number): boolean => {
    const old = rowOf.get(id);
    if (old === undefined) return false;
    const [start, end, at] = [old * from.columns, (old + 1) * from.columns, row * to.columns];
    for (const part of ['states', 'completed', 'expires'] as const) {
      if (columns === null) to[part].set(from[part].subarray(start, end), at);
      else
        columns.forEach((column, i) => {
          if (column !== undefined) to[part][at + i] = from[part][start + column] as number;
        });
    }
    return true;
  };
};

/** The people of a part, some of them from the stored matrix. Null if they do not match the server's. */
const usersIn = async ({ rows, same, digest }: DataMessage, { from, to }: Part, had: HadMatrix | null): Promise<MatrixUser[] | null> => {
  if (!same) return rows as MatrixUser[];
  const users: (MatrixUser | undefined)[] = Array.from({ length: to - from });
  for (const [row, place, count] of same) for (let i = 0; i < count; i++) users[row - from + i] = had?.users[place + i];
  const others = (rows as MatrixUser[]).values();
  const all = users.map((user) => user ?? others.next().value);
  return (await digestOf(utf8.encode(linesOf(all)))) === digest ? (all as MatrixUser[]) : null;
};

/**
 * Looks at a matrix over its socket, and tells whenever more of it has come: what is seen first, then the rest. A line that breaks is taken up
 * again where it broke, at most five times in a row, waiting 1, 4, 9 … seconds. Of what this device has had before (`keeper`) only what the
 * server says is otherwise travels; nothing of it is told before the server has said so.
 */
export const watchMatrix = (filter: Partial<MatrixFilter>, tell: (state: MatrixState) => void, keeper: MatrixKeeper = keepsNothing): Watch => {
  const stopping = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let socket: WebSocket | null = null;
  let matrixID = '';
  let tries = 0;
  let view: WatchedMatrix | null = null;
  let kept = keeper.read();
  /** The stored matrix from before this connection, and whether the server's differs. */
  let had: HadMatrix | null = null;
  let fill: ReturnType<typeof fillerFrom> | null = null;
  let differs = true;
  /** 1 for each row of the view that was filled with what was had; nobody is shown it until the server has said that it is so. */
  let filled = new Uint8Array(0);
  /** Whether people are requested without the known ones. */
  let short = false;
  /** The whole matrix stands on the screen while another, with other people or courses, is being loaded. */
  let quiet = false;
  /** People who are to be looked at again, and rows that are. */
  let wanted: string[] = [];
  let only: number[] | null = null;
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
    if (!view || (quiet && !view.complete)) return;
    const wait = shownAt + showEveryMs - performance.now();
    if (!broken && !view.complete && shownRows > 0 && wait > 0) {
      showing ??= later(wait, () => show());
      return;
    }
    if (showing !== null) clearTimeout(showing);
    showing = null;
    quiet = false;
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
    const how =
      next.data === 'users' ? { ...(short ? { short } : {}) } : { ...(known ? { known } : {}), ...(slow || known ? { deflate: true } : {}) };
    send({ type: 'fetch_data', ...next, ...how });
  };
  /** The marks of the rows of a part of which some are there: only those that are otherwise are sent. */
  const knownIn = ({ loaded, sheet }: WatchedMatrix, { from, to }: Part): string | undefined => {
    const some = (of: Uint8Array) => of.subarray(from, to).includes(1);
    if (!some(loaded) && !some(filled)) return undefined;
    const marks = Array.from({ length: to - from }, (_, i) => rowMark(sheet, from + i));
    return packMarks(marks, 'row');
  };

  const bothOf = (from: number, to: number): Part[] => [
    { data: 'users', from, to },
    { data: 'matrix_cells', from, to },
  ];
  const partsOf = (rows: number): Part[] => {
    const size = had ? rowsAtOnce.had : rowsAtOnce.new;
    const edges = [0, Math.min(firstRows, rows)];
    while ((edges.at(-1) as number) < rows) edges.push(Math.min((edges.at(-1) as number) + size, rows));
    return edges.slice(1).flatMap((to, i) => (to > (edges[i] as number) ? bothOf(edges[i] as number, to) : []));
  };
  const lists: { courses?: MatrixCourse[]; roles?: MatrixRole[] } = {};
  let counts: Pick<Extract<MatrixMessage, { type: 'metadata' }>, 'user_count' | 'course_count' | 'chosen'> | null = null;

  const begin = () => {
    if (!counts) return;
    const { user_count: rows, chosen } = counts;
    const courses = lists.courses ?? [];
    // Who is there and for what may have changed since the line broke: then it is another matrix.
    const same =
      view !== null &&
      view.users.length === rows &&
      isOf(
        courses,
        view.courses.map((c) => c.id),
      );
    if (only && !same) return startOver();
    if (!same) {
      quiet = view?.complete === true;
      filled = new Uint8Array(rows);
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
    }
    fill = had && fillerFrom(had, courses);
    if (!only) differs = had === null || had.users.length !== rows || !isOf(courses, had.courses);
    waiting = only ? only.flatMap((row) => bothOf(row, row + 1)) : partsOf(rows);
    if (waiting.length === 0 && view) view = { ...view, complete: true };
    show();
    askNext();
    return undefined;
  };

  const takeBytes = async (bytes: Uint8Array<ArrayBuffer>) => {
    if (!view) return;
    came += bytes.length;
    differs = true;
    const packed = bytes.subarray(4);
    const rows = unpackRows(bytes[0] === packing.deflated ? await inflate(packed) : packed, view.sheet);
    for (const row of rows) view.loaded[row] = 1;
    show();
  };
  const takeUsers = async (message: DataMessage, part: Part): Promise<'taken' | 'ask again' | 'start over'> => {
    if (!view) return 'taken';
    const some = await usersIn(message, part, had);
    if (some === null) {
      short = false;
      return 'ask again';
    }
    if (message.rows.length > 0) differs = true;
    // Somebody else is in this row by now.
    if (only && some.some((user, i) => user.id !== view?.users[part.from + i]?.id)) return 'start over';
    const { sheet, loaded } = view;
    const users = [...view.users];
    let others = false;
    some.forEach((user, i) => {
      const row = part.from + i;
      const there = users[row];
      others ||= there !== undefined && JSON.stringify(there) !== JSON.stringify(user);
      // Cells that arrived before the connection broke belong to the person who was in this row then.
      if (there && there.id !== user.id) loaded[row] = 0;
      users[row] = user;
      if (loaded[row] !== 1 && fill?.(user.id, sheet, row)) filled[row] = 1;
    });
    // A new object with the same cells, so that everything memoised by the names is computed again.
    view = { ...view, users, sheet: others ? { ...sheet } : sheet };
    return 'taken';
  };
  const takePart = async (message: DataMessage) => {
    if (message.data === 'courses' || message.data === 'roles') {
      if (message.data === 'courses') lists.courses = message.rows as MatrixCourse[];
      else lists.roles = message.rows as MatrixRole[];
      if (lists.courses && lists.roles) begin();
      return;
    }
    if (!view || !asked) return;
    if (message.data === 'users') {
      const taken = await takeUsers(message, asked);
      if (taken === 'start over') return startOver();
      if (taken === 'ask again') return askNext();
    } else if (message.digest !== undefined) {
      const there = await digestOf(rowBytes(view.sheet, asked.from, asked.to));
      if (there !== message.digest) {
        // A collision of marks: request this part again.
        view.loaded.fill(0, asked.from, asked.to);
        filled.fill(0, asked.from, asked.to);
        askNext();
        return;
      }
      slow = came > 0 && came / (performance.now() - askedAt) < slowBytesPerMs;
      view.loaded.fill(1, asked.from, asked.to);
      // Only new rows count as progress; those received again do not.
      if (asked.to > view.rows) tries = 0;
      view = { ...view, rows: Math.max(view.rows, asked.to) };
    }
    waiting = waiting.slice(1);
    if (waiting.length === 0) whole(view);
    show();
    askNext();
    lookAgain();
  };
  /** All that was asked for is there. */
  const whole = (all: WatchedMatrix) => {
    view = only ? all : { ...all, complete: true, asOf: correctedNow().getTime() };
    if (!only && differs) keeper.keep(hadOf(view));
    only = null;
    // From here on this is what was had.
    kept = Promise.resolve(null);
    had = null;
    fill = null;
  };
  /** Asks for the rows that are to be looked at again, when nothing else is being loaded. */
  const lookAgain = () => {
    if (!view?.complete || only || waiting.length > 0 || wanted.length === 0 || over()) return;
    const people = new Set(wanted);
    wanted = [];
    const rows = view.users.flatMap((user, row) => (user && people.has(user.id) ? [row] : []));
    if (rows.length === 0) return;
    only = rows;
    tries = 0;
    if (socket?.readyState === WebSocket.OPEN) send({ type: 'subscribe', matrixID });
    else void open();
  };
  /** The same question as from the start, with what is there as what was had. */
  const startOver = () => {
    only = null;
    const own = socket;
    socket = null;
    own?.close();
    void open();
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
    else if (message.type === 'error') refused(message.code, message.message);
  };
  const refused = (code: string, message: string) => {
    if (code === 'forbidden') keeper.forget();
    fail({ kind: 'error', message });
  };

  const again = () => {
    if (over()) return;
    if (tries >= subscribeRetries) {
      only = null;
      return view ? show('for good') : fail({ kind: 'offline' });
    }
    tries++;
    if (view) show('again');
    later(tries * tries * 1000, () => void open());
  };
  const open = async () => {
    const [start, before] = await Promise.all([graphCall(MatrixStartDocument, filter, { signal: stopping.signal }), kept]);
    if (over()) return;
    if (start.kind === 'unreachable') return tries === 0 && !view ? fail({ kind: 'offline' }) : again();
    if (start.kind === 'refused') return refused(start.error.code, start.error.message);
    had = view?.complete ? hadOf(view) : before;
    short = had !== null;
    const known = had
      ? {
          known_people: packMarks(had.users.map(personMark), 'person'),
        }
      : {};
    matrixID = start.data.matrix.matrixID;
    const own = new WebSocket(start.data.matrix.websocketUrl, [binaryProtocol]);
    socket = own;
    own.binaryType = 'arraybuffer';
    own.onopen = () => send({ type: 'subscribe', matrixID, ...known });
    own.onmessage = ({ data }) => {
      turn = turn.then(() => (socket === own ? take(data) : undefined)).catch(() => own.close());
    };
    own.onclose = ({ code }) => {
      if (code === refusedCodes.signedOut) noteRefused(401);
      void turn.then(() => {
        if (socket !== own || over()) return;
        socket = null;
        if (view?.complete && !only) return;
        again();
      });
    };
    return undefined;
  };
  say({ kind: 'loading', takesLong: false });
  later(takesLongMs, () => !view && say({ kind: 'loading', takesLong: true }));
  void open();
  return {
    stop,
    look: (people) => {
      wanted.push(...people);
      lookAgain();
    },
  };
};
