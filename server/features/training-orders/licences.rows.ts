import type { Licence } from '#contract/entities/training-order.ts';
import { type LicenceShortage, licenceShortage } from '#contract/rules/licence-use.ts';
import { reference } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

/** The licences of an order, assigned ones first. */
export const licencesOf = (on: Db, order: string): Promise<Licence[]> =>
  on.all<Licence>(sql`select f.id, f.line_id, (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = f.course_id) as course, f.for_all,
      ${reference('person_names', sql`f.user_id`)} as user, f.assigned_at, f.expires_at, f.ended_at is not null as ended,
      w.use is not null as begun, coalesce(w.use = 'completed', false) as completed
    from training_licences f cross join lateral (select licence_use(f.id) as use) w
    where f.order_id = ${order} order by f.line_id, f.user_id is null, (select p.name from person_names p where p.id = f.user_id), f.id`);

/** Removes courses obtained by licence from an organisation and those below it if no licence is left; from all organisations if none is given. */
export const dropUnlicensedCourses = (tx: Db, entity: string | null = null): Promise<number> =>
  tx.run(sql`delete from entity_courses x where x.by_licence
    and ${entity === null ? sql`true` : sql`x.entity_id in (select below from entity_below where above = ${entity})`}
    and not exists (select 1 from training_licences f join entity_below b on b.above = f.entity_id and b.below = x.entity_id
      where f.course_id = x.course_id and f.ended_at is null)`);

/** The current licences of an organisation for a course by one provider: all of its orders count together. */
type Pool = { entity_id: string; entity: string; course: string; type: string; total: number; used: number; lines: string[]; orders: string[] };
/**
 * Pools of licences with few or none left, with their orders, newest first. Those for everybody never run out. `where` filters licences
 * `f`, their lines `l` and orders `o`; `having` filters pools.
 */
export const shortPools = async (on: Db, now: Date, where: Statement, having: Statement = sql`true`) => {
  const pools = await on.all<Pool>(sql`select f.entity_id, e.name as entity, k.title as course, l.type, count(*)::int as total,
      count(*) filter (where f.user_id is not null)::int as used, array_agg(distinct f.line_id) as lines,
      array_agg(f.order_id order by f.created_at desc, f.order_id) as orders
    from training_licences f join training_order_lines l on l.id = f.line_id join training_orders o on o.id = f.order_id
      join entity_names e on e.id = f.entity_id join course_titles k on k.id = f.course_id
    where f.ended_at is null and (f.expires_at is null or f.expires_at > ${now}) and ${where}
    group by f.entity_id, e.name, f.course_id, k.title, o.provider_id, l.type
    having not bool_or(f.for_all) and bool_or(f.user_id is not null) and ${having}`);
  return pools.flatMap((pool) => {
    const shortage = licenceShortage(pool);
    return shortage ? [{ ...pool, orders: [...new Set(pool.orders)], shortage }] : [];
  });
};

/** By order, of those whose licences run out: whether few or none are left of something in it. */
export const worstBy = (pools: Awaited<ReturnType<typeof shortPools>>): ReadonlyMap<string, LicenceShortage> => {
  // “None left” takes precedence over “few left”.
  const worst = pools.toSorted((a, b) => Number(a.shortage === 'none') - Number(b.shortage === 'none'));
  return new Map(worst.flatMap(({ orders, shortage }) => orders.map((id) => [id, shortage] as const)));
};
export const shortagesOf = async (on: Db, now: Date, where: Statement) => worstBy(await shortPools(on, now, where));
/** Licences `f` that count together with those of these orders. */
export const pooledWith = (orders: readonly string[]): Statement =>
  sql`(f.entity_id, f.course_id) in (select o2.entity_id, g.course_id from training_licences g join training_orders o2 on o2.id = g.order_id where g.order_id = any(${[...orders]}::uuid[]))`;
