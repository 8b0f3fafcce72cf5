import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { time } from '#server/features/training-sessions/registers.rows.ts';

/** A session to come. `limit`: how many can take part; null for any number. `register`: whether the actor sees its register. */
export type ComingSession = {
  id: string;
  course_id: string;
  on: string;
  start: string;
  venue: string;
  limit: number | null;
  delegates: number;
  register: boolean;
  /** The trainer. */
  provider: { id: string; name: string };
  /** Whether it has begun already, today. */
  begun: boolean;
};
/**
 * The sessions of courses between two days whose register the actor sees, or that match `also`; those with free places first. Of another
 * organisation's session only the number of taken places is visible, not by whom.
 */
export const comingSessions = (
  on: Db,
  { sees, also = sql`false` }: { sees: Statement; also?: Statement },
  courseIds: readonly string[],
  from: string,
  until: string,
  most: number,
  now: Date,
): Promise<ComingSession[]> =>
  on.all<ComingSession>(sql`select t.id, t.course_id, t.date::text as "on", ${time(sql`t.start_time`)} as start, t.venue, t.max_delegates as "limit", n.delegates, ${sees} as register,
      json_build_object('id', e.id, 'name', e.name) as provider, (t.date + t.start_time) at time zone e.time_zone <= ${now}::timestamptz as begun
    from training_sessions t join entity_names e on e.id = t.entity_id cross join lateral (select places_taken(t.id) as delegates) n
    where t.course_id = any(${[...courseIds]}::uuid[]) and t.cancelled_at is null and t.date between ${from}::date and ${until}::date and (${sees} or ${also})
      and not exists (select 1 from current_completions c where c.session_id = t.id)
    order by coalesce(t.max_delegates > n.delegates, true) desc, t.date, t.start_time, t.id limit ${most}`);
/** How many places are left; null for any number. */
export const freePlaces = ({ limit, delegates }: Pick<ComingSession, 'limit' | 'delegates'>): number | null =>
  limit === null ? null : Math.max(0, limit - delegates);
