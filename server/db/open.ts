import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import type { Config } from '#server/config.ts';
import { keepTended } from '#server/db/embedded-upkeep.ts';
import { lockDirectory } from '#server/db/lock-directory.ts';
import { type Db, dbOver } from '#server/db/sql.ts';
import { makePrivate, privateFile, privateFolder } from '#server/files/private-files.ts';

export type OpenDatabase = { kind: 'embedded' | 'postgres'; db: Db; pool: pg.Pool; close(): Promise<void> };

/** Delay before each attempt to reopen the embedded database after it has stopped. */
const openAgainMs = 2000;
/** Limits how long connecting takes, and not how long a request waits for a connection that others use. */
class LimitedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 20_000 });
  }
}

const isEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0;

/** Throws where a new database would be created over one that is damaged or unexpectedly missing. */
const refuseLostDatabase = (dataDir: string, directory: string): void => {
  if (existsSync(join(directory, 'PG_VERSION'))) return;
  if (!isEmpty(directory))
    throw new Error(
      `${directory} has files in it, but its PG_VERSION is missing: this is a database that is damaged, or that was copied only in part. Nothing has been changed. Bring back the whole folder from a copy, or move it away and fill a new database with: npm run operator -- restore FOLDER.`,
    );
  if (!isEmpty(join(dataDir, 'files')))
    throw new Error(
      `${dataDir} has uploaded files, but no database (${directory}). Nothing has been changed. Was DATABASE_URL left out, or the database folder not brought along? To begin with a new database, move ${join(dataDir, 'files')} away first.`,
    );
  // An empty folder that is itself a mount point cannot be replaced: the database is created inside it.
  try {
    rmdirSync(directory);
  } catch {}
};

/** Records the folder of the socket, so that the next server deletes what a killed one left behind. */
const socketNote = 'socket';
const socketFolder = /^lantern-db-[0-9a-f]{12}$/;
const socketName = '.s.PGSQL.5432';

/**
 * A folder for the socket, for the holder of the lock of `dataDir`: the path of a socket beside it may be too long. Returns a function that
 * deletes it.
 */
const openSocketFolder = (dataDir: string): { folder: string; remove: () => void } => {
  const note = join(dataDir, socketNote);
  const removeFolder = (folder: string) => {
    if (!socketFolder.test(basename(folder))) return;
    try {
      rmSync(join(folder, socketName), { force: true });
      // Only the socket: the note is not trusted any further.
      rmdirSync(folder);
    } catch {}
  };
  try {
    removeFolder(readFileSync(note, 'utf8').trim());
  } catch {}
  const folder = join(tmpdir(), `lantern-db-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(note, `${folder}\n`, { mode: privateFile });
  } catch {
    // A full disk must not keep a server from starting.
  }
  mkdirSync(folder, { mode: privateFolder });
  const atEnd = () => removeFolder(folder);
  process.on('exit', atEnd);
  return {
    folder,
    remove: () => {
      process.off('exit', atEnd);
      removeFolder(folder);
      rmSync(note, { force: true });
    },
  };
};

type Say = (line: string) => void;
const sayOnConsole: Say = (line) => console.error(line);

const openEmbedded = async (dataDir: string, say: Say): Promise<OpenDatabase> => {
  const directory = join(dataDir, 'database');
  const release = await lockDirectory(dataDir, {
    say,
    onLost: (why) => {
      // At once, and without a last write: another server may be writing to the same files.
      console.error(`${why}. This server ends, so that no two of them write to the same database.`);
      process.exit(1);
    },
  });
  const socket = openSocketFolder(dataDir);
  const { folder } = socket;
  let closing = false;
  let worker: Worker | null = null;

  const start = async (): Promise<void> => {
    const started = new Worker(new URL('./embedded-worker.ts', import.meta.url), {
      workerData: { directory, socket: join(folder, socketName), flush: process.env.LANTERN_TEST_NO_FLUSH !== 'true' },
    });
    await new Promise<void>((ready, failed) => {
      let why = 'its thread has ended';
      let isReady = false;
      started.on('message', (word: 'ready' | 'closed' | { failed: string }) => {
        if (word === 'ready') {
          isReady = true;
          worker = started;
          ready();
        } else if (word !== 'closed') {
          why = word.failed;
          void started.terminate();
        }
      });
      started.on('error', (error) => {
        why = error.message;
      });
      started.on('exit', () => {
        if (worker === started) worker = null;
        if (!isReady) failed(new Error(why));
        else if (!closing) void openAgain(why);
      });
    });
  };
  /** Until it is open again, every statement fails at once and every request is answered with 503. */
  const openAgain = async (why: string): Promise<void> => {
    const since = Date.now();
    say(
      `The embedded database in ${directory} has stopped: ${why}. Nothing that was answered is lost. Until it is open again requests are answered with 503; it is tried every ${openAgainMs / 1000} s. Is there space left on its volume?`,
    );
    for (let lastReason = why; !closing; ) {
      await new Promise((done) => setTimeout(done, openAgainMs));
      if (closing) return;
      try {
        await start();
        say(`The embedded database is open again after ${Math.round((Date.now() - since) / 1000)} s.`);
        return;
      } catch (error) {
        const { message } = error as Error;
        if (message !== lastReason) say(`The embedded database could not be opened: ${message}`);
        lastReason = message;
      }
    }
  };

  try {
    const unchangedPaths = makePrivate(dataDir);
    if (unchangedPaths.length > 0)
      say(
        `${unchangedPaths.length} files in ${dataDir} could not be made private, such as ${unchangedPaths[0]}. Other accounts may be able to read them.`,
      );
    refuseLostDatabase(dataDir, directory);
    await start().catch((error: Error) => {
      throw new Error(`The embedded database in ${directory} could not be opened: ${error.message}`);
    });
  } catch (error) {
    socket.remove();
    release();
    throw error;
  }
  // One connection: the database has one session, and messages of two connections could mix in the middle of a statement.
  const pool = new pg.Pool({ host: folder, port: 5432, user: 'postgres', database: 'postgres', max: 1, idleTimeoutMillis: 0 });
  // The end of the thread reports it.
  pool.on('error', () => undefined);
  const db = dbOver(pool);
  const endTending = keepTended(db);
  return {
    kind: 'embedded',
    pool,
    db,
    close: async () => {
      closing = true;
      await endTending();
      await pool.end();
      if (worker) {
        const ended = once(worker, 'exit');
        worker.postMessage('close');
        await ended;
      }
      socket.remove();
      release();
    },
  };
};

/** Opens the configured database. The same statements run on both kinds. */
export const openDatabase = async (
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'> & Partial<Pick<Config, 'DATABASE_CONNECTIONS'>>,
  say = sayOnConsole,
): Promise<OpenDatabase> => {
  if (!config.DATABASE_URL) {
    mkdirSync(config.DATA_DIR, { recursive: true, mode: privateFolder });
    return openEmbedded(config.DATA_DIR, say);
  }
  // Statements here are many and short, and compiling one (JIT) takes longer than running it. A new connection first has to load the
  // catalogue of every table. Statements of a transaction that do not depend on one another are pipelined: a round trip takes longer than most of them.
  const pool = new pg.Pool({
    connectionString: config.DATABASE_URL,
    max: config.DATABASE_CONNECTIONS,
    idleTimeoutMillis: 300_000,
    options: '-c jit=off',
    pipeline: true,
    // A server that went away without a word, as in a failover, is noticed.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    Client: LimitedClient,
  });
  pool.on('error', () => undefined);
  // Before the first connection: it too can be lost, and an error that nobody hears would end the process.
  const db = dbOver(pool);
  const { rows } = await pool.query<{ server_version_num: string }>('show server_version_num');
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (version < 15) {
    await pool.end();
    throw new Error(`DATABASE_URL answers as PostgreSQL ${version}; 15 or newer is needed.`);
  }
  return { kind: 'postgres', pool, db, close: () => pool.end() };
};
