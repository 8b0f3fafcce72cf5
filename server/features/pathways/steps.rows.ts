import { hasCourse } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { latestIn } from '#server/features/results/standings.rows.ts';

/** A step for somebody. `since` as YYYY-MM-DD, and the beginning of that day in seconds since 1970. */
export type WalkedStep = { user_id: string; course_id: string; course_no: number; since: string; since_seconds: number };

/**
 * Whether a step is done, as far as the latest result alone can tell; null if the results must be read. A step is done by any result since
 * its day or still valid then. The latest result proves this for itself; that none does, it proves only if it is the only one.
 */
export const doneByLatest = (cells: Buffer | undefined, courseNo: number, since: number): boolean | null => {
  const latest = cells && latestIn(cells, courseNo);
  if (!latest) return false;
  // Stored to the second, rounded down.
  if (latest.completed >= since || latest.expires > since) return true;
  return latest.count === 1 && latest.expires < since ? false : null;
};

/** Which of the steps are done, in order: from the stored standings, and from the results only where those are not enough. */
export const stepsDone = async (on: Db, steps: readonly WalkedStep[], standings: ReadonlyMap<string, Buffer>): Promise<boolean[]> => {
  const byLatest = steps.map((s) => doneByLatest(standings.get(s.user_id), s.course_no, s.since_seconds));
  const undecided = steps.flatMap((step, at) => (byLatest[at] === null ? [{ ...step, at }] : []));
  const done = new Set(
    undecided.length === 0
      ? []
      : (
          await on.all<{ at: number }>(sql`select at from unnest(${undecided.map((s) => s.at)}::int[], ${undecided.map((s) => s.user_id)}::uuid[],
              ${undecided.map((s) => s.course_id)}::uuid[], ${undecided.map((s) => s.since)}::date[]) as s (at, user_id, course_id, since)
            where step_done_at(s.user_id, s.course_id, s.since) is not null`)
        ).map((s) => s.at),
  );
  return byLatest.map((known, at) => known ?? done.has(at));
};

/** An open step: of which pathway, and its deadline (YYYY-MM-DD). */
type OpenStep = { user_id: string; course_id: string; pathway: string; due_on: string | null };
/** The open steps of people on their pathways, of courses that the pathway's organisation still has; if a course is a step of several, the one that is due first. */
export const openStepsOf = async (on: Db, userIds: readonly string[], standings: ReadonlyMap<string, Buffer>): Promise<OpenStep[]> => {
  const steps = await on.all<WalkedStep & OpenStep>(sql`select u.id as user_id, s.course_id, c.no as course_no, w.since::text as since,
      extract(epoch from w.since::timestamp at time zone e.time_zone)::float8 as since_seconds, n.name as pathway, (w.since + s.within_days)::text as due_on
    from users u join entity_names e on e.id = u.primary_entity_id cross join lateral pathways_of(u.id) w join pathways n on n.id = w.pathway_id
      join pathway_steps s on s.pathway_id = n.id join course_titles c on c.id = s.course_id
      join courses k on k.id = s.course_id
    where u.id = any(${[...userIds]}::uuid[]) and ${hasCourse(sql`n.entity_id`)} order by u.id, s.course_id, w.since + s.within_days nulls last, n.name`);
  const done = await stepsDone(on, steps, standings);
  const open = steps.filter((_, at) => !done[at]);
  const first = new Map(open.toReversed().map((step) => [`${step.user_id} ${step.course_id}`, step]));
  return [...first.values()].map(({ user_id, course_id, pathway, due_on }) => ({ user_id, course_id, pathway, due_on }));
};
