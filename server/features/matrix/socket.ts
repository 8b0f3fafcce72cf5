import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type KnownRows, knowing, type PlacesKnown, placesIn, withoutKnown } from '#contract/matrix/marks.ts';
import type { matrixEndpoints } from '#contract/api/matrices.ts';
import {
  binaryProtocol,
  type Fetchable,
  type MatrixExchanged,
  type MatrixMessage,
  MatrixRequest,
  matrixSocketPath,
  packing,
} from '#contract/matrix/messages.ts';
import { emptySheet, packRows, rowBytes, rowMark } from '#contract/matrix/sheet.ts';
import { type Actor, asActor } from '#server/actor.ts';
import { type Aggregates, matrixOf, type OpenMatrix, rowsAtOnce } from '#server/features/matrix/matrix.service.ts';
import { actorOf } from '#server/http/actor-of.ts';
import { knownError } from '#server/http/known-error.ts';
import { type HandlersOf, requireAccess } from '#server/http/register-endpoints.ts';
import { ProductError } from '#server/product-error.ts';
import type { Services } from '#server/services.ts';
import { read } from '#server/validation.ts';

/** The maximum number of sockets of a person; the oldest is closed. */
const mostSockets = 8;
/** How often the session and the other side are checked. */
const lookMs = 15_000;
/** Idle time after which a client is disconnected. */
const idleMs = 600_000;
/** Nothing more is computed while this much waits to be sent. */
const waitingBytes = 1_000_000;
/** Time without reading after which a client is disconnected. */
const slowMs = 60_000;
/** Maximum number of unanswered messages. */
const mostQueued = 50;
const jsonRowsAtOnce = 20;
/** Close codes, from the private range where the WebSocket specification has none. */
const closing = { refused: 4403, ended: 4401, malformed: 1008, going: 1001 } as const;

const deflated = promisify(deflateRaw);
const parts: Fetchable[] = ['users', 'courses', 'roles'];

/** Pages of other sites send their origin; a client that is not a browser sends none. */
const isFromElsewhere = (request: FastifyRequest): boolean => {
  const { origin } = request.headers;
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === request.host);
};

/** Where answers go. `drained` waits until the other side has read what was sent, and throws if it has disconnected. */
type Line = {
  asBytes: boolean;
  isOpen: () => boolean;
  tell: (message: MatrixMessage) => unknown;
  sendBinary: (bytes: Buffer) => unknown;
  drained: () => Promise<void>;
  /** The current actor: signed in, with the permission. */
  lookerNow: () => Promise<Actor>;
};
const disconnected = new Error('nobody listens');

/** What is said about a matrix to one client, over a socket or a plain request. */
const conversation = (services: Services, { asBytes, isOpen, tell, sendBinary, drained, lookerNow }: Line) => {
  const matrices = matrixOf(services);
  let open: { actor: Actor; id: string; place: string; matrix: OpenMatrix; aggregates: Promise<Aggregates> | null; known: PlacesKnown } | null = null;
  /** The same for the organisation of the request, which does not change. */
  const actingNow = async (looker: Actor, place: string): Promise<Actor> => {
    const acting = await services.sessions.actingFor(looker, place);
    if (!acting) throw new ProductError('acting_as_refused');
    requireAccess({ access: ['report.matrix'] }, acting);
    return acting;
  };

  const subscribe = async (id: string, known = '') => {
    const looker = await lookerNow();
    const { place, filter } = await matrices.asked(looker, id);
    const actor = await actingNow(looker, place);
    const matrix = await asActor(actor, () => matrices.openWith(actor, filter));
    open = { actor, id, place, matrix, aggregates: null, known: placesIn(known) };
    const { people, columns } = matrix.head;
    tell({ type: 'subscribe_ack', matrixID: id });
    tell({ type: 'metadata', user_count: people.length, course_count: columns.length, chosen: matrix.chosen });
    tell({ type: 'fetch_ready', data: parts });
    // A client that receives bytes computes the counts itself.
    if (asBytes) tell({ type: 'progress', progress: 1 });
    else await aggregatesNow();
  };
  const aggregatesNow = async (): Promise<Aggregates> => {
    const opened = open as NonNullable<typeof open>;
    opened.aggregates ??= asActor(opened.actor, () =>
      opened.matrix.aggregates((progress) => {
        if (!isOpen()) throw disconnected;
        tell({ type: 'progress', progress });
      }),
    );
    return opened.aggregates;
  };

  const sendRows = (data: Fetchable, from: number, rows: unknown[]) => tell({ type: 'data', data, from, rows, complete: true });
  const sendBytes = async (matrix: OpenMatrix, from: number, to: number, known: KnownRows | undefined, deflate: boolean) => {
    const isKnown = knowing(known);
    // Its digest is that of the part as one sheet, whatever the slices in which it is computed.
    const whole = emptySheet(to - from, matrix.head.columns.length);
    for (let at = from; at < to; at += rowsAtOnce) {
      const upTo = Math.min(at + rowsAtOnce, to);
      await drained();
      const sheet = await matrix.cells(at, upTo);
      for (const cells of ['states', 'completed', 'expires'] as const) whole[cells].set(sheet[cells], (at - from) * sheet.columns);
      const rows: number[] = [];
      for (let row = 0; row < upTo - at; row++) if (known === undefined || !isKnown(at - from + row, rowMark(sheet, row))) rows.push(row);
      if (rows.length === 0) continue;
      const packed = packRows(sheet, rows, at);
      const bytes = deflate ? await deflated(packed) : packed;
      sendBinary(Buffer.concat([Uint8Array.of(deflate ? packing.deflated : packing.plain, 0, 0, 0), bytes]));
    }
    tell({
      type: 'data',
      data: 'matrix_cells',
      from,
      rows: [],
      complete: true,
      digest: createHash('sha256')
        .update(rowBytes(whole, 0, whole.rows))
        .digest('hex'),
    });
  };
  const fetchData = async (message: Extract<MatrixRequest, { type: 'fetch_data' }>) => {
    if (!open) throw new ProductError('malformed', { message: 'Subscribe to a matrix first.' });
    const { actor, matrix, known } = open;
    const from = Math.min(message.from ?? 0, matrix.head.people.length);
    const lastRow = Math.max(from, Math.min(message.to ?? matrix.head.people.length, matrix.head.people.length));
    await asActor(actor, async () => {
      if (message.data === 'users') {
        const users = await matrix.users(from, lastRow);
        if (message.short) {
          const { text, ...others } = withoutKnown(users, from, known);
          tell({ type: 'data', data: 'users', from, complete: true, ...others, digest: createHash('sha256').update(text).digest('hex') });
        } else sendRows('users', from, users);
      } else if (message.data === 'courses')
        sendRows(
          'courses',
          0,
          matrix.head.columns.map(({ no: _, ...course }) => course),
        );
      else if (message.data === 'roles') sendRows('roles', 0, [...matrix.head.roles]);
      else if (message.data === 'top_level_aggregate') sendRows('top_level_aggregate', 0, [(await aggregatesNow()).top]);
      else if (message.data === 'aggregate') sendRows('aggregate', 0, (await aggregatesNow()).all);
      else if (asBytes) await sendBytes(matrix, from, lastRow, message.known, message.deflate ?? false);
      else {
        let at = from;
        do {
          await drained();
          const upTo = Math.min(at + jsonRowsAtOnce, lastRow);
          tell({ type: 'data', data: 'matrix_cells', from: at, rows: await matrix.jsonCells(at, upTo), complete: upTo === lastRow });
          at = upTo;
        } while (at < lastRow);
      }
    });
  };

  return {
    answer: async (message: MatrixRequest): Promise<void> => {
      if (message.type === 'subscribe') await subscribe(message.matrixID, message.known_people);
      else {
        if (open) await actingNow(await lookerNow(), open.place);
        await fetchData(message);
      }
    },
    /** Whether access and the stored request are still valid. */
    check: async (): Promise<void> => {
      if (!open) return;
      const looker = await lookerNow();
      await actingNow(looker, (await matrices.asked(looker, open.id)).place);
    },
    /** Names the people and courses that rows refer to. */
    head: (): string => {
      const { people = [], columns = [] } = open?.matrix.head ?? {};
      const ids = [...people, { id: '' }, ...columns].map(({ id }) => id).join();
      return createHash('sha256').update(ids).digest('hex').slice(0, 16);
    },
  };
};

/** One client that looks at a matrix over a socket. Its messages are answered in order. */
const lookAt = (services: Services, request: FastifyRequest, socket: WebSocket, onClosed: () => void) => {
  let queued = 0;
  let turn = Promise.resolve();
  let lastAsked = Date.now();
  let heard = true;

  const isOpen = () => socket.readyState === socket.OPEN;
  const tell = (message: MatrixMessage) => isOpen() && socket.send(JSON.stringify(message));
  const end = (code: number, error?: ProductError) => {
    if (error) tell({ type: 'error', code: error.code, message: error.message });
    if (isOpen()) socket.close(code);
  };
  const talk = conversation(services, {
    ...{ asBytes: socket.protocol === binaryProtocol, isOpen, tell },
    sendBinary: (bytes) => isOpen() && socket.send(bytes),
    drained: async () => {
      const since = Date.now();
      while (isOpen() && socket.bufferedAmount > waitingBytes) {
        if (Date.now() - since > slowMs) socket.terminate();
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      if (!isOpen()) throw disconnected;
    },
    lookerNow: async () => {
      const looker = await actorOf(services, request);
      requireAccess({ access: ['report.matrix'] }, looker);
      return looker as Actor;
    },
  });

  const answer = async (text: string) => {
    let message: MatrixRequest;
    try {
      message = read(MatrixRequest, JSON.parse(text)) as MatrixRequest;
    } catch {
      throw new ProductError('malformed');
    }
    await talk.answer(message);
  };
  const failed = (error: unknown) => {
    if (error === disconnected) return;
    const known = error instanceof ProductError ? error : knownError(error as Error);
    if (!known || known.status >= 500) request.log.error({ err: error }, 'a matrix failed');
    const cause = known ?? new ProductError('internal');
    end(cause.status === 401 ? closing.ended : cause.status === 400 ? closing.malformed : cause.status >= 500 ? 1011 : closing.refused, cause);
  };

  const look = setInterval(() => {
    if (!heard || Date.now() - lastAsked > idleMs) return socket.terminate();
    heard = false;
    socket.ping();
    talk.check().catch((error: unknown) => error instanceof ProductError && failed(error));
    return undefined;
  }, lookMs);
  const stop = () => end(closing.going);
  services.jobs.closing.addEventListener('abort', stop, { once: true });
  socket.on('pong', () => {
    heard = true;
  });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => {
    clearInterval(look);
    services.jobs.closing.removeEventListener('abort', stop);
    onClosed();
  });
  socket.on('message', (data, isBinary) => {
    lastAsked = Date.now();
    heard = true;
    if (isBinary || ++queued > mostQueued) return failed(new ProductError('malformed'));
    const text = data.toString();
    turn = turn
      .then(() => (isOpen() ? answer(text) : undefined))
      .catch(failed)
      .finally(() => {
        queued--;
      });
    return undefined;
  });
};

/** The WebSocket of training matrices (contract/matrix/messages.ts). */
export const matrixSocket = (api: FastifyInstance, services: Services): void => {
  const sockets = new Map<string, (() => void)[]>();
  const before = async (request: FastifyRequest) => {
    if (isFromElsewhere(request)) throw new ProductError('forbidden');
    requireAccess({ access: ['report.matrix'] }, request.actor);
  };
  api.get(matrixSocketPath, { websocket: true, preValidation: before }, (socket, request) => {
    const user = (request.actor as Actor).user.uuid;
    const cut = () => socket.terminate();
    const ownSockets = sockets.get(user) ?? [];
    sockets.set(user, [...ownSockets, cut]);
    if (ownSockets.length >= mostSockets) ownSockets[0]?.();
    lookAt(services, request, socket, () => {
      const rest = (sockets.get(user) ?? []).filter((c) => c !== cut);
      if (rest.length > 0) sockets.set(user, rest);
      else sockets.delete(user);
    });
  });
};

/** The same conversation over plain requests (contract/api/matrices.ts). Each request is complete in itself: nothing is kept between them. */
export const matrixHandlers = (services: Services): HandlersOf<typeof matrixEndpoints> => ({
  exchangeMatrix: async ({ params, body, actor }) => {
    const messages: MatrixExchanged['messages'] = [];
    const talk = conversation(services, {
      ...{ asBytes: true, isOpen: () => true, drained: async () => undefined, lookerNow: async () => actor },
      tell: (message) => messages.push({ json: message }),
      sendBinary: (bytes) => messages.push({ base64: bytes.toString('base64') }),
    });
    await talk.answer({ type: 'subscribe', matrixID: params.id, ...(body.known_people === undefined ? {} : { known_people: body.known_people }) });
    for (const fetching of body.fetch) await talk.answer(fetching);
    return { data: { head: talk.head(), messages } };
  },
});
