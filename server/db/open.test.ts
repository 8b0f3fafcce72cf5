import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { lockDirectory, lockFile } from '#server/db/lock-directory.ts';
import { openDatabase } from '#server/db/open.ts';
import { sql } from '#server/db/sql.ts';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-open-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the lock of the embedded database’s folder', () => {
  const others: ChildProcess[] = [];
  /** Another process that has the lock. */
  const another = async (folder: string): Promise<ChildProcess> => {
    const code = `import { lockDirectory } from ${JSON.stringify(new URL('./lock-directory.ts', import.meta.url).href)};
      await lockDirectory(${JSON.stringify(folder)}); console.log('has it'); setInterval(() => undefined, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    others.push(child);
    await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
    return child;
  };
  afterEach(() => {
    for (const child of others.splice(0)) child.kill('SIGKILL');
  });

  it('is held against every other process, and said by whom', async () => {
    const folder = newFolder();
    const { pid } = await another(folder);
    expect(readdirSync(folder).sort()).toEqual(['database.lock', 'lock']);
    await expect(lockDirectory(folder, { waitMs: 0 })).rejects.toThrow(new RegExp(`in use by another server \\(process ${pid} on .+\\)`));
  });
  it('ends with its process, however that ends: a start waits for it', async () => {
    const folder = newFolder();
    const child = await another(folder);
    const said: string[] = [];
    const waiting = lockDirectory(folder, {
      say: (line) => {
        said.push(line);
        child.kill('SIGKILL');
      },
    });
    (await waiting)();
    expect(said).toEqual([expect.stringContaining('Waiting up to 10 s')]);
  });
  it('hangs on no process id: one that is in use again, in this container or another, keeps nobody out', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'lock'), String(process.ppid));
    const release = await lockDirectory(folder, { waitMs: 0 });
    await expect(lockDirectory(folder, { waitMs: 0 })).rejects.toThrow('in use');
    release();
    (await lockDirectory(folder, { waitMs: 0 }))();
    expect(existsSync(join(folder, lockFile))).toBe(true);
  });
});

describe('the embedded database', () => {
  it('is never made in the place of one that is damaged, and never half made', { timeout: 60_000 }, async () => {
    const folder = newFolder();
    // A creation that was interrupted.
    mkdirSync(join(folder, 'database.new', 'base'), { recursive: true });
    const database = await openDatabase({ DATA_DIR: folder });
    await database.db.run(sql`create table kept (what text)`);
    await database.db.run(sql`insert into kept values ('a message')`);
    await database.close();
    expect(existsSync(join(folder, 'database.new'))).toBe(false);

    const directory = join(folder, 'database');
    const version = join(directory, 'PG_VERSION');
    renameSync(version, join(folder, 'version'));
    const files = readdirSync(directory);
    await expect(openDatabase({ DATA_DIR: folder })).rejects.toThrow(/PG_VERSION is missing.+Nothing has been changed.+operator -- restore/);
    expect(readdirSync(directory)).toEqual(files);
    // Files without their database, as if DATABASE_URL had been forgotten.
    const without = newFolder();
    mkdirSync(join(without, 'files', 'ab'), { recursive: true });
    await expect(openDatabase({ DATA_DIR: without })).rejects.toThrow(/uploaded files, but no database.+DATABASE_URL/);
    expect(existsSync(join(without, 'database'))).toBe(false);
    // A database that cannot be opened is reported, and nothing hangs.
    const damaged = newFolder();
    cpSync(folder, damaged, { recursive: true });
    writeFileSync(join(damaged, 'database', 'PG_VERSION'), 'nothing');
    await expect(openDatabase({ DATA_DIR: damaged })).rejects.toThrow('could not be opened');

    renameSync(join(folder, 'version'), version);
    const again = await openDatabase({ DATA_DIR: folder });
    expect(await again.db.all(sql`select what from kept`)).toEqual([{ what: 'a message' }]);
    await again.close();
    // What it has written is readable by its account only.
    if (process.platform !== 'win32') {
      const open = (path: string): string[] => [
        ...((statSync(path).mode & 0o077) === 0 ? [] : [path]),
        ...(statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => open(join(path, name))) : []),
      ];
      expect(open(folder)).toEqual([]);
    }
  });

  it('leaves no folder behind where temporary files lie, however its server ended', { timeout: 60_000 }, async () => {
    const [folder, temporary] = [newFolder(), newFolder()];
    const program = join(newFolder(), 'server.mjs');
    const code = `import { openDatabase } from ${JSON.stringify(new URL('./open.ts', import.meta.url).href)};
      await openDatabase({ DATA_DIR: ${JSON.stringify(folder)} }); console.log('open');
      process.on('message', () => process.exit(1));`;
    writeFileSync(program, code);
    const start = async () => {
      const child = spawn(process.execPath, [program], {
        stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
        env: { ...process.env, TMPDIR: temporary },
      });
      await once(child.stdout as NonNullable<typeof child.stdout>, 'data');
      return child;
    };
    const end = async (child: ChildProcess, how: () => unknown) => {
      const ended = once(child, 'exit');
      how();
      await ended;
    };
    const killed = await start();
    await end(killed, () => killed.kill('SIGKILL'));
    const [left] = readdirSync(temporary);
    expect(left).toMatch(/^lantern-db-/);
    // Other people's files there are not deleted.
    writeFileSync(join(folder, 'socket'), join(temporary, 'lantern-db-0123456789ab'));
    mkdirSync(join(temporary, 'lantern-db-0123456789ab', 'of somebody else'), { recursive: true });
    const another = await start();
    await end(another, () => another.kill('SIGKILL'));
    expect(existsSync(join(temporary, 'lantern-db-0123456789ab', 'of somebody else'))).toBe(true);
    const before = readdirSync(temporary);
    const exited = await start();
    expect(readdirSync(temporary)).toHaveLength(before.length);
    await end(exited, () => exited.send('exit'));
    expect(readdirSync(temporary)).toHaveLength(before.length - 1);
    expect(readdirSync(temporary)).toContain(left);
  });
});
