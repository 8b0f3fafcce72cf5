import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import { type JobKind, jobKinds } from '#contract/entities/job.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { type Job, JobEnds, type JobRegistry } from '#server/jobs/job.ts';
import { heartbeatSeconds, openQueue } from '#server/jobs/queue.ts';
import type { Services } from '#server/services.ts';

/** The key of kinds with a single job. */
const onlyKey = 'one';
/** How often a server polls for jobs started or left by others. */
const pollSeconds = 10;
const retryMs = 15_000;
const longestRetryMs = 6 * 3_600_000;
/** How long the queue itself keeps finished jobs. People see our own table. */
const queueKeepsSeconds = 3600;
const openQueueAgainMs = 5000;
/** Time to finish the current slice when the server stops. */
const stopMs = 8000;

export type NewJob = {
  key?: string;
  subject?: string;
  entity?: string | null;
  owner?: string | null;
  total?: number;
  /** Whether a job that is already running runs once more, because its subject may have changed since it began. Default: true. */
  again?: boolean;
};
type Row = { id: string; kind: JobKind; key: string; tries: number; done: number; run_id: string };

/**
 * Runs background jobs. The table `jobs` records what must be done and its progress; pg-boss schedules it, so that each job runs
 * on one server and another continues a dead server's jobs. The table is authoritative: a job missing from the queue (which
 * backups do not contain) is queued again.
 */
export const createJobs = ({ db, now, log }: Pick<Services, 'db' | 'now' | 'log'>) => {
  /** The queue must run outside the request or transaction that wakes it. */
  const outside = AsyncLocalStorage.snapshot();
  const listeners = new Set<() => void>();
  const workers = new Map<JobKind, string[]>();
  const closing = new AbortController();
  let registry: JobRegistry;
  let queue: PgBoss | null = null;
  let beginning: Promise<void> = Promise.resolve();
  let looking: Promise<void> | null = null;
  let lookAgain = false;
  let timer: NodeJS.Timeout | undefined;

  const changed = () => {
    for (const tell of listeners) tell();
  };
  const kindsHere = () => jobKinds.filter((kind) => workers.has(kind));

  /** Queues due jobs that are not queued yet, and wakes the workers. */
  const look = async (): Promise<void> => {
    const missing = await db.all<{ kind: JobKind; key: string; wait: number }>(sql`
      select j.kind, j.key, greatest(0, ceil(extract(epoch from j.next_at - ${now()}::timestamptz)))::int as wait from jobs j
      where j.kind = any(${kindsHere()}) and j.state in ('waiting', 'running') and not exists (select 1 from pgboss.job q
        where q.name = j.kind and q.singleton_key = j.key and (q.state in ('created', 'retry') or (q.state = 'active' and j.state = 'running')))`);
    for (const { kind, key, wait } of missing) {
      await queue?.send(kind, { key }, { singletonKey: key, ...(wait > 0 ? { startAfter: wait } : {}) });
      for (const worker of wait > 0 ? [] : (workers.get(kind) ?? [])) queue?.notifyWorker(worker);
    }
  };
  const wake = (): void => {
    lookAgain = true;
    if (!queue || looking || closing.signal.aborted) return;
    looking = outside(async () => {
      while (lookAgain && !closing.signal.aborted) {
        lookAgain = false;
        await look().catch((error: unknown) => log.error({ err: error }, 'jobs could not be put into the queue'));
      }
      looking = null;
    });
  };

  /** Claims a job, so that other servers' progress on it is ignored. Undefined if there is nothing to do. */
  const take = (kind: JobKind, key: string, scheduled: boolean): Promise<Row | undefined> =>
    db.one<Row>(
      scheduled
        ? sql`insert into jobs (kind, key, state, tries, run_id, next_at, asked_at, started_at, changed_at)
            values (${kind}, ${key}, 'running', 1, ${randomUUID()}, ${now()}, ${now()}, ${now()}, ${now()})
            on conflict (kind, key) do update set state = 'running', run_id = excluded.run_id, asked_at = excluded.asked_at, started_at = excluded.started_at, changed_at = excluded.changed_at,
              tries = case when jobs.state in ('waiting', 'running') then jobs.tries + 1 else 1 end, done = 0, total = null, again = false, problem = null, ended_at = null
            returning id, kind, key, tries, done, run_id`
        : sql`update jobs set state = 'running', run_id = ${randomUUID()}, tries = tries + 1, again = false, started_at = coalesce(started_at, ${now()}), changed_at = ${now()}
            where kind = ${kind} and key = ${key} and state in ('waiting', 'running') returning id, kind, key, tries, done, run_id`,
    );
  /** Ends a job. False if it was requested again meanwhile and is waiting. */
  const end = async (row: Row, state: 'done' | 'failed' | 'stopped', problem: string | null = null): Promise<boolean> => {
    const ended = await db.one<{
      state: string;
    }>(sql`update jobs set state = case when again then 'waiting' else ${state} end, done = case when ${state} = 'done' then coalesce(total, done) else done end, problem = ${problem}, cancel_at = null,
        tries = case when again then 0 else tries end, next_at = ${now()}, changed_at = ${now()}, ended_at = case when again then null else ${now()}::timestamptz end
      where id = ${row.id} and run_id = ${row.run_id} returning state`);
    return ended?.state === state;
  };
  const giveBack = (row: Row, more: { tries: number; nextAt: Date; problem: string | null }) =>
    db.run(sql`update jobs set state = 'waiting', run_id = null, tries = ${more.tries}, next_at = ${more.nextAt}, problem = ${more.problem}, changed_at = ${now()}
      where id = ${row.id} and run_id = ${row.run_id}`);
  const progressOf = (row: Row, signal: AbortSignal) => async (done: number, total?: number) => {
    // Progress resets the number of attempts.
    if (done > row.done) row.tries = 1;
    row.done = done;
    const updated = await db.one<{
      cancelled: boolean;
    }>(sql`update jobs set done = ${done}, total = coalesce(${total ?? null}::int, total), tries = ${row.tries}, changed_at = ${now()}
      where id = ${row.id} and run_id = ${row.run_id} returning cancel_at is not null as cancelled`);
    changed();
    if (!updated || signal.aborted) throw new JobEnds(closing.signal.aborted && updated ? 'given back' : 'lost');
    if (updated.cancelled) throw new JobEnds('stopped');
  };
  /** Runs a job from the queue. Never throws; the outcome is in its row. */
  const work = async (kind: JobKind, key: string, scheduled: boolean, taken: AbortSignal): Promise<void> => {
    const job: Job = registry[kind];
    const row = closing.signal.aborted ? undefined : await take(kind, key, scheduled);
    if (!row) return;
    changed();
    const signal = AbortSignal.any([taken, closing.signal]);
    try {
      if (row.tries > job.tries) throw new Error('The server stopped each time it was at this.');
      await job.run({ key, signal, progress: progressOf(row, signal) });
      await end(row, 'done');
    } catch (error) {
      if (error instanceof JobEnds) {
        if (error.how === 'given back') await giveBack(row, { tries: row.tries - 1, nextAt: now(), problem: null });
        if (error.how === 'stopped' && (await end(row, 'stopped', error.why))) await job.onStopped?.(key);
      } else {
        log.error({ err: error, job: kind, key }, 'a job failed');
        const problem = String((error as Error).message).slice(0, 500);
        if (row.tries < job.tries) {
          const wait = Math.min(retryMs * 2 ** (row.tries - 1), longestRetryMs);
          await giveBack(row, { tries: row.tries, nextAt: new Date(now().getTime() + wait), problem });
        } else if (await end(row, 'failed', problem)) await job.onStopped?.(key);
      }
    } finally {
      changed();
      wake();
    }
  };

  const open = async (): Promise<void> => {
    const opened = await openQueue(db);
    opened.on('error', (error) => log.error({ err: error }, 'the queue of jobs has a problem'));
    await opened.start();
    for (const kind of jobKinds) {
      const { limitMinutes, tries, atOnce, schedule } = registry[kind];
      const limits = { expireInSeconds: limitMinutes * 60, retryLimit: tries, heartbeatSeconds, deleteAfterSeconds: queueKeepsSeconds };
      // At most one running and one waiting job per kind and key.
      await opened.createQueue(kind, { policy: 'stately', ...limits });
      await opened.updateQueue(kind, limits);
      if (schedule) await opened.schedule(kind, schedule, { key: onlyKey, scheduled: true }, { singletonKey: onlyKey, missed: 'once' });
      else await opened.unschedule(kind);
      const ids = Array.from({ length: atOnce }, () =>
        opened.work<{ key: string; scheduled?: boolean }>(kind, { pollingIntervalSeconds: pollSeconds }, async ([given]) => {
          if (given) await work(kind, given.data.key, given.data.scheduled ?? false, given.signal);
        }),
      );
      workers.set(kind, await Promise.all(ids));
    }
    queue = opened;
  };

  return {
    /** Starts running jobs in the background; retries if the queue cannot be opened. */
    begin: (kinds: JobRegistry): void => {
      registry = kinds;
      beginning = outside(async () => {
        while (!queue && !closing.signal.aborted)
          await open().catch(async (error: unknown) => {
            log.error({ err: error }, 'the queue of jobs could not be opened');
            await new Promise<void>((resolve) => {
              const again = setTimeout(resolve, openQueueAgainMs);
              closing.signal.addEventListener('abort', () => {
                clearTimeout(again);
                resolve();
              });
            });
          });
        timer = setInterval(wake, pollSeconds * 1000);
        timer.unref();
        wake();
      });
    },
    /**
     * Records a job, with `on` in a transaction, so that it exists only if that commits. A waiting job stays a single one; a
     * running one runs once more. Call `wake` after the transaction.
     */
    note: async (
      on: Db,
      kind: JobKind,
      { key = onlyKey, subject = '', entity = null, owner = null, total, again = true }: NewJob = {},
    ): Promise<void> => {
      await on.run(sql`insert into jobs (kind, key, subject, entity_id, owner_id, state, total, next_at, asked_at, changed_at)
        values (${kind}, ${key}, ${subject}, ${entity}, ${owner}, 'waiting', ${total ?? null}, ${now()}, ${now()}, ${now()})
        on conflict (kind, key) do update set again = (jobs.state = 'running' and ${again}), subject = excluded.subject, owner_id = excluded.owner_id,
          state = case when jobs.state = 'running' then 'running' else 'waiting' end, next_at = excluded.next_at,
          tries = case when jobs.state in ('waiting', 'running') then jobs.tries else 0 end,
          done = case when jobs.state in ('waiting', 'running') then jobs.done else 0 end, total = coalesce(excluded.total, jobs.total),
          asked_at = case when jobs.state in ('waiting', 'running') then jobs.asked_at else excluded.asked_at end,
          started_at = case when jobs.state in ('waiting', 'running') then jobs.started_at end, changed_at = excluded.changed_at, ended_at = null, problem = null`);
    },
    /** Starts recorded jobs. */
    wake: (): void => {
      changed();
      wake();
    },
    /** Cancels a job after its current slice, or at once if it is waiting. False if it has ended. */
    cancel: async (kind: JobKind, key: string): Promise<boolean> => {
      const job = await db.one<{ state: string }>(sql`update jobs set again = false, changed_at = ${now()},
          state = case when state = 'waiting' then 'stopped' else state end, cancel_at = case when state = 'running' then ${now()}::timestamptz end,
          ended_at = case when state = 'waiting' then ${now()}::timestamptz end
        where kind = ${kind} and key = ${key} and state in ('waiting', 'running') returning state`);
      if (job?.state === 'stopped') await registry[kind].onStopped?.(key);
      changed();
      return job !== undefined;
    },
    definition: (kind: JobKind): Job => registry[kind],
    /** Subscribes to job changes seen by this server. Returns a function that unsubscribes. */
    onChange: (tell: () => void): (() => void) => {
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
    /** Aborted when the server stops. */
    closing: closing.signal,
    /** Lets running jobs finish their slice and returns them to the queue. */
    close: async (): Promise<void> => {
      closing.abort();
      clearInterval(timer);
      await beginning;
      await looking;
      await queue?.stop({ graceful: true, timeout: stopMs });
    },
  };
};
export type Jobs = ReturnType<typeof createJobs>;
