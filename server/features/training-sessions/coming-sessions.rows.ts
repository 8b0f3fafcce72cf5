import { type Db, sql } from '#server/db/sql.ts';
import { time, visibleSession } from '#server/features/training-sessions/registers.rows.ts';
import type { Actor } from '#server/actor.ts';

/** A session that is still to be held. `limit`: how many can take part; null for as many as come. */
export type ComingSession = { id: string; course_id: string; on: string; start: string; venue: string; limit: number | null; delegates: number };
/** The sessions of courses from one day to another that the actor sees, those with a place left first. */
export const comingSessions = (
  on: Db,
  actor: Actor,
  courseIds: readonly string[],
  from: string,
  until: string,
  most: number,
): Promise<ComingSession[]> =>
  on.all<ComingSession>(sql`select t.id, t.course_id, t.date::text as "on", ${time(sql`t.start_time`)} as start, t.venue, t.max_delegates as "limit", n.delegates from training_sessions t
    cross join lateral (select count(*)::int as delegates from session_delegates d where d.session_id = t.id and d.same_as is null and d.removed_at is null) n
    where t.course_id = any(${[...courseIds]}::uuid[]) and t.cancelled_at is null and t.date between ${from}::date and ${until}::date and ${visibleSession(actor)}
      and not exists (select 1 from current_completions c where c.session_id = t.id)
    order by coalesce(t.max_delegates > n.delegates, true) desc, t.date, t.start_time, t.id limit ${most}`);
/** How many places are left; null for as many as come. */
export const freePlaces = ({ limit, delegates }: Pick<ComingSession, 'limit' | 'delegates'>): number | null =>
  limit === null ? null : Math.max(0, limit - delegates);
