import { rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import Fastify from 'fastify';
import pg from 'pg';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { attemptText } from '#server/features/learning/attempts.rows.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { createSessions } from '#server/security/sessions.ts';
import { median, quantile, report } from '#tests/bench/report.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

const connections = 50;
const seconds = 4;
const rounds = 5;

/** `GET /attempts/{id}` on PostgreSQL against bare Fastify and pg with the same SQL. Target: ≥ 0.5 of the requests per second, p99 < 50 ms. */
export const run = async () => {
  const cluster = await startPostgres();
  const folder = await demoFolder();
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: folder, DATABASE_URL: cluster.url, NODE_ENV: 'production' });
  const database = await openDatabase(config);
  await migrate(database.pool);
  await fillWithDemoData(database.db, createFileStore(`${folder}/files`), new Date());
  const userId = demoId('user:learner@willowbrook.test');
  const contentId = demoId('content:fire-safety');
  const attemptId = demoId('bench:attempt');
  await database.db.run(
    sql`insert into attempts (id, user_id, content_id, content_version, try_no, started_at) values (${attemptId}, ${userId}, ${contentId}, 1, 1, now())`,
  );
  for (let i = 0; i < 7; i++)
    await database.db.run(
      sql`insert into topic_progress (attempt_id, topic_id, state, percent, completed_at) values (${attemptId}, ${demoId(`bench:topic:${i}`)}, 'completed', 100, now())`,
    );
  const sessions = createSessions(database.db, config, () => new Date());
  const secret = await sessions.start(userId, 'web', { accessPasswordGiven: false });
  const actor = await sessions.resolve(secret);
  if (!actor) throw new Error('no session');

  const app = await createApp({ config, db: database.db, secretKey: 'bench' });
  await app.listen({ port: 0 });
  const bare = Fastify();
  const pool = new pg.Pool({ connectionString: cluster.url, max: 16 });
  // The very statement, taken from the server's own call.
  let statement = { text: '', values: [] as unknown[] };
  await attemptText(
    {
      one: async (s: typeof statement) => {
        statement = s;
        return undefined;
      },
    } as never,
    actor,
    attemptId,
  );
  bare.get('/attempts/:id', async (_request, reply) => {
    // Prepared once per connection, as the server does it.
    const { rows } = await pool.query({ name: 'attempt', text: statement.text, values: statement.values });
    return reply.type('application/json; charset=utf-8').send(`{"data":${rows[0].text}}`);
  });
  await bare.listen({ port: 0 });
  const portOf = (server: { server: { address(): unknown } }) => (server.server.address() as { port: number }).port;

  const load = async (port: number, path: string) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    const times: number[] = [];
    const until = performance.now() + seconds * 1000;
    const one = () =>
      new Promise<void>((resolve, reject) => {
        const started = performance.now();
        get({ port, path, agent, headers: { cookie: `lantern_session=${secret}` } }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
          response.resume().on('end', () => {
            times.push(performance.now() - started);
            resolve();
          });
        }).on('error', reject);
      });
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (performance.now() < until) await one();
      }),
    );
    agent.destroy();
    return { rate: times.length / seconds, p99: quantile(times, 0.99) };
  };
  const ours = { rate: [] as number[], p99: [] as number[], ratio: [] as number[] };
  const floor: number[] = [];
  await load(portOf(app), `/api/attempts/${attemptId}`);
  for (let i = 0; i < rounds; i++) {
    const loadOurs = () => load(portOf(app), `/api/attempts/${attemptId}`);
    const loadBare = () => load(portOf(bare), `/attempts/${attemptId}`);
    const [a, b] = i % 2 ? [await loadOurs(), await loadBare()] : await loadBare().then(async (x) => [await loadOurs(), x] as const);
    ours.rate.push(a.rate);
    ours.p99.push(a.p99);
    ours.ratio.push(a.rate / b.rate);
    floor.push(b.rate);
  }
  report('GET /attempts/{id}, bare Fastify and pg', median(floor), 'req/s', 1, 'floor');
  report('GET /attempts/{id}', median(ours.rate), 'req/s', median(ours.ratio), 'bare, target at least 0.5');
  report('GET /attempts/{id}, p99 at 50 connections', median(ours.p99), 'ms', median(ours.p99) / 50, 'target 50 ms');
  await app.close();
  await bare.close();
  await pool.end();
  await database.close();
  cluster.stop();
  rmSync(folder, { recursive: true, force: true });
};
