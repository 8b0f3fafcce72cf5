import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { protocol } from '#contract/protocol.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { hashOf, newSecret } from '#server/security/secrets.ts';
import { quantile, report } from '#tests/bench/report.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';

const devices = 500;
const entries = 40;

/** 500 devices come back at once with 40 changes each, on PostgreSQL with fsync on: all are drained, and no 5xx lacks Retry-After. */
export const run = async () => {
  const postgres = await startPostgres();
  const server = await RealServer.create({ DATABASE_URL: postgres.url, NODE_ENV: 'production' });
  await server.stop();
  const database = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: postgres.url });
  await migrate(database.pool);
  if (!(await database.db.one(sql`select 1 as one from users limit 1`)))
    await fillWithDemoData(database.db, createFileStore(`${server.folder}/files`), new Date());
  const content = demoId('content:fire-safety');
  const people = Array.from({ length: devices }, () => ({ id: randomUUID(), secret: newSecret() }));
  for (const { id, secret } of people) {
    await database.db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
      select ${id}, 'Crowd', ${`${id}@willowbrook.test`}, password_hash, now(), primary_entity_id, role_id, type_id from users where id = ${demoId('user:learner@willowbrook.test')}`);
    await database.db.run(sql`insert into sessions (id_hash, user_id, kind) values (${hashOf(secret)}, ${id}, 'token')`);
  }
  await server.start();
  const at = new Date().toISOString();
  const bodies = await Promise.all(
    people.map(async ({ id }) => ({
      attempt: await attemptIdOf(id, content, 1),
      body: gzipSync(
        JSON.stringify({
          changes: Array.from({ length: entries }, (_, i) => ({
            id: randomUUID(),
            version: 1,
            at,
            ...(i === 0
              ? { command: 'attempt.start', args: { content_id: content, content_version: 1 } }
              : { command: 'attempt.progress', args: { topic_id: randomUUID(), state: 'completed', percent: 100, seconds: { d: i } } }),
          })),
        }),
      ),
    })),
  );
  let withoutRetryAfter = 0;
  let told = 0;
  const port = Number(new URL(server.url).port);
  const send = (i: number): Promise<{ status: number; retryAfter: number | null }> =>
    new Promise((resolve) => {
      const out = request(
        {
          port,
          host: '127.0.0.1',
          method: 'PATCH',
          path: `/api/attempts/${bodies[i]?.attempt}`,
          headers: {
            authorization: `Bearer ${people[i]?.secret}`,
            'content-type': 'application/json',
            'content-encoding': 'gzip',
            [protocol.actorHeader]: people[i]?.id as string,
          },
        },
        (answer) => {
          answer.resume();
          const after = answer.headers['retry-after'];
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, retryAfter: after === undefined ? null : Number(after) }));
        },
      );
      out.on('error', () => resolve({ status: 0, retryAfter: null }));
      out.end(bodies[i]?.body);
    });
  const started = performance.now();
  const times = await Promise.all(
    people.map(async (_, i) => {
      for (;;) {
        const { status, retryAfter } = await send(i);
        if (status === 200) return performance.now() - started;
        if (status >= 500 && retryAfter === null) withoutRetryAfter++;
        told++;
        if (status >= 400 && status < 500 && status !== 429) throw new Error(`answered ${status}`);
        await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 1) * 1000));
      }
    }),
  );
  const bare = await (async () => {
    const alone = performance.now();
    for (let i = 0; i < 20; i++) await send(i);
    return ((performance.now() - alone) / 20) * devices;
  })();
  report(
    `${devices} devices with ${entries} changes each at once, all drained`,
    Math.max(...times),
    'ms',
    Math.max(...times) / bare,
    'the same one after another, acknowledged already',
  );
  report('the same, p95 of a device', quantile(times, 0.95), 'ms', quantile(times, 0.95) / bare, 'the same');
  report('answers that said to wait or failed', told, 'answers', 0, '');
  report('5xx without Retry-After', withoutRetryAfter, 'answers', withoutRetryAfter, 'target 0');
  await database.close();
  await server.close();
  postgres.stop();
};
