import { mayOrder } from '#contract/api/marketplace.ts';
import type { LicenceShortage } from '#contract/rules/licence-use.ts';
import { pathTo } from '#contract/site-map.ts';
import { beyondScope } from '#server/db/scope.ts';
import { holds } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { shortPools } from '#server/features/training-orders/licences.rows.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

/** The nearest people who may order for an organisation: not the whole group office for each home. */
export const orderersOf = (on: Db, entity: string): Promise<{ name: string; email: string }[]> =>
  on.all<{ name: string; email: string }>(sql`with orderers as (
      select a.id, a.name, a.email, (select count(*) from entity_below d where d.below = a.primary_entity_id) as depth
      from users a join entity_below b on b.above = a.primary_entity_id and b.below = ${entity}
      where a.disabled_at is null and (${mayOrder.map((slug) => holds(sql`a`, slug)).reduce((a, b) => sql`${a} or ${b}`)}))
    select name, email from orderers where depth = (select max(depth) from orderers) order by id limit 50`);

type Pool = { entity: string; course: string; type: string; total: number; used: number; shortage: LicenceShortage };
const sentenceOf = ({ entity, course, type, total, used, shortage }: Pool): string => {
  const [one, many] = type === 'elearning' ? ['licence', 'licences'] : ['place', 'places'];
  const [left, thing] = [total - used, `“${course}” that ${entity} has ordered`];
  if (shortage === 'few')
    return `Of ${total} ${total === 1 ? one : many} for ${thing}, ${left === 1 ? '1 is' : `${left} are`} left. Order more before the last one is used.`;
  return `${total === 1 ? `The ${one}` : `All ${total} ${many}`} for ${thing} ${total === 1 ? 'is' : 'are'} used. To give somebody else one, order more.`;
};

/**
 * Notifies people who may order when few licences of a course are left, and when none is: once each, however many servers check. Licences
 * of several orders count together, so that nobody is notified while another order has plenty; those for everybody never run out. For one
 * line's course, or for all. Returns the number of notified shortages.
 */
export const tellShortages = (
  { db, mail, config, now }: Pick<Services, 'db' | 'mail' | 'config' | 'now'>,
  line: string | null = null,
): Promise<number> =>
  beyondScope(async () => {
    const ofLine = sql`(f.entity_id, f.course_id) = (select o.entity_id, l.course_id from training_order_lines l join training_orders o on o.id = l.order_id where l.id = ${line})`;
    const pools = await shortPools(db, now(), line === null ? sql`true` : ofLine, sql`bool_or(l.shortage_told is distinct from 'none')`);
    let announced = 0;
    for (const pool of pools) {
      const { shortage } = pool;
      announced += await db.tx(async (tx) => {
        const fresh = await tx.run(sql`update training_order_lines set shortage_told = ${shortage}
          where id = any(${pool.lines}::uuid[]) and (shortage_told is null or (shortage_told = 'few' and ${shortage} = 'none'))`);
        if (fresh === 0) return 0;
        const [subject, link] = [
          shortage === 'few' ? `Few left of “${pool.course}”` : `None left of “${pool.course}”`,
          `${config.PUBLIC_URL}${pathTo('training-orders-by-id', { id: pool.orders[0] ?? '' })}`,
        ];
        for (const person of await orderersOf(tx, pool.entity_id))
          await mail.send({ ...letter(person, subject, `${sentenceOf(pool)}\n${link}`), urgent: false }, tx);
        return 1;
      });
    }
    if (announced > 0) mail.wake();
    return announced;
  });
