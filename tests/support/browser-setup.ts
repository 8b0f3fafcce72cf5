import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { plantCanary } from '#tests/support/canary.ts';
import { hostedTemplate } from '#tests/support/hosted-server.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';

/**
 * Before the first browser test: a PostgreSQL with the demo data and a canary organisation, which the server of each test copies. It is a
 * twelfth of the processor time that an embedded database takes to open; that one is the matter of the database tests, of the tests with
 * servers of their own, of other engines and of the fault campaigns.
 */
export default async () => {
  const cluster = await startPostgres(['-c fsync=off']);
  const folder = mkdtempSync(join(tmpdir(), 'lantern-browser-'));
  const admin = new pg.Client(cluster.url);
  await admin.connect();
  await admin.query(`create database ${hostedTemplate.database}`);
  await admin.end();
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: cluster.url.replace(/postgres$/, hostedTemplate.database) });
  await migrate(database.pool);
  await fillWithDemoData(database.db, createFileStore(join(folder, 'files')), new Date());
  await plantCanary(database.db);
  await database.close();
  process.env[hostedTemplate.url] = cluster.url;
  process.env[hostedTemplate.folder] = folder;
  return () => {
    cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
};
