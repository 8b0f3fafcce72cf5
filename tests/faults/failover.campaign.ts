import { randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import pg from 'pg';
import type { ContentDocument } from '#contract/entities/content.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import type { Campaign } from '#tests/faults/campaign.ts';
import { compare } from '#tests/faults/real/compare.ts';
import { truthOf } from '#tests/faults/real/inject-server.ts';
import { ledgerEqualsEffects } from '#tests/faults/real/ledger-equals-effects.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { courses, socketLine } from '#tests/faults/real/socket-device.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { freePort } from '#tests/support/free-port.ts';
import { startPostgres, startStandby } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';

/**
 * The database goes away under writes: a synchronous standby takes its place, it restarts, it only reads for a while, or it ends all
 * connections. The server keeps running, answers with 503 meanwhile and says so at /api/check; nothing acknowledged is lost or doubled.
 */
const ways = ['failover', 'read-only first', 'connections ended', 'fresh server'] as const;
type Postgres = { url: string; port: number; stop(): void };

/** The address that moves with the primary, as a virtual address does. */
class MovingAddress {
  target: number;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;
  private constructor(target: number, server: Server) {
    this.target = target;
    this.server = server;
  }
  static async open(target: number, port: number): Promise<MovingAddress> {
    const server = createServer();
    const address = new MovingAddress(target, server);
    server.on('connection', (near) => {
      const far = connect(address.target, '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        address.sockets.add(one);
        one.on('error', () => other.destroy());
        one.on('close', () => {
          address.sockets.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    });
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    return address;
  }
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }
  close(): void {
    this.server.close();
    this.cut();
  }
}

let primary: Postgres;
let address: MovingAddress;
let server: RealServer;
let databaseUrl: string;
const counted = { answers: 0, unavailable: 0 };
const administer = async (url: string, statements: string[]) => {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  for (const statement of statements) await client.query(statement).catch(() => undefined);
  await client.end();
};
type Answer = { status: number; retryAfter: string | undefined };
/** Asks without the device's `fetch`. Null if nothing was answered. */
const ask = (url: string): Promise<Answer | null> =>
  new Promise((done) => {
    get(url, (answer) => {
      answer.resume();
      answer.on('end', () => done({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] })).on('error', () => done(null));
    }).on('error', () => done(null));
  });
const after = (ms: number) => new Promise((done) => setTimeout(done, ms));

export const campaign: Campaign = {
  name: 'failover',
  runs: { ci: 4, demand: 100 },
  busy: true,
  prepare: async () => {
    primary = await startPostgres(['-c wal_level=replica']);
    const folder = `${tmpdir()}/lantern-failover-${process.pid}`;
    const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: primary.url });
    await migrate(database.pool);
    await fillWithDemoData(database.db, createFileStore(`${folder}/files`), new Date());
    await database.close();
    const port = await freePort();
    address = await MovingAddress.open(primary.port, port);
    databaseUrl = `postgres://postgres@127.0.0.1:${port}/postgres`;
    server = await RealServer.create({ DATABASE_URL: databaseUrl });
  },
  once: async (seed) => {
    const random = randomFrom(seed);
    const way = ways[seed % ways.length] as (typeof ways)[number];
    const wrong: string[] = [];
    const id = randomUUID();
    const standby = await startStandby(primary.port);
    await administer(primary.url, [`alter system set synchronous_standby_names = '*'`, 'select pg_reload_conf()']);
    const before = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: primary.url });
    await before.db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
      select ${id}, 'Fault Learner', ${`${id}@willowbrook.test`}, password_hash, now(), primary_entity_id, role_id, type_id from users where id = ${demoId('user:learner@willowbrook.test')}`);
    await before.close();
    if (way === 'fresh server') {
      await server.stop();
      await server.start();
    }
    const device = new RealDevice(socketLine(() => server.url));
    if (way !== 'fresh server') await device.open(await device.signIn(`${id}@willowbrook.test`));
    const document = way === 'fresh server' ? null : ((await device.document(courses[0] as string)) as ContentDocument);

    // Somebody asks all the time.
    let asking = true;
    const unavailableBefore = counted.unavailable;
    const askAlways = async () => {
      while (asking) {
        for (const path of ['/api/check', '/api/whitelabel', '/health/ready']) {
          const answer = await ask(server.url + path);
          if (!answer) {
            if (asking) wrong.push(`${path} was not answered`);
            asking = false;
            break;
          }
          counted.answers++;
          if (answer.status === 503) counted.unavailable++;
          if (answer.status === 503 && !answer.retryAfter) wrong.push(`${path} answered 503 without Retry-After`);
          if (answer.status !== 200 && answer.status !== 503) wrong.push(`${path} answered ${answer.status}`);
        }
        await after(20);
      }
    };
    const asked = askAlways();
    const work = async () => {
      if (!document) return;
      const topics = document.lessons.flatMap((l) => l.topics);
      await device.begin(document);
      for (let i = 0; i < 12; i++) {
        await device.read(document.id, topics[i % topics.length] as { id: string; title: string }, true, 1 + i);
        await device.send();
      }
      await device.handIn(document.id, document.quizzes[0] as { id: string; title: string }, 1);
      await device.send();
    };
    const working = work();
    await after(random() * 300);

    if (way === 'connections ended') {
      for (let i = 0; i < 5; i++) {
        await administer(primary.url, [
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
        ]);
        address.cut();
        await after(random() * 100);
      }
      await administer(primary.url, [`alter system set synchronous_standby_names = ''`, 'select pg_reload_conf()']);
      standby.stop();
    } else {
      // The address leads to the standby before that is promoted: it answers, and only reads.
      const early = way === 'read-only first';
      if (early) {
        address.target = standby.port;
        address.cut();
        await after(300 + random() * 300);
      }
      primary.stop();
      await after(200 + random() * 300);
      await administer(standby.url, []);
      standby.promote();
      await administer(standby.url, [`alter system set synchronous_standby_names = ''`, 'select pg_reload_conf()']);
      address.target = standby.port;
      address.cut();
      primary = standby;
    }
    await working;
    if (document && (await device.drain()) > 0) wrong.push('the device could not send the rest');
    const isReady = async () => (await ask(`${server.url}/health/ready`))?.status === 200;
    for (let i = 0; i < 100 && !(await isReady()); i++) await after(100);
    asking = false;
    await asked;
    if (!server.isRunning) wrong.push(`the server ended: ${server.said.slice(-500)}`);
    else if (!(await isReady())) wrong.push('the server is not ready 10 s after the database is');
    if (/"msg":"internal error"/.test(server.said))
      wrong.push(`an answer was 500: ${/.*"msg":"internal error".*/.exec(server.said)?.[0].slice(0, 400)}`);
    if (way !== 'connections ended' && counted.unavailable === unavailableBefore) wrong.push('nobody was told that the database was away');
    const database = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: primary.url });
    if (document) wrong.push(...compare(device.saved, await truthOf(database, id)), ...(await ledgerEqualsEffects(database, id)));
    await database.close();
    if (document) await device.forget();
    if (!server.isRunning) await server.start();
    return wrong;
  },
  facts: () => `${counted.answers} answers, ${counted.unavailable} of them 503`,
  finish: async () => {
    await server.close();
    address.close();
    primary.stop();
  },
};
