import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withinScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import type { Job, JobRegistry, Running } from '#server/jobs/job.ts';
import { createJobs, type Jobs } from '#server/jobs/runner.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

type Row = { state: string; done: number; total: number | null; tries: number; problem: string | null };

describe('a job', () => {
  /** Only the runners of this test run jobs. */
  let server: TestApp;
  const runners: Jobs[] = [];
  const stopped: string[] = [];
  let clock = 0;
  const job = (run: Job['run'], more: Partial<Job> = {}): Job => ({
    ...{ title: (subject) => subject, unit: 'rows', seenBy: [], canCancel: true, limitMinutes: 10, tries: 3, atOnce: 2, run },
    onStopped: async (key) => void stopped.push(key),
    ...more,
  });
  const idle = job(async () => {});
  /** A server whose imports do this. */
  const runner = (run: Job['run'], more?: Partial<Job>): Jobs => {
    const jobs = createJobs({ db: server.database.db, now: () => new Date(Date.now() + clock), log: server.app.log });
    const registry: JobRegistry = {
      certificates: idle,
      compliance: idle,
      decisions: idle,
      delivery: idle,
      figures: idle,
      import: job(run, more),
      mail: idle,
      places: idle,
      redate: idle,
      inspection: idle,
      licences: idle,
      reminders: idle,
      report: idle,
      retention: idle,
      schedules: idle,
      score: idle,
      sessions: idle,
      welcomes: idle,
    };
    jobs.begin(registry);
    runners.push(jobs);
    return jobs;
  };
  const row = (key: string) =>
    server.database.db.one<Row>(sql`select state, done, total, tries, problem from jobs where kind = 'import' and key = ${key}`);
  const becomes = (key: string, state: string) => expect.poll(async () => (await row(key))?.state, { timeout: 45_000 }).toBe(state);
  const start = async (jobs: Jobs, key: string) => {
    await jobs.note(server.database.db, 'import', { key });
    jobs.wake();
  };
  /** Counts to three, pausing after each until it is released. */
  const counting = () => {
    const seen: number[] = [];
    const waiting: (() => void)[] = [];
    return {
      seen,
      next: async () => {
        await expect.poll(() => waiting.length, { timeout: 45_000 }).toBeGreaterThan(0);
        waiting.shift()?.();
      },
      run: async ({ progress, signal }: Running) => {
        for (let i = 1; i <= 3; i++) {
          await new Promise<void>((next) => {
            waiting.push(next);
            signal.addEventListener('abort', () => next());
          });
          seen.push(i);
          await progress(i, 3);
        }
      },
    };
  };

  beforeAll(async () => {
    server = await startTestApp();
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((r) => r.close()));
    await server.database.db.run(sql`delete from jobs`);
    await server.database.db.run(sql`delete from pgboss.job`);
    stopped.length = 0;
    clock = 0;
  });
  afterAll(() => server.close());

  it('runs once whichever server takes it and however often it is requested, and reports its progress', async () => {
    const count = counting();
    const [one, other] = [runner(count.run), runner(count.run)];
    await Promise.all([start(one, 'a'), start(other, 'a'), start(one, 'a')]);
    await count.next();
    await expect.poll(async () => (await row('a'))?.done, { timeout: 45_000 }).toBe(1);
    expect(await row('a')).toMatchObject({ state: 'running', total: 3 });
    await count.next();
    await count.next();
    await becomes('a', 'done');
    expect(count.seen).toEqual([1, 2, 3]);
  });
  it('requested while it runs is run once more', async () => {
    let runs = 0;
    let begun = () => {};
    const first = new Promise<void>((resolve) => {
      begun = resolve;
    });
    let goOn = () => {};
    const jobs = runner(async () => {
      runs++;
      if (runs > 1) return;
      begun();
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
    });
    await start(jobs, 'b');
    await first;
    await start(jobs, 'b');
    await start(jobs, 'b');
    goOn();
    await expect.poll(() => runs, { timeout: 45_000 }).toBe(2);
    await becomes('b', 'done');
  });
  it('that fails is retried later and fails after its last attempt; requested again, it starts over', async () => {
    let fails = true;
    let runs = 0;
    const jobs = runner(async () => {
      runs++;
      if (fails) throw new Error('The disk is full.');
    });
    await start(jobs, 'c');
    for (let tries = 1; tries < 3; tries++) {
      await expect.poll(async () => row('c'), { timeout: 45_000 }).toMatchObject({ state: 'waiting', tries, problem: 'The disk is full.' });
      expect(stopped).toEqual([]);
      // Its retry is due.
      await server.database.db.run(sql`update jobs set next_at = ${new Date()}`);
      await server.database.db.run(sql`delete from pgboss.job where state = 'created'`);
      jobs.wake();
    }
    await becomes('c', 'failed');
    expect([runs, stopped]).toEqual([3, ['c']]);
    fails = false;
    await start(jobs, 'c');
    await becomes('c', 'done');
    expect(await row('c')).toMatchObject({ tries: 1, problem: null });
  });
  it('is cancelled after its current slice, or at once if it is waiting', async () => {
    const count = counting();
    const jobs = runner(count.run, { atOnce: 1 });
    await start(jobs, 'd');
    await count.next();
    await expect.poll(async () => (await row('d'))?.done, { timeout: 45_000 }).toBe(1);
    await start(jobs, 'e');
    expect(await jobs.cancel('import', 'e')).toBe(true);
    expect([await row('e'), stopped]).toEqual([expect.objectContaining({ state: 'stopped' }), ['e']]);
    expect(await jobs.cancel('import', 'd')).toBe(true);
    expect((await row('d'))?.state).toBe('running');
    await count.next();
    await becomes('d', 'stopped');
    expect([count.seen, await row('d'), stopped]).toEqual([[1, 2], expect.objectContaining({ done: 2, total: 3 }), ['e', 'd']]);
    expect(await jobs.cancel('import', 'd')).toBe(false);
  });
  it('is returned by a server that stops and continues on another', async () => {
    const count = counting();
    const leaving = runner(count.run);
    await start(leaving, 'f');
    await count.next();
    await expect.poll(async () => (await row('f'))?.done, { timeout: 45_000 }).toBe(1);
    await leaving.close();
    expect(await row('f')).toMatchObject({ state: 'waiting', done: 2 });
    runner(async ({ progress }) => progress(3, 3));
    await becomes('f', 'done');
  });
  it('that kills every server running it is given up', async () => {
    await server.database.db.run(sql`insert into jobs (kind, key, state, tries, run_id, next_at, asked_at, changed_at)
      values ('import', 'g', 'running', 3, gen_random_uuid(), now(), now(), now())`);
    runner(async () => {});
    await becomes('g', 'failed');
    expect((await row('g'))?.problem).toBe('The server stopped each time it was at this.');
  });
  it('of a dead server is taken over, and anything that server still does is ignored', async () => {
    const count = counting();
    const frozen = runner(count.run, { atOnce: 1 });
    await start(frozen, 'h');
    await expect.poll(async () => (await row('h'))?.state, { timeout: 45_000 }).toBe('running');
    // As the queue's monitor does when a server's heartbeat stops.
    await server.database.db.run(
      sql`update pgboss.job set state = 'retry', retry_count = retry_count + 1, start_after = now() where state = 'active'`,
    );
    const other = runner(async ({ progress }) => progress(3, 3));
    other.wake();
    await becomes('h', 'done');
    await count.next();
    await frozen.close();
    expect(await row('h')).toMatchObject({ state: 'done', done: 3 });
  });

  it('is hidden from other organisations, and the queue from everyone', async () => {
    const { db } = server.database;
    const [home] = await db.all<{ id: string; person: string }>(
      sql`select e.id, u.id as person from users u join entities e on e.id = u.primary_entity_id where u.email = 'admin@brightpath.test'`,
    );
    const [house] = await db.all<{ id: string }>(sql`select id from entities where slug = 'willowbrook-house'`);
    const scope = { user: home?.person as string, home: home?.id as string, place: home?.id as string };
    await db.run(sql`insert into jobs (kind, key, entity_id, state, next_at, asked_at, changed_at)
      values ('import', 'theirs', ${home?.id ?? null}, 'done', now(), now(), now()), ('import', 'house', ${house?.id ?? null}, 'done', now(), now(), now()), ('mail', 'server', null, 'done', now(), now(), now())`);
    expect(await withinScope(scope, () => db.all(sql`select key from jobs order by key`))).toEqual([{ key: 'theirs' }]);
    await expect(withinScope(scope, () => db.all(sql`select 1 from pgboss.job`))).rejects.toThrow('permission denied');
  });
});
