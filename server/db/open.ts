import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import type { Config } from '#server/config.ts';
import { lockDirectory } from '#server/db/lock-directory.ts';
import { type Db, dbOver } from '#server/db/sql.ts';

export type OpenDatabase = { kind: 'embedded' | 'postgres'; db: Db; pool: pg.Pool; close(): Promise<void> };

const openEmbedded = async (dataDir: string): Promise<OpenDatabase> => {
  const release = lockDirectory(dataDir);
  const directory = join(dataDir, 'database');
  mkdirSync(directory, { recursive: true });
  const worker = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
    workerData: { directory, flush: process.env.LANTERN_TEST_NO_FLUSH !== 'true' },
  });
  try {
    const [ready] = (await once(worker, 'message')) as [{ folder: string }];
    // One connection: the database has one session, and messages of two connections could mix in the middle of a statement.
    const pool = new pg.Pool({ host: ready.folder, port: 5432, user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0 });
    return {
      kind: 'embedded',
      pool,
      db: dbOver(pool),
      close: async () => {
        await pool.end();
        const closed = once(worker, 'message');
        worker.postMessage('close');
        await closed;
        await worker.terminate();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
};

/** Opens the database that the settings name. The same statements run on both kinds. */
export const openDatabase = async (config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Promise<OpenDatabase> => {
  if (!config.DATABASE_URL) return openEmbedded(config.DATA_DIR);
  // Statements here are many and short: compiling one takes longer than running it.
  const pool = new pg.Pool({ connectionString: config.DATABASE_URL, max: 16, options: '-c jit=off' });
  pool.on('error', () => undefined);
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (version < 15) {
    await pool.end();
    throw new Error(`DATABASE_URL answers as PostgreSQL ${version}; 15 or newer is needed.`);
  }
  return { kind: 'postgres', pool, db: dbOver(pool), close: () => pool.end() };
};
