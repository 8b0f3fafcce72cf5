import { mayOffer, mayOrder } from '#contract/api/marketplace.ts';
import { can } from '#contract/can.ts';
import type { SpendLine, trainingSpendReport } from '#contract/reports/training.ts';
import { lineAmounts } from '#contract/rules/money.ts';
import { contains } from '#server/db/rows.ts';
import { entityAndBelow } from '#server/db/seen.ts';
import { sql } from '#server/db/sql.ts';
import { knownNames } from '#server/features/reports/selection.rows.ts';
import { isClient, isProvider, orderColumns, orderTables } from '#server/features/training-orders/orders.rows.ts';
import { dayInPeriod } from '#server/reports/period.ts';
import type { ReportSource } from '#server/reports/report-source.ts';

type Found = Omit<SpendLine, 'net_pence' | 'vat_pence' | 'gross_pence'> & { price_pence: number; vat_rate: number; platform_share: number };

/** The invoice lines of approved orders: of clients what they spend, of providers what clients have ordered of them. */
export const trainingSpendSource: ReportSource<typeof trainingSpendReport> = {
  names: knownNames,
  rows: async function* ({ db, actor, filter, search, at }) {
    const { entities, courses } = filter;
    const below = sql`(${entityAndBelow(sql`e.id = any(${[...entities]}::uuid[])`)})`;
    const day = sql`(o.approved_at at time zone e.time_zone)::date`;
    const orders = can(actor.user, mayOrder) ? isClient(actor) : sql`false`;
    const offers = can(actor.user, mayOffer) ? isProvider(actor) : sql`false`;
    const rows =
      await db.all<Found>(sql`select l.id, o.id as order_id, o.number, o.provider, o.entity, o.day::text as "on", to_char(o.day, 'YYYY-MM') as month, l.title,
        l.quantity, l.price_pence, l.vat_rate, l.platform_share
      from (select ${orderColumns}, ${day} as day, e.name as client_name, p.name as provider_name from ${orderTables}
        where o.approved_at is not null and o.state in ('approved', 'fulfilled') and (${orders} or ${offers})
          and ${dayInPeriod(day, sql`e.time_zone`, filter, at)} and ${entities.length > 0 ? sql`(o.entity_id in ${below} or o.provider_id in ${below})` : sql`true`}) o
        join training_order_lines l on l.order_id = o.id
      where ${courses.length > 0 ? sql`l.course_id = any(${[...courses]}::uuid[])` : sql`true`}
        and ${contains([sql`o.number`, sql`o.client_name`, sql`o.provider_name`, sql`l.title`], search)}
      order by month desc, lower(o.provider_name), lower(o.client_name), o.number, l.place, l.id`);
    yield rows.map(({ price_pence, vat_rate, platform_share, ...row }) => {
      const { net_pence, vat_pence, gross_pence } = lineAmounts({ price_pence, quantity: row.quantity, vat_rate, platform_share });
      return { ...row, net_pence, vat_pence, gross_pence };
    });
  },
};
