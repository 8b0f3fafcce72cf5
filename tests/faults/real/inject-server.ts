import { mkdtempSync, rmSync } from 'node:fs';
import { argon2Sync, randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { type OpenDatabase, openDatabase } from '#server/db/open.ts';
import { isScoped } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import type { Line } from '#tests/faults/real/real-device.ts';
import { demoFolder } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

/** The real server on a real database, called without a socket. */
export type InjectServer = {
  app: FastifyInstance;
  database: OpenDatabase;
  line: Line;
  /** Creates a person with the permissions of the person with that address. */
  newLearner(like?: string): Promise<{ email: string; id: string }>;
  close(): Promise<void>;
};

/** A connection to the server without a socket. */
export const lineTo =
  (app: FastifyInstance): Line =>
  async (path, init) => {
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: path,
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body === undefined || init.body === null
        ? {}
        : { payload: typeof init.body === 'string' ? init.body : Buffer.from(init.body as ArrayBuffer) }),
    });
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      for (const v of Array.isArray(value) ? value : [value]) if (v !== undefined) headers.append(name, String(v));
    headers.delete('content-encoding');
    return new Response([204, 304].includes(answer.statusCode) ? null : new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers });
  };

/** What is called here is never killed, and the machine has power: its answers need not wait for the disk. */
const openWithoutFlush = async (config: Parameters<typeof openDatabase>[0]): Promise<OpenDatabase> => {
  process.env.LANTERN_TEST_NO_FLUSH = 'true';
  try {
    return await openDatabase(config);
  } finally {
    delete process.env.LANTERN_TEST_NO_FLUSH;
  }
};

/** The password of the demo accounts, hashed with the smallest parameters: many people sign in, and each hash names its own. */
const quickHash = (): string => {
  const nonce = randomBytes(16);
  const tag = argon2Sync('argon2id', { message: demoPassword, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 });
  return `$argon2id$v=19$m=8,t=1,p=1$${nonce.toString('base64url')}$${tag.toString('base64url')}`;
};

/**
 * Each statement is planned once per connection, and not each time: planning takes three quarters of the time that PostgreSQL needs, and what a
 * statement does is the same.
 */
const planOnce = (pool: Pool): void => {
  const names = new Map<string, string>();
  const wrapped = new WeakSet<PoolClient>();
  pool.on('acquire', (client) => {
    if (wrapped.has(client)) return;
    wrapped.add(client);
    const query = client.query.bind(client) as (config: unknown, ...rest: unknown[]) => Promise<never>;
    client.query = ((config: { text?: string; name?: string; values?: unknown[] } | string, ...rest: unknown[]) => {
      if (typeof config === 'string' || config.text === undefined || config.name !== undefined || !config.values?.length)
        return query(config, ...rest);
      const key = `${isScoped()} ${config.text}`;
      const name = names.get(key) ?? `once_${names.size}`;
      names.set(key, name);
      return query({ ...config, name }, ...rest);
    }) as typeof client.query;
  });
};

/** A PostgreSQL with the demo data, and the folder of its files. */
const demoPostgres = async (): Promise<{ folder: string; url: string; stop(): void }> => {
  const cluster = await startPostgres([
    '-c fsync=off',
    '-c synchronous_commit=off',
    '-c full_page_writes=off',
    '-c plan_cache_mode=force_generic_plan',
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'lantern-test-'));
  const { pool, db, close } = await openDatabase({ DATA_DIR: folder, DATABASE_URL: cluster.url });
  await migrate(pool);
  await fillWithDemoData(db, createFileStore(join(folder, 'files')), new Date());
  await pool.query('analyze');
  await close();
  return { folder, ...cluster };
};

/** `postgres`: on PostgreSQL instead of the embedded database, on which a statement takes ten times as long. */
export const startInjectServer = async ({ postgres = false } = {}): Promise<InjectServer> => {
  const cluster = postgres ? await demoPostgres() : null;
  const folder = cluster?.folder ?? (await demoFolder());
  const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: folder, ...(cluster && { DATABASE_URL: cluster.url }) });
  const database = await openWithoutFlush(config);
  if (postgres) planOnce(database.pool);
  const password = quickHash();
  const app = await createApp({ config, db: database.db, secretKey: 'test-key' });
  return {
    app,
    database,
    line: lineTo(app),
    newLearner: async (like = 'learner@willowbrook.test') => {
      const id = randomUUID();
      const email = `${id}@willowbrook.test`;
      await database.db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
        select ${id}, 'Fault Learner', ${email}, ${password}, now(), primary_entity_id, role_id, type_id from users where id = ${demoId(`user:${like}`)}`);
      return { email, id };
    },
    close: async () => {
      await app.close();
      await database.close();
      cluster?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Everything the server has of one person, to compare with what the device reported. */
export const truthOf = async (database: OpenDatabase, userId: string) => {
  const { db } = database;
  const [
    progress,
    submissions,
    refusals,
    ledger,
    answers,
    sessions,
    statements,
    observations,
    evidence,
    signatures,
    messages,
    marks,
    walkIns,
    markSignatures,
    completions,
    certificates,
    feedback,
  ] = [
    await db.all<{ topic_id: string; seconds: Record<string, number>; completed_at: string | null; state: string }>(
      sql`select p.topic_id, p.seconds, p.completed_at, p.state from topic_progress p join attempts a on a.id = p.attempt_id where a.user_id = ${userId}`,
    ),
    await db.all<{ id: string; submitted_at: string; said: unknown }>(
      sql`select s.id, s.submitted_at, s.answers as said from quiz_submissions s join attempts a on a.id = s.attempt_id where a.user_id = ${userId}`,
    ),
    await db.all<{ entry_id: string }>(sql`select entry_id from refusals where user_id = ${userId}`),
    await db.all<{ entry_id: string; outcome: string }>(sql`select entry_id, outcome from ledger where user_id = ${userId}`),
    await db.all<{ key: string; said: string }>(
      sql`select d.quiz_id || ':' || d.try_no || ':' || d.question_id as key, d.answer as said from draft_answers d join attempts a on a.id = d.attempt_id where a.user_id = ${userId}`,
    ),
    await db.all<{ key: string; seconds: number }>(
      sql`select s.session_id as key, s.seconds from scorm_sessions s join attempts a on a.id = s.attempt_id where a.user_id = ${userId}`,
    ),
    await db.all<{ key: string }>(sql`select s.id as key from h5p_statements s join attempts a on a.id = s.attempt_id where a.user_id = ${userId}`),
    await db.all<{ key: string; said: unknown }>(sql`select id as key, record as said from observations where assessor_id = ${userId}`),
    await db.all<{ key: string; hash: string }>(
      sql`select id as key, sent_hash as hash from care_evidence where uploaded_by = ${userId} and received_at is not null`,
    ),
    await db.all<{ key: string }>(sql`select id as key from observation_signatures where by_id = ${userId}`),
    await db.all<{ key: string; said: string }>(sql`select id as key, message as said from messages where sender_id = ${userId}`),
    await db.all<{ key: string; said: string }>(sql`select id as key, note as said from register_marks where by_id = ${userId}`),
    await db.all<{ key: string }>(sql`select id as key from session_delegates where added_by = ${userId} and walk_in`),
    await db.all<{ key: string }>(sql`select id as key from register_signatures where by_id = ${userId}`),
    await db.all<{ key: string }>(sql`select id as key from register_completions where by_id = ${userId}`),
    await db.all<{ key: string; said: string }>(
      sql`select r.id as key, r.note as said from results r join submissions s on s.id = r.id where r.user_id = ${userId}`,
    ),
    await db.all<{ key: string; said: string }>(sql`select id as key, message as said from feedback where user_id = ${userId}`),
  ];
  const tries = (
    await db.all<{ key: string }>(
      sql`select s.quiz_id || ':' || s.try_no as key from quiz_submissions s join attempts a on a.id = s.attempt_id where a.user_id = ${userId}`,
    )
  ).map((t) => t.key);
  const begun = sql`select content_version from attempts where user_id = ${userId} and content_id = ${demoId('content:fire-safety')}`;
  const versions = (await db.all<{ content_version: number }>(begun)).map((a) => a.content_version);
  const registers = { marks, walkIns, markSignatures, completions };
  return {
    progress,
    submissions,
    refusals,
    ledger,
    answers,
    tries,
    versions,
    sessions,
    statements,
    observations,
    evidence,
    signatures,
    messages,
    certificates,
    feedback,
    ...registers,
  };
};
