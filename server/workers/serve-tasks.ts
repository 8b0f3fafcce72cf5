import { parentPort } from 'node:worker_threads';

/** Answers the tasks of a worker pool, one after another, inside its thread. */
export const serveTasks = (tasks: Record<string, (input: never) => Promise<unknown>>): void => {
  parentPort?.on('message', async ({ task, input }: { task: string; input: never }) => {
    try {
      const work = tasks[task];
      if (!work) throw new Error(`There is no task ${task}`);
      parentPort?.postMessage({ value: await work(input) });
    } catch (thrown) {
      const error = thrown as Error;
      parentPort?.postMessage({ error: { name: error.name, message: error.message, fields: { ...error } } });
    }
  });
};
