import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
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

type Task = { message: { task: string; input: unknown; timeMs: number }; done: (value: unknown) => void; failed: (error: Error) => void };
/** What a worker answers. An error keeps its name, its message and its own enumerable fields. A process says itself which limit it has reached. */
export type Answer = { value: unknown } | { limit: LimitReached } | { error: { name: string; message: string; fields: Record<string, unknown> } };

/** The time of a process is what it computes; it waits no longer than so many times that, however busy the machine is. */
const longestWait = 4;

export type WorkerPoolOptions = {
  /** The module that each worker runs; it calls `serveTasks`. */
  module: URL;
  /**
   * Threads share the process: quick to start, for work in JavaScript. Whatever Node or a library does in native code off the
   * thread shares one small pool with every read of a file, so that belongs into processes, where it can also be ended.
   */
  kind?: 'threads' | 'processes';
  workers: number;
  /** What one task may hold: a thread in JavaScript memory (buffers are bounded by the sizes that a task accepts), a process in all. */
  memoryMb: number;
  /** Tasks beyond these are refused at once. */
  waiting: number;
  /** A worker without work ends after so long. */
  idleMs: number;
};

type Listeners = { message: (answer: Answer) => void; ended: (error: Error) => void };
type PoolWorker = {
  post(message: Task['message']): void;
  /** Listens until the answer, an error or the end of a worker, and keeps the process waiting for it. The answer ends that. */
  listen(on: Partial<Listeners> & Pick<Listeners, 'ended'>): () => void;
  /** The process need not wait for it. */
  unref(): void;
  end(): Promise<unknown>;
};
const endedWithoutAnswer = () => new Error('The worker ended without an answer');

const startThread = ({ module, memoryMb }: WorkerPoolOptions): PoolWorker => {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 48, stackSizeMb: 4 },
    // The process may have been started with flags that a thread refuses.
    execArgv: [],
  });
  // An ending thread may still report an error, when nobody waits for it.
  worker.on('error', () => undefined);
  return {
    post: (message) => worker.postMessage(message),
    listen: (on) => {
      const message = (answer: Answer) => on.message?.(answer);
      const error = (error: Error & { code?: string }) =>
        on.ended(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkerLimitError('memory') : error);
      const exit = () => on.ended(endedWithoutAnswer());
      worker.ref();
      worker.on('message', message).on('error', error).on('exit', exit);
      return () => void worker.off('message', message).off('error', error).off('exit', exit);
    },
    unref: () => worker.unref(),
    end: () => worker.terminate(),
  };
};

/** What a process needs of the environment: where programs, fonts and temporary files lie. Of the server's secrets it knows none. */
const environment = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE', 'XDG_CACHE_HOME'];
const startProcess = ({ module, memoryMb }: WorkerPoolOptions): PoolWorker => {
  const worker: ChildProcess = fork(fileURLToPath(module), [String(memoryMb)], {
    execArgv: [],
    env: Object.fromEntries(environment.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined)),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  worker.on('error', () => undefined);
  const ended = new Promise<void>((done) => void worker.once('exit', () => done()).once('error', () => done()));
  return {
    post: (message) => worker.send(message),
    listen: (on) => {
      const message = (answer: Answer) => on.message?.(answer);
      const exit = () => on.ended(endedWithoutAnswer());
      worker.ref();
      worker.channel?.ref();
      worker.on('message', message).on('error', on.ended).on('exit', exit);
      return () => void worker.off('message', message).off('error', on.ended).off('exit', exit);
    },
    unref: () => {
      worker.unref();
      worker.channel?.unref();
    },
    end: () => {
      worker.kill('SIGKILL');
      return ended;
    },
  };
};

/**
 * Runs tasks in workers of their own, so that no input can hold up the thread that answers requests. A task that takes too
 * long or too much memory is ended with its worker (WorkerLimitError); the next task gets a fresh one. Workers start when
 * they are needed; only those at work keep the process alive.
 */
export const createWorkerPool = (options: WorkerPoolOptions) => {
  const { kind = 'threads', workers, waiting, idleMs } = options;
  const queue: Task[] = [];
  const idle = new Map<PoolWorker, () => void>();
  let running = 0;

  const start = () => (kind === 'threads' ? startThread : startProcess)(options);
  /** Without work: it waits for some, and ends when none comes. */
  const rest = (worker: PoolWorker) => {
    const end = () => {
      idle.get(worker)?.();
      idle.delete(worker);
      void worker.end();
    };
    const timer = setTimeout(end, idleMs).unref();
    const stop = worker.listen({ ended: end });
    worker.unref();
    idle.set(worker, () => {
      clearTimeout(timer);
      stop();
    });
  };
  const rested = (): PoolWorker | undefined => {
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
        timer = setTimeout(() => ended(new WorkerLimitError('time')), task.message.timeMs * (kind === 'threads' ? 1 : longestWait));
        stop = worker.listen({ message, ended });
        worker.post(task.message);
      });
      stop();
      if ('limit' in answer) throw new WorkerLimitError(answer.limit);
      rest(worker);
      if ('value' in answer) task.done(answer.value);
      else task.failed(Object.assign(new Error(answer.error.message), answer.error.fields, { name: answer.error.name }));
    } catch (error) {
      stop();
      const ended = worker.end();
      // A process is gone at once. Native code (parsing, collecting memory) may hold on to a thread: whoever waits for the task is
      // told before, and nobody gets the thread's place meanwhile.
      if (kind === 'processes') await ended;
      task.failed(error as Error);
      await ended;
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
        queue.push({ message: { task, input, timeMs }, done: done as (value: unknown) => void, failed });
        if (running < workers) next();
      }),
  };
};
