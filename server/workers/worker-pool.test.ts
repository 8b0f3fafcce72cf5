import { pbkdf2Sync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { withinScope } from '#server/db/scope.ts';
import { createWorkerPool } from '#server/workers/worker-pool.ts';

const tasks = `
  import { pbkdf2Sync } from 'node:crypto';
  import { serveTasks } from '${new URL('./serve-tasks.ts', import.meta.url).href}';
  serveTasks({
    double: async (n) => 2 * n,
    spin: async () => { for (;;); },
    fill: async () => { const held = []; for (;;) held.push(Array.from({ length: 1000 }, () => ({}))); },
    leave: async () => process.exit(0),
    native: async (n) => pbkdf2Sync('a', 'b', n, 64, 'sha512'),
    refuse: async () => { throw Object.assign(new TypeError('no'), { problems: ['a'] }); },
  });`;
const pool = (more = {}) =>
  createWorkerPool({
    module: new URL(`data:text/javascript,${encodeURIComponent(tasks)}`),
    workers: 2,
    memoryMb: 32,
    waiting: 3,
    idleMs: 500,
    ...more,
  });
const longMs = 30_000;

it('runs tasks in a worker, ends those that reach a limit, and continues with the next', async () => {
  const { run } = pool();
  expect(await Promise.all([1, 2, 3].map((n) => run('double', n, longMs)))).toEqual([2, 4, 6]);
  await expect(run('spin', null, 300)).rejects.toMatchObject({ limit: 'time' });
  await expect(run('fill', null, longMs)).rejects.toMatchObject({ limit: 'memory' });
  await expect(run('leave', null, longMs)).rejects.toThrow(/ended without an answer/);
  // A thread is reused, also after a pause.
  for (const n of [4, 5, 6]) expect(await run('double', n, longMs)).toBe(2 * n);
});

it('reports the time limit even if native code blocks the thread, and meanwhile gives its place to no other task', async () => {
  const { run } = pool({ workers: 1 });
  const timed = async (work: () => unknown) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  await run('double', 1, longMs);
  const rounds = 400_000;
  const nativeMs = 20 * (await timed(() => pbkdf2Sync('a', 'b', rounds, 64, 'sha512')));
  let next: Promise<number> | undefined;
  const toldAfterMs = await timed(async () => {
    const native = run('native', 20 * rounds, 200);
    next = timed(() => run('double', 2, longMs));
    await expect(native).rejects.toMatchObject({ limit: 'time' });
  });
  expect(toldAfterMs).toBeLessThan(nativeMs / 2);
  expect(await next).toBeGreaterThan(nativeMs / 2);
}, 60_000);

it('passes on thrown errors with their fields', async () => {
  await expect(pool().run('refuse', null, longMs)).rejects.toMatchObject({ name: 'TypeError', message: 'no', problems: ['a'] });
  await expect(pool().run('unknown', null, longMs)).rejects.toThrow(/no task unknown/);
});

it('refuses tasks when the queue is full, and runs queued ones when there is room', async () => {
  const { run } = pool({ workers: 1, waiting: 1 });
  const running = run('spin', null, 500).catch((error: unknown) => error);
  const waiting = run('double', 5, longMs);
  await expect(run('double', 6, longMs)).rejects.toMatchObject({ limit: 'busy' });
  expect(await running).toMatchObject({ limit: 'time' });
  expect(await waiting).toBe(10);
});

it('leaves a worker to other organisations, however much one asks for', async () => {
  const { run } = pool();
  const asOne = <T>(home: string, work: () => Promise<T>) => withinScope({ user: home, home, place: home }, work);
  let ended = 0;
  const spinning = [1, 2].map(() => asOne('a', () => run('spin', null, 4000)).catch(() => ended++));
  expect(await asOne('b', () => run('double', 2, longMs))).toBe(4);
  expect(ended).toBe(0);
  await Promise.all(spinning);
}, 60_000);

describe('in processes', () => {
  const tasks = `
    import { serveTasks } from '${new URL('./serve-tasks.ts', import.meta.url).href}';
    import { pbkdf2 } from 'node:crypto';
    const held = [];
    const rest = () => new Promise((done) => setImmediate(done));
    serveTasks({
      double: async (n) => 2 * n,
      bytes: async (bytes) => bytes.map((b) => b + 1),
      secrets: async () => Object.keys(process.env),
      id: async () => process.pid,
      native: () => new Promise((done) => pbkdf2('a', 'b', 2 ** 31 - 1, 64, 'sha512', done)),
      fill: async () => { for (;;) { held.push(Buffer.alloc(2 ** 20, 1)); await rest(); } },
      leave: async () => process.kill(process.pid, 'SIGKILL'),
      refuse: async () => { throw Object.assign(new TypeError('no'), { problems: ['a'] }); },
    });`;
  const folder = mkdtempSync(join(tmpdir(), 'worker-pool-'));
  const file = join(folder, 'tasks.mts');
  writeFileSync(file, tasks);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('does the same, also ends native code, and hides the environment from the process', async () => {
    const { run } = pool({ kind: 'processes', module: pathToFileURL(file), workers: 1, memoryMb: 256 });
    expect(await run('bytes', Uint8Array.of(1, 2), longMs)).toEqual(Uint8Array.of(2, 3));
    const id = await run<number>('id', null, longMs);
    await expect(run('native', null, 200)).rejects.toMatchObject({ limit: 'time' });
    expect(() => process.kill(id, 0)).toThrow(/ESRCH/);
    await expect(run('fill', null, longMs)).rejects.toMatchObject({ limit: 'memory' });
    await expect(run('leave', null, longMs)).rejects.toThrow(/ended without an answer/);
    await expect(run('refuse', null, longMs)).rejects.toMatchObject({ name: 'TypeError', message: 'no', problems: ['a'] });
    for (const n of [4, 5]) expect(await run('double', n, longMs)).toBe(2 * n);
    expect(await run<string[]>('secrets', null, longMs)).not.toContain('NODE_ENV');
  });
});
