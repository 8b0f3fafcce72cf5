import type { Actor } from '#server/actor.ts';
import { contains } from '#server/db/rows.ts';
import { hasCourseHere } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';

export type CourseRow = { id: string; title: string; short_title: string; delivery: string; renewal_months: number | null };

/** Published courses of the organisation for which somebody acts, by title. */
export const coursesHere = (db: Db, actor: Actor, search: string): Promise<CourseRow[]> =>
  db.all<CourseRow>(
    sql`select k.id, k.title, k.short_title, k.delivery, k.renewal_months from courses k
      where k.published and ${contains([sql`k.title`], search)} and ${hasCourseHere(actor)} order by k.title`,
  );
