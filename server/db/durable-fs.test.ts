import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installDurableFs } from '#server/db/durable-fs.ts';

/** The order of writes and flushes on which a power cut depends. */
describe('the embedded database’s files', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'lantern-fs-'));
  const kept = { open: fs.openSync, write: fs.writeSync, rename: fs.renameSync, data: fs.fdatasyncSync, all: fs.fsyncSync };
  const events: string[] = [];
  let durable: ReturnType<typeof installDurableFs>;
  const names = new Map<number, string>();
  beforeAll(() => {
    for (const sub of ['pg_wal', 'base', 'global']) fs.mkdirSync(join(folder, sub));
    fs.openSync = ((path: string, ...rest: [string]) => {
      const fd = kept.open(path, ...rest);
      names.set(fd, path.slice(folder.length + 1));
      return fd;
    }) as typeof fs.openSync;
    fs.writeSync = ((fd: number, ...rest: [string]) => {
      events.push(`write ${names.get(fd)}`);
      return kept.write(fd, ...rest);
    }) as typeof fs.writeSync;
    fs.fdatasyncSync = (fd) => {
      events.push(`flush ${names.get(fd)}`);
    };
    durable = installDurableFs(folder);
  });
  afterAll(() => {
    Object.assign(fs, { openSync: kept.open, writeSync: kept.write, renameSync: kept.rename, fdatasyncSync: kept.data, fsyncSync: kept.all });
    fs.rmSync(folder, { recursive: true });
  });

  it('flushes the log before a data page, all data before the control file, and the log before an answer', () => {
    const [log, page, control] = ['pg_wal/1', 'base/1', 'global/pg_control'].map((name) => fs.openSync(join(folder, name), 'w'));
    fs.writeSync(log as number, 'log');
    fs.writeSync(page as number, 'page');
    fs.writeSync(control as number, 'control');
    fs.writeSync(log as number, 'more');
    durable.flushLog();
    expect(events).toEqual([
      'write pg_wal/1',
      'flush pg_wal/1',
      'write base/1',
      'flush base/1',
      'write global/pg_control',
      'write pg_wal/1',
      'flush pg_wal/1',
    ]);
    durable.flushLog();
    expect(events).toHaveLength(7);
  });
});
