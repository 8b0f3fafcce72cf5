import type { MatrixPart } from '#contract/reports/matrix.ts';
import { type Db, instant, sql } from '#server/db/sql.ts';

/** The results with these ids. */
export const resultsNamed = (on: Db, ids: readonly string[]): Promise<MatrixPart['results']> =>
  on.all(sql`select r.id, r.user_id, r.course_id, r.type, ${instant(sql`r.completed_at`)} as completed_at, ${instant(sql`r.expires_at`)} as expires_at
    from current_results r where r.id = any(${[...ids]}::uuid[]) order by r.user_id, r.course_id`);

/** The pathway allocations of these people: their own, and those of their job roles where the pathway belongs or below. */
export const allocationsOf = (on: Db, userIds: readonly string[]): Promise<MatrixPart['pathway_allocations']> =>
  on.all(sql`select a.id, a.pathway_id, p.name as pathway_name, a.user_id, a.role_id, a.allocated_on::text as allocated_on
    from pathway_allocations a join pathways p on p.id = a.pathway_id
    where exists (select 1 from users u join entity_below b on b.below = u.primary_entity_id and b.above = p.entity_id
      where u.id = any(${[...userIds]}::uuid[]) and (a.user_id = u.id or a.role_id in (select h.role_id from held_roles h where h.user_id = u.id)))
    order by lower(p.name), p.id, a.id`);
