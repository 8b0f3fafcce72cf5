import { createHash } from 'node:crypto';
import { mayOffer, mayOrder } from '#contract/api/marketplace.ts';
import { can } from '#contract/can.ts';
import type { FilterOf } from '#contract/reports/report.ts';
import { type SpendLine, type TrainingMonth, type trainingMonthsReport, trainingSpendReport } from '#contract/reports/training.ts';
import { lineAmounts } from '#contract/rules/money.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { contains } from '#server/db/rows.ts';
import { beyondScope } from '#server/db/scope.ts';
import { entityAndBelow } from '#server/db/seen.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { monthlyAttendance } from '#server/features/bookings/attendance.rows.ts';
import { inOneTree } from '#server/features/bookings/bookings.rows.ts';
import { costOf, lineTitle, placesOf } from '#server/features/bookings/costs.rows.ts';
import { knownNames } from '#server/features/reports/selection.rows.ts';
import { isClient, isProvider, orderColumns, orderTables } from '#server/features/training-orders/orders.rows.ts';
import { dayInPeriod } from '#server/reports/period.ts';
import type { ReportAsked, ReportSource } from '#server/reports/report-source.ts';

type Found = Omit<SpendLine, 'net_pence' | 'vat_pence' | 'gross_pence'> & { price_pence: number; vat_rate: number; platform_share: number };
type Asked = ReportAsked<FilterOf<typeof trainingSpendReport>>;

/** The lines of approved orders: what clients spend, and what they have ordered from providers. */
const orderLines = async ({ db, actor, filter, search, at }: Asked): Promise<SpendLine[]> => {
  const { entities, courses } = filter;
  const below = sql`(${entityAndBelow(sql`e.id = any(${[...entities]}::uuid[])`)})`;
  const day = sql`(o.approved_at at time zone e.time_zone)::date`;
  const orders = can(actor.user, mayOrder) ? isClient(actor) : sql`false`;
  const offers = can(actor.user, mayOffer) ? isProvider(actor) : sql`false`;
  const rows =
    await db.all<Found>(sql`select l.id, o.id as order_id, null as booking_id, o.number, o.provider, o.entity, o.day::text as "on", to_char(o.day, 'YYYY-MM') as month, l.title,
      l.quantity, l.price_pence, l.vat_rate, l.platform_share
    from (select ${orderColumns}, ${day} as day, e.name as client_name, p.name as provider_name from ${orderTables}
      where o.approved_at is not null and o.state in ('approved', 'fulfilled') and (${orders} or ${offers})
        and ${dayInPeriod(day, sql`e.time_zone`, filter, at)} and ${entities.length > 0 ? sql`(o.entity_id in ${below} or o.provider_id in ${below})` : sql`true`}) o
      join training_order_lines l on l.order_id = o.id
    where ${courses.length > 0 ? sql`l.course_id = any(${[...courses]}::uuid[])` : sql`true`}
      and ${contains([sql`o.number`, sql`o.client_name`, sql`o.provider_name`, sql`l.title`], search)}
    order by o.number, l.place, l.id`);
  return rows.map(({ price_pence, vat_rate, platform_share, ...row }) => {
    const { net_pence, vat_pence, gross_pence } = lineAmounts({ price_pence, quantity: row.quantity, vat_rate, platform_share });
    return { ...row, net_pence, vat_pence, gross_pence };
  });
};

/** A stable id for a line of a booking. */
const lineId = (...parts: string[]): string =>
  createHash('sha256')
    .update(parts.join(' '))
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** The lines of booked sessions that were held: what clients' people cost them, and what providers earn from others. */
const bookingLines = async ({ db, actor, filter, search, at }: Asked): Promise<SpendLine[]> => {
  const { entities, courses } = filter;
  const sees = (id: Statement, permissions: readonly PermissionSlug[]) =>
    !can(actor.user, permissions) ? sql`false` : actor.seesAll ? sql`true` : sql`${id} = any(${[...actor.entityIds]}::uuid[])`;
  const below = sql`(${entityAndBelow(sql`e.id = any(${[...entities]}::uuid[])`)})`;
  const ref = (id: Statement) => sql`(select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) from entity_names e where e.id = ${id})`;
  const bookings = await db.all<{ id: string; number: string; provider: SpendLine['provider']; entity: SpendLine['entity'] }>(
    sql`select b.id, b.reference as number, ${ref(sql`b.provider_id`)} as provider, ${ref(sql`b.client_id`)} as entity from bookings b
      where b.confirmed_at is not null and not ${inOneTree(sql`b.provider_id`, sql`b.client_id`)}
        and (${sees(sql`b.client_id`, ['booking.create', 'booking.manage'])} or ${sees(sql`b.provider_id`, mayOffer)})
        and ${entities.length > 0 ? sql`(b.client_id in ${below} or b.provider_id in ${below})` : sql`true`}`,
  );
  const bookingById = new Map(bookings.map((b) => [b.id, b]));
  // People of both sides are counted, of whom each side sees only its own; the answer has only sums of visible bookings.
  const places = await beyondScope(() =>
    placesOf(
      db,
      actor,
      sql`b.id = any(${[...bookingById.keys()]}::uuid[]) and register_counts(t.id)
        and ${dayInPeriod(sql`t.date`, sql`(select e.time_zone from entities e where e.id = b.client_id)`, filter, at)}
        and ${courses.length > 0 ? sql`t.course_id = any(${[...courses]}::uuid[])` : sql`true`}`,
    ),
  );
  const sought = search?.trim().toLowerCase() ?? '';
  return places.flatMap((session) => {
    const { number, provider, entity } = bookingById.get(session.booking_id) as (typeof bookings)[number];
    return costOf([session]).lines.flatMap((line): SpendLine[] => {
      const title = lineTitle(line);
      if (![number, provider.name, entity.name, title].some((text) => text.toLowerCase().includes(sought))) return [];
      const { on, quantity, net_pence, vat_pence, gross_pence } = line;
      const ids = { id: lineId(session.booking_id, session.session_id, line.of), order_id: null, booking_id: session.booking_id };
      return [{ ...ids, number, provider, entity, on, month: on.slice(0, 7), title, quantity, net_pence, vat_pence, gross_pence }];
    });
  });
};

/** The net amount spent in a month with a provider; nothing for people who may read neither source. */
const spentByMonth = async (query: Asked): Promise<ReadonlyMap<string, SpendLine[]>> => {
  if (!can(query.actor.user, trainingSpendReport.access)) return new Map();
  // The search is for names of organisations here, not of items.
  const lines = [...(await orderLines({ ...query, search: undefined })), ...(await bookingLines({ ...query, search: undefined }))];
  const sought = query.search?.trim().toLowerCase() ?? '';
  const found = lines.filter((l) => [l.provider.name, l.entity.name].some((name) => name.toLowerCase().includes(sought)));
  return Map.groupBy(found, rowId);
};
const rowId = ({ month, provider, entity }: Pick<SpendLine, 'month' | 'provider' | 'entity'>) => `${month} ${provider.id} ${entity.id}`;

/** Attendance and spend, month by month, latest first. */
export const trainingMonthsSource: ReportSource<typeof trainingMonthsReport> = {
  names: knownNames,
  rows: async function* (query) {
    const spent = await spentByMonth(query);
    const reads = can(query.actor.user, trainingSpendReport.access);
    const sum = (id: string) => (reads ? (spent.get(id) ?? []).reduce((total, { net_pence }) => total + net_pence, 0) : null);
    const attended = (await monthlyAttendance(query)).map((row) => ({ ...row, id: rowId(row) }));
    const known = new Set(attended.map(({ id }) => id));
    const noSessions = { sessions: 0, places: 0, came: 0, no_shows: 0 };
    const others = [...spent].flatMap(([id, [line]]) =>
      line && !known.has(id) ? [{ id, month: line.month, provider: line.provider, entity: line.entity, ...noSessions }] : [],
    );
    const namesOf = (r: TrainingMonth) => [r.provider.name, r.entity.name].join('\n');
    yield [...attended, ...others]
      .map((row): TrainingMonth => ({ ...row, net_pence: sum(row.id) }))
      .sort((a, b) => b.month.localeCompare(a.month) || namesOf(a).localeCompare(namesOf(b), 'en-GB', { sensitivity: 'base' }));
  },
};

/** The invoice lines of orders and of bookings, latest month first. */
export const trainingSpendSource: ReportSource<typeof trainingSpendReport> = {
  names: knownNames,
  rows: async function* (query) {
    const lines = [...(await orderLines(query)), ...(await bookingLines(query))];
    const namesOf = (l: SpendLine) => [l.provider.name, l.entity.name, l.number].join('\n');
    yield lines.sort((a, b) => b.month.localeCompare(a.month) || namesOf(a).localeCompare(namesOf(b), 'en-GB', { sensitivity: 'base' }));
  },
};
