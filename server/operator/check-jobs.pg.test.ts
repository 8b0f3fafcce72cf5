import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { checkJobs } from '#server/operator/check-jobs.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

describe('the check of background jobs', () => {
  let server: TestApp;
  /** Adds jobs whose last step was this many minutes ago. */
  const add = async (kind: string, state: string, minutesAgo: number, many = 1, problem: string | null = null) => {
    await server.database.db.run(sql`insert into jobs (kind, key, state, problem, next_at, asked_at, changed_at, ended_at)
      select ${kind}, ${state} || n, ${state}, ${problem}, at, at, at, case when ${state} = 'failed' then at end
        from generate_series(1, ${many}::int) n, (select now() - make_interval(mins => ${minutesAgo}) as at) t`);
  };
  /** The last sign of a server. */
  const seen = (minutesAgo: number | null) =>
    server.database.db.run(sql`insert into pgboss.queue (name, policy, retry_limit, retry_delay, retry_backoff, expire_seconds, retention_seconds, deletion_seconds, partition, table_name, monitor_on)
      values ('import', 'stately', 1, 1, false, 3600, 1, 1, false, 'job', now() - make_interval(mins => ${minutesAgo}))
      on conflict (name) do update set expire_seconds = 3600, monitor_on = excluded.monitor_on, maintain_on = null`);
  const found = (serverExpected = true) => checkJobs(server.database.db, serverExpected);

  beforeAll(async () => {
    server = await startTestApp();
    await server.database.db.run(sql`delete from jobs`);
  });
  afterEach(async () => {
    await server.database.db.run(sql`delete from jobs`);
    await server.database.db.run(sql`delete from pgboss.queue`);
  });
  afterAll(() => server.close());

  it('finds nothing where the work gets on', async () => {
    await seen(0);
    await add('import', 'running', 50);
    await add('import', 'waiting', 30, 5);
    await add('mail', 'waiting', 1);
    await add('report', 'waiting', -60);
    await add('score', 'done', 900);
    expect(await found()).toEqual([]);
  });
  it('tells of work that hangs, with its time limit, and of what waits behind it', async () => {
    await seen(0);
    await add('import', 'running', 90, 2);
    await add('import', 'waiting', 80, 3);
    expect(await found()).toEqual([
      expect.stringMatching(/^2 tasks of kind “import” running without progress since .* UTC, although one run may take 60 minutes\. Restart/),
      expect.stringMatching(/^3 tasks of kind “import” due since .* UTC, and no server took them/),
    ]);
  });
  it('tells that no server runs, but not of an embedded database, whose server is stopped for the check', async () => {
    await seen(45);
    await add('mail', 'waiting', 30, 4);
    expect(await found()).toEqual([
      expect.stringMatching(/^4 tasks of kind “mail” waiting since .*no server has looked for tasks since .* UTC\. Start a server/),
    ]);
    expect(await found(false)).toEqual([]);
    await server.database.db.run(sql`delete from pgboss.queue`);
    expect(await found()).toEqual([expect.stringContaining('no server has ever looked for tasks')]);
  });
  it('of a stopped server counts only the time that it ran', async () => {
    await seen(100);
    await add('import', 'running', 150);
    await add('mail', 'waiting', 150);
    expect(await found(false)).toEqual([expect.stringMatching(/^1 task of kind “mail” due since/)]);
  });
  it('tells of what failed for good, with the latest reason, and of kinds that this version does not have', async () => {
    await seen(0);
    await add('import', 'failed', 300, 2, 'An older reason.');
    await server.database.db.run(sql`update jobs set problem = 'The disk is full.', changed_at = now() where key = 'failed2'`);
    await add('harvest', 'waiting', 5);
    expect(await found()).toEqual([
      expect.stringMatching(/^1 task of kind “harvest” waiting since .*this version has no such kind/),
      expect.stringMatching(
        /^2 tasks of kind “import” failed after all attempts, .*because of “The disk is full\.”\. Remove the cause, then start them again/,
      ),
    ]);
  });
});
