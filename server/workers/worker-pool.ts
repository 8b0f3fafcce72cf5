import { Worker } from 'node:worker_threads';

/** Why a task was ended before it was done: it took too long, or too much memory, or too many others were waiting. */
export type LimitReached = 'time' | 'memory' | 'busy';
export class WorkerLimitError extends Error {
  readonly limit: LimitReached;
  constructor(limit: LimitReached) {
    super(`The task was ended: ${limit}`);
    this.limit = limit;
  }
}

type Task = { message: { task: string; input: unknown }; timeMs: number; done: (value: unknown) => void; failed: (error: Error) => void };
/** What a worker answers. An error keeps its name, its message and its own enumerable fields. */
type Answer = { value: unknown } | { error: { name: string; message: string; fields: Record<string, unknown> } };

export type WorkerPoolOptions = {
  /** The module that each thread runs; it calls `serveTasks`. */
  module: URL;
  threads: number;
  /** What one task may hold in JavaScript memory. Buffers are bounded by the sizes that a task accepts. */
  memoryMb: number;
  /** Tasks beyond these are refused at once. */
  waiting: number;
  /** A thread without work ends after so long. */
  idleMs: number;
};

/**
 * Runs tasks on threads of their own, so that no input can hold up the thread that answers requests. A task that takes too
 * long or too much memory is ended with its thread (WorkerLimitError); the next task gets a fresh one. Threads start when
 * they are needed and do not keep the process alive.
 */
export const createWorkerPool = ({ module, threads, memoryMb, waiting, idleMs }: WorkerPoolOptions) => {
  const queue: Task[] = [];
  const idle = new Map<Worker, () => void>();
  let running = 0;

  const start = (): Worker => {
    const worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 48, stackSizeMb: 4 },
      // The process may have been started with flags that a thread refuses.
      execArgv: [],
    });
    worker.unref();
    return worker;
  };
  /** Listens until the answer, an error or the end of a thread; `stop` ends that. */
  const listen = (worker: Worker, on: { message?: (answer: Answer) => void; ended: (error: Error) => void }) => {
    const message = (answer: Answer) => on.message?.(answer);
    const error = (error: Error & { code?: string }) => on.ended(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkerLimitError('memory') : error);
    const exit = () => on.ended(new Error('The worker ended without an answer'));
    worker.on('message', message).on('error', error).on('exit', exit);
    return () => void worker.off('message', message).off('error', error).off('exit', exit);
  };
  /** Without work: it waits for some, and ends when none comes. */
  const rest = (worker: Worker) => {
    const end = () => {
      idle.get(worker)?.();
      idle.delete(worker);
      void worker.terminate();
    };
    const timer = setTimeout(end, idleMs).unref();
    const stop = listen(worker, { ended: end });
    // Listening made the process wait for this thread again.
    worker.unref();
    idle.set(worker, () => {
      clearTimeout(timer);
      stop();
    });
  };
  const rested = (): Worker | undefined => {
    for (const [worker, wake] of idle) {
      wake();
      idle.delete(worker);
      return worker;
    }
    return undefined;
  };
  const next = () => {
    const task = queue.shift();
    if (task) void work(task);
  };
  const work = async (task: Task) => {
    running++;
    const worker = rested() ?? start();
    let timer: NodeJS.Timeout | undefined;
    let stop = () => {};
    try {
      const answer = await new Promise<Answer>((message, ended) => {
        timer = setTimeout(() => ended(new WorkerLimitError('time')), task.timeMs);
        stop = listen(worker, { message, ended });
        worker.postMessage(task.message);
      });
      stop();
      rest(worker);
      if ('value' in answer) task.done(answer.value);
      else task.failed(Object.assign(new Error(answer.error.message), answer.error.fields, { name: answer.error.name }));
    } catch (error) {
      stop();
      // An ending thread may still report an error: nobody waits for it.
      worker.on('error', () => undefined);
      await worker.terminate();
      task.failed(error as Error);
    } finally {
      clearTimeout(timer);
      running--;
      next();
    }
  };
  return {
    run: <T>(task: string, input: unknown, timeMs: number): Promise<T> =>
      new Promise<T>((done, failed) => {
        if (queue.length >= waiting) {
          failed(new WorkerLimitError('busy'));
          return;
        }
        queue.push({ message: { task, input }, timeMs, done: done as (value: unknown) => void, failed });
        if (running < threads) next();
      }),
  };
};
