import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { installDurableFs } from '#server/db/durable-fs.ts';
import { keepPrivate, privateFolder } from '#server/files/private-files.ts';

/**
 * The embedded database in its own thread, so that no query blocks the HTTP server. It speaks the PostgreSQL protocol. Any fatal error ends
 * the thread with its reason: what was answered is on disk, and the next thread recovers from there.
 */
const { directory, socket, flush } = workerData as { directory: string; socket: string; flush: boolean };
const drafted = `${directory}.new`;
keepPrivate(dirname(directory));
const durable = flush ? installDurableFs(directory) : undefined;
const { PGlite } = await import('@electric-sql/pglite');
const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket');

const fail = (error: unknown): void => {
  parentPort?.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  parentPort?.close();
};

const [sync, query, readyForQuery, errorResponse] = [0x53, 0x51, 0x5a, 0x45];
/**
 * Every series of messages ends with “ready for query”, also where a statement fails. If that is missing, the database has panicked and
 * would answer nothing more. Returns the reason, or undefined.
 */
const panicIn = (message: Uint8Array, answer: Buffer): string | undefined => {
  if ((message[0] !== sync && message[0] !== query) || answer.at(-6) === readyForQuery) return undefined;
  for (let at = 0; at + 5 < answer.length; at += 1 + answer.readUInt32BE(at + 1)) {
    if (answer[at] !== errorResponse) continue;
    const fields = answer
      .subarray(at + 5, at + 1 + answer.readUInt32BE(at + 1))
      .toString()
      .split('\0');
    return fields.find((f) => f.startsWith('M'))?.slice(1);
  }
  return 'it has given no answer';
};

try {
  if (!existsSync(directory)) {
    // Built beside its final place: an interrupted attempt is never taken for a database.
    rmSync(drafted, { recursive: true, force: true });
    mkdirSync(drafted, { mode: privateFolder });
    const draft = await PGlite.create(drafted);
    await draft.close();
    durable?.flushData();
    renameSync(drafted, directory);
    if (process.platform !== 'win32') {
      const parent = openSync(dirname(directory), 'r');
      fsyncSync(parent);
      closeSync(parent);
    }
  }
  const database = await PGlite.create(directory);
  durable?.flushData();
  const stream = database.execProtocolRawStream.bind(database);
  let broken = false;
  database.execProtocolRawStream = async (message, options) => {
    const held: Uint8Array[] = [];
    try {
      if (broken) throw new Error('the database has stopped');
      await stream(message, { ...options, onRawData: (data: Uint8Array) => held.push(data.slice()) });
      const panic = panicIn(message, Buffer.concat(held));
      if (panic) throw new Error(panic);
      durable?.flushLog();
    } catch (error) {
      // A panic of the database or a failed flush: nothing it says from here on can be trusted.
      if (!broken) fail(error);
      broken = true;
      throw error;
    }
    for (const data of held) options?.onRawData(data);
  };
  rmSync(socket, { force: true });
  const server = new PGLiteSocketServer({ db: database, path: socket, maxConnections: 32 });
  await server.start();
  parentPort?.on('message', async () => {
    await server.stop();
    await database.close();
    durable?.flushData();
    parentPort?.postMessage('closed');
    parentPort?.close();
  });
  parentPort?.postMessage('ready');
} catch (error) {
  fail(error);
}
