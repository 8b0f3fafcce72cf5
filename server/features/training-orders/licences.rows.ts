import type { Licence } from '#contract/entities/training-order.ts';
import { reference } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** The licences of an order, those that somebody has first. */
export const licencesOf = (on: Db, order: string): Promise<Licence[]> =>
  on.all<Licence>(sql`select f.id, f.line_id, (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = f.course_id) as course, f.for_all,
      ${reference('person_names', sql`f.user_id`)} as user, f.assigned_at, f.expires_at, f.ended_at is not null as ended,
      w.use is not null as begun, coalesce(w.use = 'completed', false) as completed
    from training_licences f cross join lateral (select licence_use(f.id) as use) w
    where f.order_id = ${order} order by f.line_id, f.user_id is null, (select p.name from person_names p where p.id = f.user_id), f.id`);

/** Takes courses that came by licence from an organisation and those below it where no licence is left; from all of them without one. */
export const dropUnlicensedCourses = (tx: Db, entity: string | null = null): Promise<number> =>
  tx.run(sql`delete from entity_courses x where x.by_licence
    and ${entity === null ? sql`true` : sql`x.entity_id in (select below from entity_below where above = ${entity})`}
    and not exists (select 1 from training_licences f join entity_below b on b.above = f.entity_id and b.below = x.entity_id
      where f.course_id = x.course_id and f.ended_at is null)`);
