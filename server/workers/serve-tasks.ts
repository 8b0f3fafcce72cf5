import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { Answer } from '#server/workers/worker-pool.ts';

type Port = { post(answer: Answer): void; listen(on: (message: { task: string; input: never; timeMs: number }) => Promise<void>): void };
const thread: Port = {
  post: (message) => parentPort?.postMessage(message),
  listen: (on) => void parentPort?.on('message', on),
};
const checkEveryMs = 20;
/** A normal exit would wait for native code to finish. */
const end = () => process.kill(process.pid, 'SIGKILL');
const child: Port = {
  post: (message) => process.send?.(message),
  listen: (on) => {
    const mostBytes = Number(process.argv[2]) * 1024 * 1024;
    let endAtMs = Number.POSITIVE_INFINITY;
    const computedMs = () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    };
    process.on('message', async (message: Parameters<typeof on>[0]) => {
      endAtMs = computedMs() + message.timeMs;
      await on(message);
      endAtMs = Number.POSITIVE_INFINITY;
    });
    // Ends with the server.
    process.on('disconnect', end);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
    // Lower priority than requests.
    setPriority(10);
    // Native code ignores JavaScript limits, but this thread can measure it.
    setInterval(() => {
      const limit = process.memoryUsage.rss() > mostBytes ? 'memory' : computedMs() > endAtMs ? 'time' : undefined;
      if (limit) process.send?.({ limit } satisfies Answer, undefined, undefined, () => end());
    }, checkEveryMs);
  },
};

/** Runs the tasks of a worker pool one after another inside a worker. */
export const serveTasks = (tasks: Record<string, (input: never) => Promise<unknown>>): void => {
  const port = parentPort ? thread : child;
  port.listen(async ({ task, input }) => {
    try {
      const work = tasks[task];
      if (!work) throw new Error(`There is no task ${task}`);
      port.post({ value: await work(input) });
    } catch (thrown) {
      const error = thrown as Error;
      port.post({ error: { name: error.name, message: error.message, fields: { ...error } } });
    }
  });
};
