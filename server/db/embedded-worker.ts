import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { installDurableFs } from '#server/db/durable-fs.ts';

/** The embedded database in a thread of its own, so that no query holds up the HTTP server. Spoken to as PostgreSQL. */
const { directory, flush } = workerData as { directory: string; flush: boolean };
const durable = flush ? installDurableFs(directory) : undefined;
const { PGlite } = await import('@electric-sql/pglite');
const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket');

const database = await PGlite.create(directory);
if (durable) {
  durable.flushData();
  const stream = database.execProtocolRawStream.bind(database);
  database.execProtocolRawStream = async (message, options) => {
    const held: Uint8Array[] = [];
    await stream(message, { ...options, onRawData: (data: Uint8Array) => held.push(data.slice()) });
    durable.flushLog();
    for (const data of held) options?.onRawData(data);
  };
}
const folder = mkdtempSync(join(tmpdir(), 'lantern-db-'));
const server = new PGLiteSocketServer({ db: database, path: join(folder, '.s.PGSQL.5432'), maxConnections: 32 });
await server.start();
parentPort?.on('message', async () => {
  await server.stop();
  await database.close();
  durable?.flushData();
  rmSync(folder, { recursive: true, force: true });
  parentPort?.postMessage('closed');
  parentPort?.close();
});
parentPort?.postMessage({ folder });
