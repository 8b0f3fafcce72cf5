import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  binaryProtocol,
  type MatrixCourse,
  type MatrixExchanged,
  type MatrixJsonCell,
  type MatrixMessage,
  MatrixMessage as Message,
  type MatrixUser,
} from '#contract/matrix/messages.ts';
import { cellAt, dayOfNumber, emptySheet, rowBytes, rowMark, unpackRows } from '#contract/matrix/sheet.ts';
import { dayIn } from '#contract/rules/days.ts';
import { protocol } from '#contract/protocol.ts';
import { permissionIdOf } from '#contract/permissions.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { eventsOf } from '#server/features/learning/events.rows.ts';
import { forgetOldAnswers } from '#server/jobs/retention.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/** A client of the socket: what it received, in order. */
class Socket {
  readonly received: (MatrixMessage | Uint8Array)[] = [];
  closed: number | null = null;
  private readonly socket: WebSocket;
  private wake: () => void = () => undefined;
  constructor(url: string, client: TestClient | null, protocols: string[] = [], headers: Record<string, string> = {}) {
    const cookie = client ? [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ') : '';
    this.socket = new WebSocket(url, { protocols, headers: { ...(cookie ? { cookie } : {}), ...headers } } as never);
    this.socket.binaryType = 'arraybuffer';
    this.socket.onmessage = ({ data }) => {
      this.received.push(typeof data === 'string' ? Message.parse(JSON.parse(data)) : new Uint8Array(data as ArrayBuffer));
      this.wake();
    };
    this.socket.onclose = ({ code }) => {
      this.closed = code;
      this.wake();
    };
  }
  private async until<T>(found: () => T | undefined): Promise<T> {
    for (;;) {
      const there = found();
      if (there !== undefined) return there;
      if (this.closed !== null) throw new Error(`closed with ${this.closed}: ${JSON.stringify(this.received.at(-1))}`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }
  async say(message: unknown): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING)
      await new Promise<void>((resolve, reject) => {
        this.socket.addEventListener('open', () => resolve());
        this.socket.addEventListener('error', () => reject(new Error('not opened')));
      });
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }
  /** The next message of a kind after those that were read. */
  private read = 0;
  async next<K extends MatrixMessage['type']>(type: K): Promise<Extract<MatrixMessage, { type: K }>> {
    return this.until(() => {
      const at = this.received.findIndex((m, i) => i >= this.read && !(m instanceof Uint8Array) && m.type === type);
      if (at < 0) return undefined;
      this.read = at + 1;
      return this.received[at] as Extract<MatrixMessage, { type: K }>;
    });
  }
  /** All rows of what is fetched. */
  async fetched<T>(data: string, more: object = {}): Promise<T[]> {
    await this.say({ type: 'fetch_data', data, ...more });
    const rows: T[] = [];
    for (;;) {
      const message = await this.next('data');
      rows.push(...(message.rows as T[]));
      if (message.complete) return rows;
    }
  }
  async end(): Promise<number> {
    while (this.closed === null)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    return this.closed;
  }
  close = () => this.socket.close();
}

type Start = { matrix: { websocketUrl: string; matrixID: string } };
describe('the training matrix', () => {
  let server: TestApp;
  let url: string;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    server = await startTestApp();
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    url = `ws://127.0.0.1:${(server.app.server.address() as AddressInfo).port}${protocol.apiPrefix}/matrix-socket`;
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  afterAll(() => server.close());

  const connect = (client: TestClient | null, protocols?: string[], headers?: Record<string, string>) => {
    const socket = new Socket(url, client, protocols, headers);
    sockets.push(socket);
    return socket;
  };
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const start = async (client: TestClient, args = '') => {
    const { body } = await client.json<{ data: Start }>('POST', '/graphql', { query: `{ matrix${args} { websocketUrl matrixID } }` });
    return (body as unknown as { data: Start }).data.matrix;
  };

  it('speaks the messages of the specification, and its cells are what the rule of compliance says', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const { matrixID, websocketUrl } = await start(client, '(compliance_type: all)');
    expect(websocketUrl).toMatch(/^wss?:\/\/.*\/api\/matrix-socket$/);
    const socket = connect(client);
    await socket.say({ type: 'subscribe', matrixID });
    expect(await socket.next('subscribe_ack')).toEqual({ type: 'subscribe_ack', matrixID });
    const { user_count, course_count } = await socket.next('metadata');
    expect(await socket.next('fetch_ready')).toEqual({ type: 'fetch_ready', data: ['users', 'courses', 'roles'] });
    const users = await socket.fetched<MatrixUser>('users');
    const courses = await socket.fetched<MatrixCourse>('courses');
    const cells = await socket.fetched<MatrixJsonCell>('matrix_cells');
    expect([users.length, courses.length, cells.length]).toEqual([user_count, course_count, user_count * course_count]);
    expect(users.length).toBeGreaterThan(20);
    const progress = socket.received.flatMap((m) => (m instanceof Uint8Array || m.type !== 'progress' ? [] : [m.progress]));
    expect(progress.at(-1)).toBe(1);
    // The same as everywhere else for each person and course.
    const events = new Map(
      (
        await eventsOf(
          server.database.db,
          users.map((u) => u.id),
          server.clock.now,
        )
      ).map((e) => [`${e.user_id} ${e.course_id}`, e]),
    );
    for (const cell of cells) {
      const event = events.get(`${cell.user_id} ${cell.course_id}`);
      const type = event?.compliance_type ?? null;
      expect({ cell, type: cell.type }).toEqual({ cell, type: type === null ? null : type === 'primary' ? 1 : 2 });
      expect({ cell, in_date: cell.in_date_passed }).toEqual({ cell, in_date: event && ['in_date', 'expiring'].includes(event.compliance) ? 1 : 0 });
      expect({ cell, warning: cell.in_expiry_warning_period }).toEqual({ cell, warning: event?.compliance === 'expiring' ? 1 : 0 });
      expect({ cell, done: cell.latest_result_completed }).toEqual({
        cell,
        done: event?.completed_at ? dayIn(event.completed_at, 'Europe/London') : null,
      });
    }
    const [top] = await socket.fetched<{ required: number; in_date: number; score: number }>('top_level_aggregate');
    const counted = [...events.values()].filter((e) => e.compliance_type !== null && e.compliance !== 'starter');
    expect(top).toMatchObject({ required: counted.length, in_date: counted.filter((e) => ['in_date', 'expiring'].includes(e.compliance)).length });
    const parts = await socket.fetched<{ required: number; entity_id: string | null; course_id: string | null }>('aggregate');
    for (const of of ['entity_id', 'course_id'] as const)
      expect(parts.filter((p) => p[of] !== null).reduce((sum, p) => sum + p.required, 0)).toBe(top?.required);
  });

  const subscribed = async (client: TestClient, args = '(compliance_type: all)', protocols?: string[]) => {
    const { matrixID } = await start(client, args);
    const socket = connect(client, protocols);
    await socket.say({ type: 'subscribe', matrixID });
    await socket.next('fetch_ready');
    return { socket, matrixID };
  };
  /** Rows received as bytes, with their announced digest. */
  const bytesOf = async (socket: Socket, more: object = {}) => {
    const before = socket.received.length;
    await socket.say({ type: 'fetch_data', data: 'matrix_cells', ...more });
    const { digest } = await socket.next('data');
    return { digest, messages: socket.received.slice(before).filter((m) => m instanceof Uint8Array) };
  };

  it('comes as bytes to who asks for them: the same cells, deflated or not, and later only what has changed', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const plain = await subscribed(client);
    const users = await plain.socket.fetched<MatrixUser>('users');
    const courses = await plain.socket.fetched<MatrixCourse>('courses');
    const cells = await plain.socket.fetched<MatrixJsonCell>('matrix_cells');
    const { socket } = await subscribed(client, undefined, [binaryProtocol]);
    const sheet = emptySheet(users.length, courses.length);
    const first = await bytesOf(socket, { from: 0, to: 10 });
    expect(first.messages.flatMap((m) => unpackRows(m.subarray(4), sheet))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const all = await bytesOf(socket);
    for (const message of all.messages) unpackRows(message.subarray(4), sheet);
    expect(
      createHash('sha256')
        .update(rowBytes(sheet, 0, sheet.rows))
        .digest('hex'),
    ).toBe(all.digest);
    cells.forEach((cell, at) => {
      const packed = cellAt(sheet, Math.floor(at / courses.length), at % courses.length);
      expect({ cell, completed: dayOfNumber(packed.completed), expires: dayOfNumber(packed.expires) }).toEqual({
        ...{ cell, completed: cell.latest_result_completed, expires: cell.latest_result_expires },
      });
    });
    const known = users.map((_, row) => rowMark(sheet, row));
    expect((await bytesOf(socket, { known })).messages).toEqual([]);
    const changed = { ...known.map((m) => m) } as Record<number, number>;
    changed[3] = ((known[3] ?? 0) ^ 1) >>> 0;
    const again = await bytesOf(socket, { known: Object.values(changed), deflate: true });
    expect(again.messages).toHaveLength(1);
    expect(again.messages[0]?.[0]).toBe(1);
    const inflated = inflateRawSync((again.messages[0] as Uint8Array).subarray(4));
    expect(unpackRows(inflated, emptySheet(users.length, courses.length))).toEqual([3]);
    expect(again.digest).toBe(all.digest);
  });

  it('is answered over plain requests as over the socket, to who asked for it alone', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const { matrixID } = await start(client, '(compliance_type: all)');
    const fetching = (data: string, more: object = {}) => ({ type: 'fetch_data', data, ...more });
    const exchange = (by: TestClient, ...fetch: object[]) => by.json<{ data: MatrixExchanged }>('POST', `/matrices/${matrixID}/exchange`, { fetch });
    const { body, status } = await exchange(client, fetching('users'), fetching('courses'), fetching('matrix_cells'));
    expect(status).toBe(200);
    const said = body.data.messages.flatMap((m) => ('json' in m ? [m.json] : []));
    expect(said.slice(0, 4).map(({ type }) => type)).toEqual(['subscribe_ack', 'metadata', 'fetch_ready', 'progress']);
    const rowsOf = (data: string) => said.flatMap((m) => (m.type === 'data' && m.data === data ? m.rows : []));
    const digest = said.flatMap((m) => (m.type === 'data' && m.digest ? [m.digest] : []));
    const sheet = emptySheet(rowsOf('users').length, rowsOf('courses').length);
    for (const message of body.data.messages) if ('base64' in message) unpackRows(Buffer.from(message.base64, 'base64').subarray(4), sheet);
    const { socket } = await subscribed(client, undefined, [binaryProtocol]);
    expect(await socket.fetched('users')).toEqual(rowsOf('users'));
    const bytes = await bytesOf(socket);
    const other = emptySheet(sheet.rows, sheet.columns);
    for (const message of bytes.messages) unpackRows(message.subarray(4), other);
    expect(sheet).toEqual(other);
    expect(digest).toEqual([bytes.digest]);
    expect((await exchange(client)).body.data.head).toBe(body.data.head);
    expect((await exchange(await signedIn('manager@willowbrook.test'))).status).toBe(404);
    expect((await exchange(await signedIn('learner@willowbrook.test'))).status).toBe(403);
  });

  it('shows whom and what is asked for: organisations with all below, job roles, tags, people, courses, starters', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const people = async (args: string) => (await (await subscribed(client, args)).socket.fetched<MatrixUser>('users')).map((u) => u.id);
    const all = await people('');
    const home = demoId('entity:home');
    const inHome = (
      await server.database.db.all<{ id: string }>(sql`select id from users where primary_entity_id = ${home} and disabled_at is null`)
    ).map((u) => u.id);
    expect((await people(`(entities: ["${home}"])`)).toSorted()).toEqual(inHome.toSorted());
    expect((await people(`(entities: ["${demoId('entity:group')}"])`)).length).toBe(all.length);
    const role = demoId('role:group:care');
    const held = (await server.database.db.all<{ id: string }>(sql`select user_id as id from held_roles where role_id = ${role}`)).map((u) => u.id);
    const ofRole = await people(`(roles: ["${role}"])`);
    expect(ofRole.length).toBeGreaterThan(0);
    expect(ofRole.every((id) => held.includes(id))).toBe(true);
    expect(await people(`(users: ["${inHome[0]}"])`)).toEqual([inHome[0]]);
    const starters = await people('(new_starters_filter: new_starters_only)');
    const others = await people('(new_starters_filter: exclude_new_starters)');
    expect([...starters, ...others].toSorted()).toEqual(all.toSorted());
    expect(starters.length).toBeGreaterThan(0);
    const [course] = await (await subscribed(client)).socket.fetched<MatrixCourse>('courses');
    const { socket } = await subscribed(client, `(courses: ["${course?.id}"])`);
    expect(await socket.fetched<MatrixCourse>('courses')).toEqual([course]);
  });

  it('is nothing to another organisation, to another person, or to who may not see it', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const { matrixID } = await start(client);
    const other = await signedIn('admin@brightpath.test');
    const socket = connect(other);
    await socket.say({ type: 'subscribe', matrixID });
    expect(await socket.next('error')).toMatchObject({ code: 'not_found' });
    expect(await socket.end()).toBe(4403);
    const course = randomUUID();
    await server.database.db.run(
      sql`insert into courses (id, title, short_title, entity_id) values (${course}, 'Our own', 'Own', ${demoId('entity:home')})`,
    );
    const theirs = await subscribed(other, `(entities: ["${demoId('entity:home')}"], courses: ["${course}"], compliance_type: all)`);
    expect([await theirs.socket.fetched('users'), await theirs.socket.fetched('courses')]).toEqual([[], []]);
    const learner = await signedIn('learner@willowbrook.test');
    const { body } = await learner.json<unknown>('POST', '/graphql', { query: '{ matrix { matrixID } }' });
    expect(JSON.stringify(body)).toContain('You do not have permission to do this.');
    await expect(connect(learner).say({ type: 'subscribe', matrixID })).rejects.toThrow('not opened');
    await expect(connect(null).say({ type: 'subscribe', matrixID })).rejects.toThrow('not opened');
    await expect(connect(client, [], { origin: 'https://elsewhere.test' }).say({ type: 'subscribe', matrixID })).rejects.toThrow('not opened');
  });

  it('ends when the session does, before anything more is sent', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const { socket } = await subscribed(client);
    await client.send('POST', '/logout');
    await socket.say({ type: 'fetch_data', data: 'users' });
    expect(await socket.next('error')).toMatchObject({ code: 'unauthenticated' });
    expect(await socket.end()).toBe(4401);
    expect(socket.received.filter((m) => !(m instanceof Uint8Array) && m.type === 'data')).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['a message that there is not', { type: 'drop' }],
    ['something before it subscribed', { type: 'fetch_data', data: 'users' }],
    ['an id that is none', { type: 'subscribe', matrixID: "'; drop table users" }],
    ['a row before the first', { type: 'fetch_data', data: 'users', from: -1 }],
    ['marks that are none', { type: 'fetch_data', data: 'matrix_cells', known: [1.5] }],
  ])('ends with a sentence for %s', async (_, message) => {
    const socket = connect(await signedIn('admin@willowbrook.test'));
    await socket.say(message);
    expect(await socket.next('error')).toMatchObject({ code: 'malformed' });
    expect(await socket.end()).toBe(1008);
  });

  it('lets nobody fill it with bytes, and goes on for others', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const socket = connect(client);
    await socket.say('x'.repeat(300_000));
    expect(await socket.end()).toBe(1009);
    const { socket: good } = await subscribed(client);
    expect((await good.fetched('users', { from: 1_000, to: 5 })).length).toBe(0);
  });

  it('is forgotten after two days: who asked for it asks again', async () => {
    const client = await signedIn('admin@willowbrook.test');
    const { matrixID } = await start(client);
    const inDays = (days: number) => new Date(server.clock.now.getTime() + days * 86_400_000);
    await forgetOldAnswers(server.database.db, inDays(1));
    const early = connect(client);
    await early.say({ type: 'subscribe', matrixID });
    await early.next('fetch_ready');
    expect((await forgetOldAnswers(server.database.db, inDays(3))).matrices).toBeGreaterThan(0);
    const late = connect(client);
    await late.say({ type: 'subscribe', matrixID });
    expect(await late.next('error')).toMatchObject({ code: 'not_found' });
  });

  it('ends when the permission is taken, and shows a place that one acts for', async () => {
    const { db } = server.database;
    const client = await signedIn('super@lantern.test');
    const { body } = await client.json<{ data: Start }>(
      'POST',
      '/graphql',
      { query: '{ matrix { matrixID } }' },
      { [protocol.actingAsHeader]: demoId('entity:home') },
    );
    const socket = connect(client);
    await socket.say({ type: 'subscribe', matrixID: body.data.matrix.matrixID });
    await socket.next('fetch_ready');
    const users = await socket.fetched<MatrixUser>('users');
    expect(new Set(users.map((u) => u.primary_entity_id))).toEqual(new Set([demoId('entity:home')]));

    const manager = await signedIn('manager@willowbrook.test');
    const other = await subscribed(manager);
    await db.run(sql`delete from type_permissions where permission_id = ${permissionIdOf('report.matrix')}`);
    await db.run(sql`delete from entity_permissions where permission_id = ${permissionIdOf('report.matrix')}`);
    await db.run(sql`delete from user_permissions where permission_id = ${permissionIdOf('report.matrix')}`);
    // Permissions are cached for two seconds.
    server.clock.now = new Date(server.clock.now.getTime() + 3000);
    await other.socket.say({ type: 'fetch_data', data: 'roles' });
    expect(await other.socket.end()).toBe(4403);
    expect(other.socket.received.at(-1)).toMatchObject({ type: 'error', code: 'forbidden' });
  });
});
