import type { MatrixFilter } from '#contract/matrix/filter.ts';
import type { StoredMatrix } from '#contract/matrix/stored-matrix.ts';
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
import { forgetSocketsRefused, type MatrixLine, noteSocketsRefused, requestLine, socketsRefused } from '#src/features/matrix/request-line.ts';
import { correctedNow } from '#src/offline/clock.ts';

/** A matrix, loaded in whole or in part. Its typed arrays are filled in place; `revision` grows with each part that arrives. */
export type WatchedMatrix = {
  courses: readonly MatrixCourse[];
  roles: readonly MatrixRole[];
  chosen: MatrixChosen;
  /** By row; undefined until loaded. */
  users: readonly (MatrixUser | undefined)[];
  sheet: MatrixSheet;
  /** 1 for each row whose cells have loaded. */
  loaded: Uint8Array;
  revision: number;
  /** The number of rows of which person and cells have loaded. */
  rows: number;
  complete: boolean;
  /** When it was begun or, once complete, finished: epoch milliseconds. */
  asOf: number;
};
export type MatrixState =
  | { kind: 'loading'; takesLong: boolean }
  | { kind: 'offline' }
  | { kind: 'error'; message: string }
  /** `connection`: null while it is up. Once it is lost the loaded rows stay, and the rest is requested again until the retries are used up. */
  | { kind: 'loaded'; view: WatchedMatrix; connection: 'retrying' | 'lost' | null };

const noKeeper: MatrixKeeper = { read: async () => null, keep: () => undefined, forget: () => undefined };
/** `reload` requests the rows of these people again, after an action that may have changed them. */
export type Watch = { stop: () => void; reload: (people: readonly string[]) => void };

/** The first screenful; the rest is requested in larger parts. */
const firstRows = 60;
const rowsPerPart = { new: 1000, update: 5000 } as const;
/** Reporting more rows makes the page count all cells again. */
const showEveryMs = 250;
/** Below this rate, the following parts are requested deflated. */
const slowBytesPerMs = 500;
/** A socket that has not opened by then is not waited for. */
const socketOpensMs = 4000;
/** A server that answers a request within this time would have opened a socket by then. */
const quickMs = 2000;
const openSocket = (url: string): MatrixLine => {
  const socket = new WebSocket(url, [binaryProtocol]);
  socket.binaryType = 'arraybuffer';
  return socket as unknown as MatrixLine;
};
const refusedCodes = { signedOut: 4401, refused: 4403 } as const;

const inflate = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).arrayBuffer());
const digestOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> => toHex(await crypto.subtle.digest('SHA-256', bytes));
const utf8 = new TextEncoder();

type Part = { data: Fetchable; from: number; to: number };
type DataMessage = Extract<MatrixMessage, { type: 'data' }>;

const toStored = ({ users, courses, sheet }: WatchedMatrix): StoredMatrix => ({
  ...{ users: users.flatMap((u) => u ?? []), courses: courses.map((c) => c.id), sheet },
});
const haveIds = (courses: readonly MatrixCourse[], ids: readonly string[]): boolean =>
  courses.length === ids.length && courses.every((c, i) => c.id === ids[i]);

/** Copies stored cells into a new sheet, matching people and courses by their ids. */
const fillerFrom = ({ users, courses: ids, sheet: source }: StoredMatrix, courses: readonly MatrixCourse[]) => {
  const rowOf = new Map(users.map((user, row) => [user.id, row]));
  const columnOf = new Map(ids.map((id, column) => [id, column]));
  const columns = haveIds(courses, ids) ? null : courses.map((c) => columnOf.get(c.id));
  /** Returns whether the person was in the stored matrix. */
  return (id: string, target: MatrixSheet, row: number): boolean => {
    const sourceRow = rowOf.get(id);
    if (sourceRow === undefined) return false;
    const [start, end, targetStart] = [sourceRow * source.columns, (sourceRow + 1) * source.columns, row * target.columns];
    for (const part of ['states', 'completed', 'expires'] as const) {
      if (columns === null) target[part].set(source[part].subarray(start, end), targetStart);
      else
        columns.forEach((column, i) => {
          if (column !== undefined) target[part][targetStart + i] = source[part][start + column] as number;
        });
    }
    return true;
  };
};

/** The people of a part, unchanged ones from the stored matrix. Null if the digest differs from the server's. */
const usersIn = async ({ rows, same, digest }: DataMessage, { from, to }: Part, stored: StoredMatrix | null): Promise<MatrixUser[] | null> => {
  if (!same) return rows as MatrixUser[];
  const users: (MatrixUser | undefined)[] = Array.from({ length: to - from });
  for (const [row, place, count] of same) for (let i = 0; i < count; i++) users[row - from + i] = stored?.users[place + i];
  const changed = (rows as MatrixUser[]).values();
  const all = users.map((user) => user ?? changed.next().value);
  return (await digestOf(utf8.encode(linesOf(all)))) === digest ? (all as MatrixUser[]) : null;
};

/**
 * Loads a matrix over its socket and calls `onState` as more of it arrives: the first screenful, then the rest. After a lost connection it
 * resumes where it stopped, at most five times in a row, after 1, 4, 9 … seconds. Of a matrix stored on this device (`keeper`) only the changes
 * are transferred, and nothing of it is reported until the server has confirmed it.
 */
export const watchMatrix = (filter: Partial<MatrixFilter>, onState: (state: MatrixState) => void, keeper: MatrixKeeper = noKeeper): Watch => {
  const controller = new AbortController();
  const timers = new Set<ReturnType<typeof setTimeout>>();
  let socket: MatrixLine | null = null;
  let overRequests = false;
  /** A socket was closed before it said anything; one that is only late to open may belong to a slow server. */
  let wasRefused = false;
  let matrixID = '';
  let tries = 0;
  let view: WatchedMatrix | null = null;
  let reading = keeper.read();
  /** What was known before this connection: the stored matrix, or the one shown. `hasChanged`: the server's differs from it. */
  let stored: StoredMatrix | null = null;
  let fillRow: ReturnType<typeof fillerFrom> | null = null;
  let hasChanged = true;
  /** 1 for each row copied from the stored matrix. It is not shown until the server has confirmed it. */
  let filledRows = new Uint8Array(0);
  /** Whether people are requested without those already known. */
  let omitKnown = false;
  /** The previous matrix stays on the screen while another, with other people or courses, is loaded. */
  let inBackground = false;
  /** People whose rows are still to be requested again, and the rows being requested now. */
  let peopleToReload: string[] = [];
  let reloadedRows: number[] | null = null;
  let queue: Part[] = [];
  let requested: Part | null = null;
  let receivedBytes = 0;
  let isSlow = false;
  let requestedAt = 0;
  /** Messages are processed one after another, because inflating is asynchronous. */
  let processing = Promise.resolve();
  const isStopped = () => controller.signal.aborted;
  const schedule = (ms: number, work: () => void): ReturnType<typeof setTimeout> => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!isStopped()) work();
    }, ms);
    timers.add(timer);
    return timer;
  };
  const report = (state: MatrixState) => !isStopped() && onState(state);
  let shownAt = 0;
  let shownRows = 0;
  let showTimer: ReturnType<typeof setTimeout> | null = null;
  /** Reports the view: the first screenful, a lost connection and completion at once, everything between a few times a second. */
  const show = (connection: 'retrying' | 'lost' | null = null) => {
    if (!view || (inBackground && !view.complete)) return;
    const wait = shownAt + showEveryMs - performance.now();
    if (!connection && !view.complete && shownRows > 0 && wait > 0) {
      showTimer ??= schedule(wait, () => show());
      return;
    }
    if (showTimer !== null) clearTimeout(showTimer);
    showTimer = null;
    inBackground = false;
    shownAt = performance.now();
    shownRows = view.rows;
    view = { ...view, revision: view.revision + 1 };
    report({ kind: 'loaded', view, connection });
  };
  const stop = () => {
    controller.abort();
    for (const timer of timers) clearTimeout(timer);
    socket?.close();
  };
  const fail = (state: MatrixState) => {
    report(state);
    stop();
  };

  const send = (message: object) => socket?.readyState === WebSocket.OPEN && socket.send(JSON.stringify(message));
  const requestNext = () => {
    const next = queue[0];
    requested = next ?? null;
    if (!next || !view) return;
    requestedAt = performance.now();
    receivedBytes = 0;
    const known = next.data === 'matrix_cells' && view.sheet.columns > 0 ? knownMarks(view, next) : undefined;
    const options =
      next.data === 'users'
        ? { ...(omitKnown ? { short: omitKnown } : {}) }
        : { ...(known ? { known } : {}), ...(isSlow || known ? { deflate: true } : {}) };
    send({ type: 'fetch_data', ...next, ...options });
  };
  /** The marks of the rows of a part, so that only changed rows are sent; undefined if none of them is known. */
  const knownMarks = ({ loaded, sheet }: WatchedMatrix, { from, to }: Part): string | undefined => {
    const hasAny = (flags: Uint8Array) => flags.subarray(from, to).includes(1);
    if (!hasAny(loaded) && !hasAny(filledRows)) return undefined;
    const marks = Array.from({ length: to - from }, (_, i) => rowMark(sheet, from + i));
    return packMarks(marks, 'row');
  };

  const usersAndCells = (from: number, to: number): Part[] => [
    { data: 'users', from, to },
    { data: 'matrix_cells', from, to },
  ];
  const partsOf = (rows: number): Part[] => {
    const size = stored ? rowsPerPart.update : rowsPerPart.new;
    const edges = [0, Math.min(firstRows, rows)];
    while ((edges.at(-1) as number) < rows) edges.push(Math.min((edges.at(-1) as number) + size, rows));
    return edges.slice(1).flatMap((to, i) => (to > (edges[i] as number) ? usersAndCells(edges[i] as number, to) : []));
  };
  const lists: { courses?: MatrixCourse[]; roles?: MatrixRole[] } = {};
  let metadata: Pick<Extract<MatrixMessage, { type: 'metadata' }>, 'user_count' | 'course_count' | 'chosen'> | null = null;

  const begin = () => {
    if (!metadata) return;
    const { user_count: rows, chosen } = metadata;
    const courses = lists.courses ?? [];
    // People and courses may have changed since the connection was lost.
    const same =
      view !== null &&
      view.users.length === rows &&
      haveIds(
        courses,
        view.courses.map((c) => c.id),
      );
    if (reloadedRows && !same) return startOver();
    if (!same) {
      inBackground = view?.complete === true;
      filledRows = new Uint8Array(rows);
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
    fillRow = stored && fillerFrom(stored, courses);
    if (!reloadedRows) hasChanged = stored === null || stored.users.length !== rows || !haveIds(courses, stored.courses);
    queue = reloadedRows ? reloadedRows.flatMap((row) => usersAndCells(row, row + 1)) : partsOf(rows);
    if (queue.length === 0 && view) view = { ...view, complete: true };
    show();
    requestNext();
    return undefined;
  };

  const takeBytes = async (bytes: Uint8Array<ArrayBuffer>) => {
    if (!view) return;
    receivedBytes += bytes.length;
    hasChanged = true;
    const packed = bytes.subarray(4);
    const rows = unpackRows(bytes[0] === packing.deflated ? await inflate(packed) : packed, view.sheet);
    for (const row of rows) view.loaded[row] = 1;
    show();
  };
  const takeUsers = async (message: DataMessage, part: Part): Promise<'taken' | 'request again' | 'start over'> => {
    if (!view) return 'taken';
    const received = await usersIn(message, part, stored);
    if (received === null) {
      omitKnown = false;
      return 'request again';
    }
    if (message.rows.length > 0) hasChanged = true;
    // The rows have moved in the meantime.
    if (reloadedRows && received.some((user, i) => user.id !== view?.users[part.from + i]?.id)) return 'start over';
    const { sheet, loaded } = view;
    const users = [...view.users];
    let othersChanged = false;
    received.forEach((user, i) => {
      const row = part.from + i;
      const previous = users[row];
      othersChanged ||= previous !== undefined && JSON.stringify(previous) !== JSON.stringify(user);
      // Cells that arrived before the connection was lost belong to the person who was in this row then.
      if (previous && previous.id !== user.id) loaded[row] = 0;
      users[row] = user;
      if (loaded[row] !== 1 && fillRow?.(user.id, sheet, row)) filledRows[row] = 1;
    });
    // A new object with the same cells, so that everything memoised on the sheet is computed again with the new names.
    view = { ...view, users, sheet: othersChanged ? { ...sheet } : sheet };
    return 'taken';
  };
  const takePart = async (message: DataMessage) => {
    if (message.data === 'courses' || message.data === 'roles') {
      if (message.data === 'courses') lists.courses = message.rows as MatrixCourse[];
      else lists.roles = message.rows as MatrixRole[];
      if (lists.courses && lists.roles) begin();
      return;
    }
    if (!view || !requested) return;
    if (message.data === 'users') {
      const taken = await takeUsers(message, requested);
      if (taken === 'start over') return startOver();
      if (taken === 'request again') return requestNext();
    } else if (message.digest !== undefined) {
      const digest = await digestOf(rowBytes(view.sheet, requested.from, requested.to));
      if (digest !== message.digest) {
        // Marks have collided: request this part again without them.
        view.loaded.fill(0, requested.from, requested.to);
        filledRows.fill(0, requested.from, requested.to);
        requestNext();
        return;
      }
      isSlow = receivedBytes > 0 && receivedBytes / (performance.now() - requestedAt) < slowBytesPerMs;
      view.loaded.fill(1, requested.from, requested.to);
      // Only new rows count as progress.
      if (requested.to > view.rows) tries = 0;
      view = { ...view, rows: Math.max(view.rows, requested.to) };
    }
    queue = queue.slice(1);
    if (queue.length === 0) finish(view);
    show();
    requestNext();
    reloadRows();
  };
  /** Every requested part has arrived. */
  const finish = (all: WatchedMatrix) => {
    view = reloadedRows ? all : { ...all, complete: true, asOf: correctedNow().getTime() };
    if (!reloadedRows && hasChanged) keeper.keep(toStored(view));
    reloadedRows = null;
    // From now on the view itself is what is known.
    reading = Promise.resolve(null);
    stored = null;
    fillRow = null;
  };
  /** Requests the rows of `peopleToReload`, if nothing else is being loaded. */
  const reloadRows = () => {
    if (!view?.complete || reloadedRows || queue.length > 0 || peopleToReload.length === 0 || isStopped()) return;
    const people = new Set(peopleToReload);
    peopleToReload = [];
    const rows = view.users.flatMap((user, row) => (user && people.has(user.id) ? [row] : []));
    if (rows.length === 0) return;
    reloadedRows = rows;
    tries = 0;
    if (socket?.readyState === WebSocket.OPEN) send({ type: 'subscribe', matrixID });
    else void open();
  };
  /** Loads the whole matrix again; what is loaded now is only compared. */
  const startOver = () => {
    reloadedRows = null;
    const oldSocket = socket;
    socket = null;
    oldSocket?.close();
    void open();
  };
  const receive = async (data: unknown) => {
    if (isStopped()) return;
    if (data instanceof ArrayBuffer) return takeBytes(new Uint8Array(data));
    const message = JSON.parse(String(data)) as MatrixMessage;
    if (message.type === 'metadata') metadata = message;
    else if (message.type === 'fetch_ready') {
      delete lists.courses;
      delete lists.roles;
      send({ type: 'fetch_data', data: 'courses' });
      send({ type: 'fetch_data', data: 'roles' });
    } else if (message.type === 'data') await takePart(message);
    else if (message.type === 'error') refuse(message.code, message.message);
  };
  const refuse = (code: string, message: string) => {
    if (code === 'forbidden') keeper.forget();
    fail({ kind: 'error', message });
  };

  const reconnect = () => {
    if (isStopped()) return;
    if (tries >= subscribeRetries) {
      reloadedRows = null;
      return view ? show('lost') : fail({ kind: 'offline' });
    }
    tries++;
    if (view) show('retrying');
    schedule(tries * tries * 1000, () => void open());
  };
  const open = async () => {
    const [start, before] = await Promise.all([graphCall(MatrixStartDocument, filter, { signal: controller.signal }), reading]);
    if (isStopped()) return;
    if (start.kind === 'unreachable') return tries === 0 && !view ? fail({ kind: 'offline' }) : reconnect();
    if (start.kind === 'refused') return refuse(start.error.code, start.error.message);
    stored = view?.complete ? toStored(view) : before;
    omitKnown = stored !== null;
    const known = stored
      ? {
          known_people: packMarks(stored.users.map(personMark), 'person'),
        }
      : {};
    matrixID = start.data.matrix.matrixID;
    overRequests = overRequests || socketsRefused();
    const newSocket = overRequests ? requestLine(matrixID) : openSocket(start.data.matrix.websocketUrl);
    socket = newSocket;
    let isAnswered = false;
    const begunAt = performance.now();
    let begun = false;
    /** A proxy refuses web sockets, ends them at once, or never answers: the same is asked over plain requests. */
    const doWithout = () => {
      socket = null;
      newSocket.close();
      overRequests = true;
      void open();
    };
    if (!overRequests) schedule(socketOpensMs, () => socket === newSocket && !begun && doWithout());
    newSocket.onopen = () => {
      begun = true;
      send({ type: 'subscribe', matrixID, ...known });
    };
    newSocket.onmessage = ({ data }) => {
      // Only a quick answer over requests proves that it was the socket.
      if (!isAnswered && !overRequests) forgetSocketsRefused();
      else if (!isAnswered && !socketsRefused() && (wasRefused || performance.now() - begunAt < quickMs)) noteSocketsRefused();
      isAnswered = true;
      processing = processing.then(() => (socket === newSocket ? receive(data) : undefined)).catch(() => newSocket.close());
    };
    newSocket.onclose = ({ code }) => {
      if (code === refusedCodes.signedOut) noteRefused(401);
      void processing.then(() => {
        if (socket !== newSocket || isStopped()) return;
        socket = null;
        if (view?.complete && !reloadedRows) return;
        if (!isAnswered && !overRequests && code !== refusedCodes.signedOut && code !== refusedCodes.refused) {
          wasRefused = true;
          return doWithout();
        }
        // Another network may allow sockets, and this one may have been away.
        overRequests = false;
        reconnect();
      });
    };
    return undefined;
  };
  report({ kind: 'loading', takesLong: false });
  schedule(takesLongMs, () => !view && report({ kind: 'loading', takesLong: true }));
  void open();
  return {
    stop,
    reload: (people) => {
      peopleToReload.push(...people);
      reloadRows();
    },
  };
};
