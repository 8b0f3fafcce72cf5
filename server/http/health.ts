import { constants } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { migrationNames } from '#server/db/migrate.ts';
import { beyondScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import { filesFolder } from '#server/files/file-store.ts';
import type { Services } from '#server/services.ts';

/** Below this much free space in `DATA_DIR` a server should get no more work. */
const leastFreeBytes = 100_000_000;
/** A check that has not ended by then has failed: whoever asks waits no longer. */
const withinMs = 5000;
const retryAfterSeconds = 5;
/** Of a file that nobody has. */
const absent = '0'.repeat(64);

type Check = (services: Pick<Services, 'db' | 'files' | 'config'>) => Promise<boolean>;
/** What a server needs to do its work. Each check is true, false or throws. */
const checks: Record<string, Check> = {
  /** It answers and accepts changes: in a failover it only reads. */
  database: async ({ db }) =>
    (await db.one<{ writes: boolean }>(sql`select not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off' as writes`))
      ?.writes === true,
  migrations: async ({ db }) => {
    const done = new Set((await db.all<{ name: string }>(sql`select name from migrations`)).map((m) => m.name));
    const known = migrationNames();
    return done.size === known.length && known.every((name) => done.has(name));
  },
  files: async ({ files, config }) => {
    if (config.FILES_URL) return (await files.size(absent)) === null;
    const folder = filesFolder(config.DATA_DIR);
    await mkdir(folder, { recursive: true });
    await access(folder, constants.R_OK | constants.W_OK);
    return true;
  },
  disk: async ({ config }) => {
    const { bavail, bsize } = await statfs(config.DATA_DIR);
    return bavail * bsize >= leastFreeBytes;
  },
};

/**
 * Tells load balancers and monitoring about this server. `/health/live`: the process answers. `/health/ready`: it can do its work; 503 and
 * which checks failed if it cannot, without details, because anybody may ask.
 */
export const registerHealth = (app: FastifyInstance, services: Pick<Services, 'db' | 'files' | 'config' | 'log'>): void => {
  let running: Promise<Record<string, 'ok' | 'failed'>> | null = null;
  const look = async () => {
    const found = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const control = new AbortController();
        const late = after(withinMs, false, { signal: control.signal, ref: false }).catch(() => false);
        const ok = await Promise.race([beyondScope(() => check(services)), late]).catch((error: unknown) => {
          services.log.warn({ err: error }, `not ready: ${name}`);
          return false;
        });
        control.abort();
        return [name, ok ? 'ok' : 'failed'] as const;
      }),
    );
    return Object.fromEntries(found);
  };
  app.get('/health/live', async (_request, reply) => reply.header('Cache-Control', 'no-store').send({ data: { ok: true } }));
  app.get('/health/ready', async (_request, reply) => {
    // However many ask, they share one look.
    running ??= look().finally(() => {
      running = null;
    });
    const found = await running;
    const ok = Object.values(found).every((state) => state === 'ok');
    if (!ok) reply.header('Retry-After', String(retryAfterSeconds));
    return reply
      .status(ok ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ data: { ok, checks: found } });
  });
};

const state = { type: 'string', enum: ['ok', 'failed'] };
const bodyOf = (properties: Record<string, unknown>) => ({
  'application/json': { schema: { type: 'object', required: ['data'], properties: { data: { type: 'object', properties } } } },
});
const ready = {
  ok: { type: 'boolean' },
  checks: { type: 'object', properties: Object.fromEntries(Object.keys(checks).map((name) => [name, state])) },
};
const outsideApi = { tags: ['health'], servers: [{ url: '/' }], parameters: [] };
/** Their part of the API document. */
export const healthPaths = {
  '/health/live': {
    get: {
      ...{ operationId: 'healthLive', summary: 'Reports that the process answers. (ours)', description: 'Public. For monitoring.', ...outsideApi },
      responses: { 200: { description: 'It answers.', content: bodyOf({ ok: { type: 'boolean' } }) } },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'healthReady',
      summary: 'Reports whether this server can do its work: database, migrations, files and disk. (ours)',
      description: 'Public. For load balancers.',
      ...outsideApi,
      responses: {
        200: { description: 'It can.', content: bodyOf(ready) },
        503: { description: 'It cannot: `checks` names what failed.', content: bodyOf(ready) },
      },
    },
  },
};
