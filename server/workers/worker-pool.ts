import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { ownerHere } from '#server/db/scope.ts';

/** Why a task was ended: it took too long, used too much memory, or the queue was full. */
export type LimitReached = 'time' | 'memory' | 'busy';
export class WorkerLimitError extends Error {
  readonly limit: LimitReached;
  constructor(limit: LimitReached) {
    super(`The task was ended: ${limit}`);
    this.limit = limit;
  }
}

type Task = { message: { task: string; input: unknown; timeMs: number }; done: (value: unknown) => void; failed: (error: Error) => void };
/** A worker's answer. An error keeps its name, message and enumerable fields. A process reports its own limits. */
export type Answer = { value: unknown } | { limit: LimitReached } | { error: { name: string; message: string; fields: Record<string, unknown> } };

/** The time limit of a process is CPU time; the wall-clock limit is this many times that. */
const longestWait = 4;

export type WorkerPoolOptions = {
  module: URL;
  /**
   * Threads start quickly and suit JavaScript. Native code of Node or a library shares a small pool with all file reads, so it
   * belongs in processes, where it can also be killed.
   */
  kind?: 'threads' | 'processes';
  workers: number;
  /** Memory limit of a task: for a thread its JavaScript heap (buffers are limited by the sizes a task accepts), for a process in total. */
  memoryMb: number;
  /** How many tasks of one organisation may wait; further ones are refused. */
  waiting: number;
  /** An idle worker ends after this time. */
  idleMs: number;
};

type Listeners = { message: (answer: Answer) => void; ended: (error: Error) => void };
type PoolWorker = {
  post(message: Task['message']): void;
  /** Listens until the answer, an error or the end of a worker, and keeps the server process alive meanwhile. */
  listen(on: Partial<Listeners> & Pick<Listeners, 'ended'>): () => void;
  /** Lets the server process end without waiting for the worker. */
  unref(): void;
  end(): Promise<unknown>;
};
const endedWithoutAnswer = () => new Error('The worker ended without an answer');

const startThread = ({ module, memoryMb }: WorkerPoolOptions): PoolWorker => {
  const worker = new Worker(module, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 48, stackSizeMb: 4 },
    // The process may have flags that a thread refuses.
    execArgv: [],
  });
  // An ending thread may report an error after its task has been settled.
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

/** The environment of a worker process: where programs, fonts and temporary files are, and none of the server's secrets. */
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
 * Runs tasks in workers, by turns between the organisations that ask for them, so that no input can block the thread that answers requests. A task that exceeds its time or memory is
 * ended with its worker (WorkerLimitError), and the next task gets a new one. Workers start on demand; only busy ones keep the
 * process alive.
 */
export const createWorkerPool = (options: WorkerPoolOptions) => {
  const { kind = 'threads', workers, waiting, idleMs } = options;
  /** Tasks by the organisation that asks for them, the one whose turn is next first. */
  const queues = new Map<string, Task[]>();
  const runningOf = new Map<string, number>();
  /** One organisation leaves a worker to the others: what it uploads may take each worker for its whole time. */
  const mostOfOne = Math.max(1, workers - 1);
  const idle = new Map<PoolWorker, () => void>();
  let running = 0;

  const start = () => (kind === 'threads' ? startThread : startProcess)(options);
  /** Marks a worker as idle; it ends if no task comes. */
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
    for (const [owner, tasks] of queues) {
      if (running >= workers) return;
      if ((runningOf.get(owner) ?? 0) >= mostOfOne) continue;
      const task = tasks.shift();
      // To the end: everybody else first.
      queues.delete(owner);
      if (tasks.length > 0) queues.set(owner, tasks);
      if (task) void work(task, owner);
    }
  };
  const work = async (task: Task, owner: string) => {
    running++;
    runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1);
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
      // A process is gone at once. Native code (parsing, garbage collection) may keep a thread alive: the caller gets the error first, and the
      // thread's place stays occupied until it ends.
      if (kind === 'processes') await ended;
      task.failed(error as Error);
      await ended;
    } finally {
      clearTimeout(timer);
      running--;
      const left = (runningOf.get(owner) ?? 1) - 1;
      if (left > 0) runningOf.set(owner, left);
      else runningOf.delete(owner);
      next();
    }
  };
  return {
    run: <T>(task: string, input: unknown, timeMs: number): Promise<T> =>
      new Promise<T>((done, failed) => {
        const owner = ownerHere() ?? '';
        const tasks = queues.get(owner) ?? [];
        if (tasks.length >= waiting) {
          failed(new WorkerLimitError('busy'));
          return;
        }
        tasks.push({ message: { task, input, timeMs }, done: done as (value: unknown) => void, failed });
        queues.set(owner, tasks);
        next();
      }),
  };
};
