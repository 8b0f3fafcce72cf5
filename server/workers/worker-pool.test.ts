import { expect, it } from 'vitest';
import { createWorkerPool } from '#server/workers/worker-pool.ts';

const tasks = `
  import { serveTasks } from '${new URL('./serve-tasks.ts', import.meta.url).href}';
  serveTasks({
    double: async (n) => 2 * n,
    spin: async () => { for (;;); },
    fill: async () => { const held = []; for (;;) held.push(Array.from({ length: 1000 }, () => ({}))); },
    leave: async () => process.exit(0),
    refuse: async () => { throw Object.assign(new TypeError('no'), { problems: ['a'] }); },
  });`;
const pool = (more = {}) =>
  createWorkerPool({
    module: new URL(`data:text/javascript,${encodeURIComponent(tasks)}`),
    threads: 2,
    memoryMb: 32,
    waiting: 3,
    idleMs: 500,
    ...more,
  });
const longMs = 30_000;

it('does tasks elsewhere, ends what reaches a limit, and goes on with the next', async () => {
  const { run } = pool();
  expect(await Promise.all([1, 2, 3].map((n) => run('double', n, longMs)))).toEqual([2, 4, 6]);
  await expect(run('spin', null, 300)).rejects.toMatchObject({ limit: 'time' });
  await expect(run('fill', null, longMs)).rejects.toMatchObject({ limit: 'memory' });
  await expect(run('leave', null, longMs)).rejects.toThrow(/ended without an answer/);
  // The same thread does one task after another, also when it has had none for a while.
  for (const n of [4, 5, 6]) expect(await run('double', n, longMs)).toBe(2 * n);
});

it('hands on what a task throws, with its fields', async () => {
  await expect(pool().run('refuse', null, longMs)).rejects.toMatchObject({ name: 'TypeError', message: 'no', problems: ['a'] });
  await expect(pool().run('unknown', null, longMs)).rejects.toThrow(/no task unknown/);
});

it('refuses at once what would wait behind too many others, and does what waits when there is room', async () => {
  const { run } = pool({ threads: 1, waiting: 1 });
  const running = run('spin', null, 500).catch((error: unknown) => error);
  const waiting = run('double', 5, longMs);
  await expect(run('double', 6, longMs)).rejects.toMatchObject({ limit: 'busy' });
  expect(await running).toMatchObject({ limit: 'time' });
  expect(await waiting).toBe(10);
});
