import { fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { questionFileLimits } from '#contract/entities/question-file.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { hashOf, newSecret } from '#server/security/secrets.ts';
import type { Flood } from '#tests/bench/flood-client/send.ts';
import { median, quantile, report } from '#tests/bench/report.ts';
import { plainPng } from '#tests/support/plain-png.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { RealServer } from '#tests/support/real-server.ts';
import { startSmtpSink } from '#tests/support/smtp-sink.ts';

const atOnce = 20;
const rounds = Number(process.env.ROUNDS ?? 2);
const roundMs = 4000;
/** Its workers start, and its queues fill. */
const beforeMs = 1500;
const mostTimes = 2;

/**
 * One organisation of 3,000 people sends what it may, twenty at once, while somebody of another takes plain requests: filters with full lists,
 * GIFT files and pictures of the greatest size, messages with e-mail to everybody. Target: nobody else's request takes more than twice its usual
 * time, measured in turns with the same requests while nobody floods.
 */
export const run = async () => {
  const [postgres, sink] = [await startPostgres(), await startSmtpSink()];
  const server = await RealServer.create({ DATABASE_URL: postgres.url, NODE_ENV: 'production', SMTP_URL: sink.url });
  await server.stop();
  const database = await openDatabase({ DATA_DIR: server.folder, DATABASE_URL: postgres.url });
  const { db } = database;
  await migrate(database.pool);
  if (!(await db.one(sql`select 1 as one from users limit 1`))) await fillWithDemoData(db, createFileStore(`${server.folder}/files`), new Date());
  await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, type_id, started_on)
    select gen_random_uuid(), 'Person ' || n, 'person' || n || '@willowbrook.test', u.primary_entity_id, u.role_id, u.type_id, current_date - n % 2000
    from users u, generate_series(1, 3000) n where u.id = ${demoId('user:learner@willowbrook.test')}`);
  await db.run(sql`analyze`);
  const signIn = async (email: string) => {
    const secret = newSecret();
    await db.run(sql`insert into sessions (id_hash, user_id, kind) select ${hashOf(secret)}, id, 'token' from users where email = ${email}`);
    return secret;
  };
  const [token, other] = [await signIn('admin@willowbrook.test'), await signIn('learner@harbourview.test')];
  const idsOf = async (which: Statement) => (await db.all<{ id: string }>(sql`select x.id from ${which} order by x.id limit 500`)).map((r) => r.id);
  const whole = {
    users: await idsOf(sql`users x where x.email like 'person%@willowbrook.test'`),
    courses: await idsOf(sql`courses x join entities e on e.id = x.entity_id and e.slug = 'willowbrook'`),
  };
  const choices = { care_certificate_filter: 'complete', never_logged_in_only: true, period: 'all_time' };
  await database.close();
  await server.start();

  const json = 'application/json';
  const filtered = (path: string, filter: object) => ({ path, type: json, body: JSON.stringify(filter) });
  const gift = `Question {${'='.repeat(50)}${' ~%50%a#b'.repeat(questionFileLimits.bytes / 10)}}\n`.slice(0, questionFileLimits.bytes);
  const floods: Record<string, Flood['requests']> = {
    'filters with full lists': [
      filtered('/reports/selection', { ...choices, ...whole }),
      filtered('/reports/matrix', { ...whole, compliance_type: 'all' }),
      filtered('/reports/matrix', { compliance_type: 'all' }),
    ],
    'GIFT files of 20 MB': [{ path: '/questions/read?name=a.gift', type: 'application/octet-stream', body: gift }],
    'GIFT files of 50 kB': [{ path: '/questions/read?name=a.gift', type: 'application/octet-stream', body: gift.slice(0, 50_000) }],
    'pictures of 90 million pixels': [
      { path: '/users/evidence?file_name=a.png', type: 'application/octet-stream', body: plainPng(9500).toString('base64'), base64: true },
    ],
    'messages with e-mail to 3,000 people': [
      { path: '/entities/willowbrook/message', type: json, body: JSON.stringify({ message: 'Read this', messageTypes: ['mail'] }), keyed: true },
    ],
  };

  const port = Number(new URL(server.url).port);
  const plain: readonly { method: string; path: string; body?: string }[] = [
    { method: 'GET', path: '/auth/user' },
    { method: 'GET', path: '/bookings/own' },
    { method: 'POST', path: '/graphql', body: JSON.stringify({ query: '{ activeEvents(first: 20) { data { course_title status } } }' }) },
  ];
  const ask = (n: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const { method, path, body } = plain[n % plain.length] as (typeof plain)[number];
      const headers = { authorization: `Bearer ${other}`, ...(body ? { 'content-type': json } : {}) };
      const out = request({ port, host: '127.0.0.1', method, path: `/api${path}`, headers }, (answer) => {
        answer.resume();
        answer.on('end', () => (answer.statusCode === 200 ? resolve(performance.now() - began) : reject(new Error(`answered ${answer.statusCode}`))));
      });
      out.on('error', reject);
      out.end(body);
    });
  const asked = async (ms: number): Promise<number[]> => {
    const times: number[] = [];
    for (const until = performance.now() + ms; performance.now() < until; ) times.push(await ask(times.length));
    return times;
  };
  await asked(roundMs);
  const client = fork(fileURLToPath(new URL('flood-client/send.ts', import.meta.url)));
  for (const [name, requests] of Object.entries(floods)) {
    const [usual, flooded] = [[] as number[], [] as number[]];
    const answers: Record<string, number> = {};
    for (let round = 0; round < rounds; round++) {
      usual.push(...(await asked(roundMs)));
      client.send({ url: server.url, token, atOnce, requests } satisfies Flood);
      await asked(beforeMs);
      flooded.push(...(await asked(roundMs)));
      client.send('stop');
      const [counts] = (await once(client, 'message')) as [Record<string, number>];
      for (const [status, count] of Object.entries(counts)) answers[status] = (answers[status] ?? 0) + count;
      // What it left running ends.
      await asked(beforeMs);
    }
    const said = Object.entries(answers)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ');
    report(
      `${name}: somebody else's request`,
      median(flooded),
      'ms',
      median(flooded) / median(usual),
      `usual ${median(usual).toFixed(1)} ms, target ${mostTimes}; ${said}`,
    );
    report(
      'the same, p95',
      quantile(flooded, 0.95),
      'ms',
      quantile(flooded, 0.95) / quantile(usual, 0.95),
      `usual ${quantile(usual, 0.95).toFixed(1)} ms`,
    );
  }
  client.kill();
  await server.close();
  await sink.close();
  postgres.stop();
};
