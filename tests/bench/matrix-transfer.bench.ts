import { createHash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import pg from 'pg';
import { WebSocketServer } from 'ws';
import { binaryProtocol, type MatrixMessage, type MatrixUser, packing } from '#contract/matrix/messages.ts';
import { packMarks, personMark } from '#contract/matrix/marks.ts';
import { emptySheet, type MatrixSheet, packRows, rowBytes, rowMark, unpackRows } from '#contract/matrix/sheet.ts';
import { createApp } from '#server/app.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { rowsAtOnce } from '#server/features/matrix/matrix.service.ts';
import { createSessions } from '#server/security/sessions.ts';
import { manyResults } from '#tests/bench/many-results.ts';
import { median, quantile, report } from '#tests/bench/report.ts';

const people = Number(process.env.PEOPLE ?? 10_000);
const courses = 200;
const times = Number(process.env.RESULTS_EACH ?? 5);
const rounds = Number(process.env.ROUNDS ?? 5);
const managers = 20;
const screenful = 60;
const looksBefore = 10;

type Took = { first: number; all: number; bytes: number; sheet: MatrixSheet; users: MatrixUser[] };
/** A stored matrix: the cells, and the people if they are fetched too. */
type Had = Pick<Took, 'sheet' | 'users'>;
/**
 * Looks at the matrix as the app does: the first screenful, then the rest. Times in ms from the click; bytes of both directions. `had`: people are
 * fetched with the cells, and what was had is not fetched again; null where nothing was.
 */
const look = async (url: string, authorization: string, had?: Had | null): Promise<Took> => {
  const began = performance.now();
  const asked = await fetch(`${url}/api/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ matrix(compliance_type: all) { matrixID } }' }),
  });
  const { matrixID } = ((await asked.json()) as { data: { matrix: { matrixID: string } } }).data.matrix;
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/matrix-socket`, {
    protocols: [binaryProtocol],
    headers: { authorization },
  } as never);
  socket.binaryType = 'arraybuffer';
  let sheet = emptySheet(0, 0);
  const users: MatrixUser[] = [];
  const known = (from: number, to: number) =>
    had
      ? {
          known: packMarks(
            Array.from({ length: to - from }, (_, i) => rowMark(had.sheet, from + i)),
            'row',
          ),
          deflate: true,
        }
      : {};
  let first = 0;
  let bytes = 0;
  let parts = 0;
  const say = (message: object) => {
    const text = JSON.stringify(message);
    bytes += text.length;
    socket.send(text);
  };
  await new Promise<void>((resolve, reject) => {
    socket.onerror = () => reject(new Error('the socket failed'));
    socket.onclose = () => reject(new Error('the socket closed'));
    socket.onopen = () => say({ type: 'subscribe', matrixID, ...(had ? { known_people: packMarks(had.users.map(personMark), 'person') } : {}) });
    socket.onmessage = ({ data }) => {
      if (data instanceof ArrayBuffer) {
        bytes += data.byteLength;
        const packed = new Uint8Array(data, 4);
        unpackRows(new Uint8Array(data)[0] === packing.deflated ? inflateRawSync(packed) : packed, sheet);
        return;
      }
      bytes += String(data).length;
      const message = JSON.parse(String(data)) as MatrixMessage;
      if (message.type === 'metadata') {
        sheet = emptySheet(message.user_count, message.course_count);
        // The positions of people are unchanged.
        if (had) for (const part of ['states', 'completed', 'expires'] as const) sheet[part].set(had.sheet[part]);
        if (had !== undefined) say({ type: 'fetch_data', data: 'users', ...(had ? { short: true } : {}) });
        say({ type: 'fetch_data', data: 'matrix_cells', from: 0, to: screenful, ...known(0, screenful) });
      } else if (message.type === 'data' && message.data === 'users') {
        const others = (message.rows as MatrixUser[]).values();
        for (const [row, place, count] of message.same ?? []) for (let i = 0; i < count; i++) users[row + i] = had?.users[place + i] as MatrixUser;
        for (let row = 0; row < sheet.rows; row++) users[row] ??= others.next().value as MatrixUser;
      } else if (message.type === 'data' && ++parts === 1) {
        first = performance.now() - began;
        say({ type: 'fetch_data', data: 'matrix_cells', from: screenful, to: sheet.rows, ...known(screenful, sheet.rows) });
      } else if (message.type === 'data') resolve();
      else if (message.type === 'error') reject(new Error(message.message));
    };
  });
  socket.onclose = null;
  socket.close();
  return { first, all: performance.now() - began, bytes, sheet, users };
};
/** The cells of a sheet that is ready in memory, packed, sent, read and kept as the product does. */
const asPacked = async ({ sheet }: Took): Promise<number> => {
  const server = new WebSocketServer({ port: 0 });
  server.on('connection', (socket) => {
    let row = 0;
    socket.on('message', () => {
      if (row >= sheet.rows) return;
      const to = Math.min(sheet.rows, row + rowsAtOnce);
      const rows = Array.from({ length: to - row }, (_, i) => row + i);
      socket.send(Buffer.concat([Uint8Array.of(packing.plain, 0, 0, 0), packRows(sheet, rows)]));
      row = to;
    });
  });
  const began = performance.now();
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  socket.binaryType = 'arraybuffer';
  const kept = emptySheet(sheet.rows, sheet.columns);
  let rows = 0;
  await new Promise<void>((resolve, reject) => {
    socket.onclose = () => reject(new Error('the socket closed'));
    socket.onopen = () => {
      for (let i = 0; i < 4; i++) socket.send('next');
    };
    socket.onmessage = ({ data }) => {
      socket.send('next');
      rows += unpackRows(new Uint8Array(data as ArrayBuffer, 4), kept).length;
      if (rows === sheet.rows) resolve();
    };
  });
  const all = performance.now() - began;
  socket.onclose = null;
  socket.close();
  server.close();
  if (Buffer.compare(rowBytes(kept, 0, kept.rows), rowBytes(sheet, 0, sheet.rows)) !== 0) throw new Error('what was read is not what was sent');
  return all;
};
/** The same cells as rows with the specification's names, from what is ready in memory: sent, read and kept. */
const asJson = async ({ sheet }: Took): Promise<{ all: number; bytes: number }> => {
  const server = new WebSocketServer({ port: 0 });
  const ids = (n: number) => Array.from({ length: n }, () => crypto.randomUUID());
  const users = ids(sheet.rows);
  const titles = ids(sheet.columns);
  const day = new Date().toISOString();
  // A part is asked for when another has come, four at a time: what waits to be taken stays small.
  server.on('connection', (socket) => {
    let row = 0;
    socket.on('message', () => {
      if (row >= sheet.rows) return;
      const cells = [];
      const to = Math.min(sheet.rows, row + 50);
      for (let at = row * sheet.columns; at < to * sheet.columns; at++)
        cells.push({
          ...{
            course_id: titles[at % sheet.columns],
            user_id: users[Math.floor(at / sheet.columns)],
            role_id: titles[0],
            primary_entity_id: titles[1],
          },
          ...{
            in_date_passed: 1,
            in_expiry_warning_period: 0,
            latest_result_id: titles[2],
            latest_result_completed: day,
            latest_result_expires: day,
          },
          ...{ result_count: 1, type: 1 },
        });
      row = to;
      socket.send(JSON.stringify(cells));
    });
  });
  const began = performance.now();
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const kept: unknown[][] = [];
  let bytes = 0;
  let cells = 0;
  await new Promise<void>((resolve, reject) => {
    socket.onclose = () => reject(new Error('the socket closed'));
    socket.onopen = () => {
      for (let i = 0; i < 4; i++) socket.send('next');
    };
    socket.onmessage = ({ data }) => {
      socket.send('next');
      bytes += String(data).length;
      const some = JSON.parse(String(data)) as unknown[];
      kept.push(some);
      cells += some.length;
      if (cells === sheet.rows * sheet.columns) resolve();
    };
  });
  const all = performance.now() - began;
  socket.onclose = null;
  socket.close();
  server.close();
  return { all, bytes };
};

/**
 * A matrix of 10,000 people and 200 courses over its socket, of up to 10 million results on PostgreSQL. Targets: all cells sent, read and kept in
 * at most 1/50 of JSON rows with the specification's names; the first screenful within 300 ms of the click, and within twice reading the
 * packed standings bare and one round trip; a day later, with 1 % of the rows changed, at most 2 % of the bytes; for 20 managers at once
 * p95 at most three times 20 bare reads.
 *
 * Both sides of the first begin with what is ready in memory. From the click, where each cell is read from its standing and computed, it is
 * compared with the same rows and has no target.
 */
export const run = async () => {
  const { cluster, config, db, fill, close } = await manyResults(people, courses);
  await fill(0, times);
  const app = await createApp({ config, db, secretKey: 'bench' });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  // Each uses their own account, because the number of sockets per person is limited.
  const ids = await db.all<{ id: string }>(sql`insert into users (id, name, email, primary_entity_id, type_id, started_on)
    select gen_random_uuid(), 'Manager ' || n, 'm' || n || '@manager.test', a.primary_entity_id, a.type_id, current_date - 1000
    from users a cross join generate_series(1, ${managers}::int) n where a.id = ${demoId('user:admin@willowbrook.test')} returning id`);
  const sessions = createSessions(db, config, () => new Date());
  const all: string[] = [];
  for (const { id } of ids) all.push(`Bearer ${await sessions.start(id, 'token', { accessPasswordGiven: false })}`);
  const [authorization = ''] = all;
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  const bare = async () => {
    const began = performance.now();
    await client.query({ text: 'select user_id, cells from standings', binary: true } as pg.QueryConfig);
    return performance.now() - began;
  };
  const roundTrip = async () => {
    const began = performance.now();
    await fetch(`${url}/api/check`);
    return performance.now() - began;
  };
  const cold = (await look(url, authorization)).first;
  // In a separate process from the peer, which leaves hundreds of megabytes of garbage; after some requests, as on a warm server.
  const firsts: number[] = [];
  const reads: number[] = [];
  const trips: number[] = [];
  for (let i = -looksBefore; i < 3 * rounds; i++) {
    const { first } = await look(url, authorization);
    const [read, trip] = [await bare(), await roundTrip()];
    if (i < 0) continue;
    firsts.push(first);
    reads.push(read);
    trips.push(trip);
  }
  const ours: Took[] = [];
  const json: { all: number; bytes: number }[] = [];
  const packed: number[] = [];
  for (let i = 0; i < rounds; i++) {
    ours.push(await look(url, authorization));
    for (let k = 0; k < 3; k++) packed.push(await asPacked(ours[0] as Took));
    if (i < 3) json.push(await asJson(ours[0] as Took));
  }
  const took = median(ours.map((o) => o.all));
  const first = median(firsts);
  const [one] = ours as [Took];
  const rows = median(json.map((j) => j.all));
  report(
    'all cells packed, sent, read and kept',
    median(packed),
    'ms',
    median(packed) / rows,
    `target 1/50 = 0.02 of the same as JSON rows (${rows.toFixed(0)} ms)`,
  );
  report('the same from the click, each read from its standing and computed', took, 'ms', took / rows, 'of the same JSON rows, which are ready');
  report('their bytes', one.bytes / 1e6, 'MB', one.bytes / (json[0]?.bytes ?? 1), `${((json[0]?.bytes ?? 0) / 1e6).toFixed(0)} MB of JSON`);
  report(
    'from the click to the first screenful',
    first,
    'ms',
    first / (median(reads) + median(trips)),
    `target 300 ms, and 2 of a bare read of all (${median(reads).toFixed(0)} ms) and a round trip (${median(trips).toFixed(1)} ms)`,
  );
  report('the same, the first look after the start', cold, 'ms', cold / (median(reads) + median(trips)), 'of the same');
  // First without stored data, including the people; then the next day, when 1 % of them have changed.
  const had = await look(url, authorization, null);
  await db.run(
    sql`update results set completed_at = completed_at + interval '3 days' where user_id in (select id from users where name like 'Person %00')`,
  );
  const later = await look(url, authorization, had);
  const whole = await look(url, authorization, null);
  const digest = ({ sheet, users }: Took) =>
    createHash('sha256')
      .update(rowBytes(sheet, 0, sheet.rows))
      .update(JSON.stringify(users))
      .digest('hex');
  if (digest(later) !== digest(whole) || digest(later) === digest(had)) throw new Error('the next day is not what it is when fetched whole');
  report(
    'the next day, 1 % of the rows changed',
    later.bytes / 1e3,
    'kB',
    later.bytes / had.bytes,
    `target 0.02 of all cells and people, both directions (${(had.bytes / 1e6).toFixed(1)} MB)`,
  );
  report('the same, all of it', later.all, 'ms', later.all / had.all, 'of fetching it whole');
  const crowd = await Promise.all(all.map((own) => look(url, own)));
  const readers = await Promise.all(Array.from({ length: managers }, () => bare()));
  report(
    `${managers} managers at once, first screenful p95`,
    quantile(
      crowd.map((c) => c.first),
      0.95,
    ),
    'ms',
    quantile(
      crowd.map((c) => c.first),
      0.95,
    ) / quantile(readers, 0.95),
    `target 3 of ${managers} bare reads (${quantile(readers, 0.95).toFixed(0)} ms)`,
  );
  report(
    `${managers} managers at once, all cells p95`,
    quantile(
      crowd.map((c) => c.all),
      0.95,
    ),
    'ms',
    quantile(
      crowd.map((c) => c.all),
      0.95,
    ) / quantile(readers, 0.95),
    'of the same',
  );
  report('memory', process.memoryUsage().rss / 1e6, 'MB', null, 'of server and clients in one process');
  await client.end();
  await app.close();
  await close();
};
