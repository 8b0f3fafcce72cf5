import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fillWithDemoData } from '#server/db/demo/fill.ts';
import { migrate } from '#server/db/migrate.ts';
import { openDatabase } from '#server/db/open.ts';
import { plantCanary } from '#tests/support/canary.ts';
import { createFileStore } from '#server/files/file-store.ts';

const root = new URL('../../', import.meta.url).pathname;
const newest = (path: string): number =>
  statSync(path).isDirectory() ? Math.max(...readdirSync(path).map((n) => newest(join(path, n)))) : statSync(path).mtimeMs;

/**
 * A data folder with demo data in the embedded database, created once and copied for each test. `planted`: with a canary
 * organisation (canary.ts).
 */
export const demoTemplate = async (planted = false): Promise<string> => {
  const template = join(root, 'node_modules', '.cache', planted ? 'lantern-demo-planted' : 'lantern-demo');
  const today = new Date().toISOString().slice(0, 10);
  const mark = join(template, `made-${today}`);
  const isFresh = () =>
    existsSync(mark) && statSync(mark).mtimeMs > Math.max(...['server/db', 'contract', 'tests/support/canary.ts'].map((n) => newest(join(root, n))));
  if (isFresh()) return template;
  const draft = `${template}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const database = await openDatabase({ DATA_DIR: draft, DATABASE_URL: undefined });
  await migrate(database.pool);
  await fillWithDemoData(database.db, createFileStore(join(draft, 'files')), new Date());
  if (planted) await plantCanary(database.db);
  await database.close();
  mkdirSync(join(draft, `made-${today}`));
  const replaced = `${draft}.replaced`;
  if (existsSync(template) && !isFresh()) renameSync(template, replaced);
  try {
    renameSync(draft, template);
  } catch (error) {
    // Another process was faster; its folder can be used.
    if (!isFresh()) throw error;
  }
  for (const left of [draft, replaced]) rmSync(left, { recursive: true, force: true });
  return template;
};

/** Copies what is in a folder. With `cpSync` nothing else would run meanwhile, such as the test before. */
export const copyFolder = (from: string, to: string) => promisify(execFile)('cp', ['-R', '-p', `${from}/.`, to]);

/** A fresh copy of the demo data folder. The caller removes it. */
export const demoFolder = async (planted = false): Promise<string> => {
  const template = await demoTemplate(planted);
  const folder = mkdtempSync(join(tmpdir(), 'lantern-test-'));
  await copyFolder(template, folder);
  return folder;
};
