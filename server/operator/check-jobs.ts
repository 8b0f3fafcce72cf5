import { jobKinds } from '#contract/entities/job.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** Long enough for a restart, or for a server to notice that another one is dead. */
const patienceMinutes = 10;
/** Used if the queue has never been opened and has no limit for the kind. */
const defaultLimitMinutes = 15;

type Some = { kind: string; many: number; since: string };
const jobs = ({ many, kind }: Some) => `${many} ${many === 1 ? 'task' : 'tasks'} of kind “${kind}”`;
const known = sql`j.kind = any(${[...jobKinds]})`;

/**
 * Background jobs that make no progress, by kind, each with the remedy. Time is measured up to the last sign of a server: while none runs,
 * nothing can progress. `serverExpected`: a server should be running now, which is not so for the embedded database.
 */
export const checkJobs = async (db: Db, serverExpected: boolean): Promise<string[]> => {
  const last = await db.one<{ at: string | null; silent: boolean }>(sql`
    select to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as at, coalesce(at < now() - make_interval(mins => ${patienceMinutes}), true) as silent
      from (select greatest(max(monitor_on), max(maintain_on)) as at from pgboss.queue) seen`);
  const some = (filter: ReturnType<typeof sql>, since: ReturnType<typeof sql>) =>
    db.all<Some & { problem: string | null; limit: number }>(sql`
      select j.kind, count(*)::int as many, to_char(min(${since}) at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as since,
          (array_agg(j.problem order by j.changed_at desc))[1] as problem, coalesce(max(q.expire_seconds) / 60, ${defaultLimitMinutes})::int as limit
        from jobs j left join pgboss.queue q on q.name = j.kind cross join (select greatest(max(monitor_on), max(maintain_on)) as at from pgboss.queue) seen
        where ${filter} group by j.kind order by j.kind`);
  const patience = sql`make_interval(mins => ${patienceMinutes})`;
  const limit = sql`make_interval(secs => coalesce(q.expire_seconds, ${defaultLimitMinutes * 60}))`;

  const nobody =
    serverExpected && last?.silent ? await some(sql`j.state in ('waiting', 'running') and j.next_at < now() - ${patience}`, sql`j.next_at`) : [];
  const hanging = await some(sql`${known} and j.state = 'running' and j.changed_at < seen.at - ${limit} - ${patience}`, sql`j.changed_at`);
  // Other jobs of its kind that make progress may be ahead of it.
  const untaken = await some(
    sql`${known} and j.state = 'waiting' and j.next_at < seen.at - ${patience} and not exists
      (select 1 from jobs o where o.kind = j.kind and o.state = 'running' and o.changed_at >= seen.at - ${limit} - ${patience})`,
    sql`j.next_at`,
  );
  const strange = await some(sql`not ${known} and j.state in ('waiting', 'running')`, sql`j.asked_at`);
  const failed = await some(sql`j.state = 'failed'`, sql`j.ended_at`);
  return [
    ...nobody.map(
      (s) =>
        `${jobs(s)} waiting since ${s.since}, and ${last?.at ? `no server has looked for tasks since ${last.at}` : 'no server has ever looked for tasks'}. Start a server on this database; if one runs, look in its log for “the queue of jobs could not be opened”.`,
    ),
    ...hanging.map(
      (s) =>
        `${jobs(s)} running without progress since ${s.since}, although one run may take ${s.limit} minutes. Restart the servers one after the other: the work is continued from its last step.`,
    ),
    ...untaken.map(
      (s) =>
        `${jobs(s)} due since ${s.since}, and no server took them while one ran. Look in its log for “jobs could not be put into the queue”, then restart it.`,
    ),
    ...strange.map(
      (s) =>
        `${jobs(s)} waiting since ${s.since}, and this version has no such kind. They were left by a newer version: install that one again, or delete them from the table jobs.`,
    ),
    ...failed.map(
      (s) =>
        `${jobs(s)} failed after all attempts, the first at ${s.since}; the last because of “${s.problem ?? 'no reason was noted'}”. Remove the cause, then start them again on the page Tasks. After 30 days they are deleted.`,
    ),
  ];
};
