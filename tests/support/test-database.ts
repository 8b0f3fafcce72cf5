import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { copyFolder, demoFolder } from '#tests/support/demo-folder.ts';
import { copyOfDatabase } from '#tests/support/postgres-cluster.ts';

/** Values provided by tests/support/database-setup.ts. */
const provided = (name: string): string => inject(name as never) as string;

/** A data folder and its database. `url` is undefined where that is the embedded one, in the folder. */
export type TestDatabase = { folder: string; url: string | undefined; remove(): Promise<void> };

/** On the database of this run, with the demo data or with nothing at all; not opened. */
export const makeTestDatabase = async ({ empty = false } = {}): Promise<TestDatabase> => {
  const postgres = provided('databaseKind') === 'postgres';
  const folder = postgres || empty ? mkdtempSync(join(tmpdir(), 'lantern-test-')) : await demoFolder();
  if (postgres && !empty) await copyFolder(provided('postgresFiles'), folder);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (!postgres) return { folder, url: undefined, remove: async () => removeFolder() };
  const name = `t_${randomUUID().replaceAll('-', '')}`;
  const admin = provided('postgresUrl');
  const ask = async (statement: string) => {
    const client = new pg.Client(admin);
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await ask(empty ? `create database ${name}` : copyOfDatabase(name, 'lantern_template'));
  return {
    folder,
    url: admin.replace(/postgres$/, name),
    remove: async () => {
      await ask(`drop database ${name} with (force)`);
      removeFolder();
    },
  };
};
