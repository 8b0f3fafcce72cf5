import type { TestProject } from 'vitest/node';

import pg from 'pg';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { demoTemplate } from '#tests/support/demo-folder.ts';
import { startPostgres } from '#tests/support/postgres-cluster.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates the databases that tests copy: a folder for the embedded one, a template for PostgreSQL. */
export default async (project: TestProject) => {
  await demoTemplate();
  if (!project.config.name?.startsWith('postgres')) {
    project.provide('postgresUrl' as never, '' as never);
    return undefined;
  }
  const cluster = await startPostgres(['-c fsync=off']);
  const admin = new pg.Client(cluster.url);
  await admin.connect();
  await admin.query('create database lantern_template');
  const folder = mkdtempSync(join(tmpdir(), 'lantern-files-'));
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: cluster.url.replace(/postgres$/, 'lantern_template') });
  await migrate(database.pool);
  await fillWithDemoData(database.db, createFileStore(`${folder}/files`), new Date());
  await database.close();
  await admin.end();
  project.provide('postgresUrl' as never, cluster.url as never);
  project.provide('postgresFiles' as never, folder as never);
  return () => {
    cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  };
};
