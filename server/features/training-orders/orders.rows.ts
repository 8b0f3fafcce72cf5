import { mayOffer, mayOrder } from '#contract/api/marketplace.ts';
import { can } from '#contract/can.ts';
import type { OrderLine, OrderRow, TrainingOrder } from '#contract/entities/training-order.ts';
import { dayIn } from '#contract/rules/days.ts';
import { lineAmounts, totalOf } from '#contract/rules/money.ts';
import { approvalProblem, isOverBudget, type OrderSide, type OrderState, stepsFrom } from '#contract/rules/order-states.ts';
import { existing, reference } from '#server/db/rows.ts';
import { entityAndAbove, holds } from '#server/db/seen.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { offered } from '#server/features/marketplace/items.rows.ts';
import { budgetOf } from '#server/features/training-orders/budgets.service.ts';
import { pooledWith, shortPools, worstBy } from '#server/features/training-orders/licences.rows.ts';
import type { Actor } from '#server/actor.ts';

const sees = (actor: Actor, entity: Statement): Statement => (actor.seesAll ? sql`true` : sql`${entity} = any(${[...actor.entityIds]}::uuid[])`);
/** Orders `o` of the actor’s organisation and below it. */
export const isClient = (actor: Actor): Statement => sees(actor, sql`o.entity_id`);
/** Approved orders `o` that the actor’s organisation provides. */
export const isProvider = (actor: Actor): Statement => sql`(o.approved_at is not null and ${sees(actor, sql`o.provider_id`)})`;
/** Orders `o` with their client `e` and provider `p`. */
export const orderTables = sql`training_orders o join entity_names e on e.id = o.entity_id join entity_names p on p.id = o.provider_id`;
const about = sql`(select string_agg(l.quantity || ' × ' || l.title, ', ' order by l.place) from training_order_lines l where l.order_id = o.id)`;
/** The displayed number of an order. */
export const orderNumber = (no: Statement): Statement => sql`'TO-' || lpad(${no}::text, 5, '0')`;
export const orderColumns = sql`o.id, ${orderNumber(sql`o.no`)} as number, json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity,
  json_build_object('id', p.id, 'name', p.name, 'slug', p.slug) as provider, o.state, coalesce(${about}, 'Nothing yet') as about, o.gross_pence, o.created_at, o.submitted_at`;

type Head = Omit<OrderRow, 'shortage'> &
  Pick<TrainingOrder, 'rev' | 'reference' | 'created_by' | 'approved_at' | 'renews'> & {
    note: string;
    zone: string;
    client: boolean;
    provides: boolean;
    budget_year: number | null;
  };
export type LineRow = Omit<OrderLine, 'shortage' | 'net_pence' | 'vat_pence' | 'gross_pence' | 'platform_pence' | 'provider_pence'> & {
  platform_share: number;
};

/** The lines of an order. Those of a draft show their items' current prices. */
export const linesOf = (on: Db, order: string, withLicences: boolean): Promise<LineRow[]> => {
  const field = (name: string) => ({ text: `case when i.id is null then l.${name} else i.${name} end as ${name}`, values: [] }) as Statement;
  const course = sql`case when i.id is null then l.course_id else i.course_id end`;
  const counts = sql`(select json_build_object('total', count(*), 'assigned', count(*) filter (where f.user_id is not null),
    'begun', count(*) filter (where licence_use(f.id) is not null)) from training_licences f where f.line_id = l.id and not f.for_all)`;
  return on.all<LineRow>(sql`select l.id, l.item_id, l.quantity, ${field('title')}, ${field('type')}, ${field('price_pence')}, ${field('vat_rate')}, ${field('seats')},
      ${field('licence_months')}, ${field('platform_share')}, (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = ${course}) as course,
      o.state = 'draft' and i.id is null as withdrawn,
      exists (select 1 from marketplace_items t where t.id = l.item_id and ${offered}) as offered, ${withLicences ? counts : sql`null::json`} as licences,
      (select ${instant(sql`min(f.expires_at)`)} from training_licences f where f.line_id = l.id) as expires_at
    from training_order_lines l join training_orders o on o.id = l.order_id
      left join marketplace_items i on i.id = l.item_id and o.state = 'draft' and i.published
    where l.order_id = ${order} order by l.place, l.id`);
};

/** The actor's sides of an order, and whether they hold its budget. */
const sidesOf = (
  actor: Actor,
  { client, provides }: Pick<Head, 'client' | 'provides'>,
  budgetEntity: string,
): { sides: OrderSide[]; holdsBudget: boolean; approves: boolean } => {
  const holdsBudget = client && can(actor.user, 'entity.update') && (actor.seesAll || actor.entityIds.includes(budgetEntity));
  const approves = holdsBudget || (client && can(actor.user, 'booking.manage') && actor.user.a_entity.can_manage_bookings);
  const sides: OrderSide[] = [
    ...(client && can(actor.user, mayOrder) ? (['orders'] as const) : []),
    ...(approves ? (['approves'] as const) : []),
    ...(provides && can(actor.user, mayOffer) ? (['provides'] as const) : []),
  ];
  return { sides, holdsBudget, approves };
};

/** Whether the actor submitted an order that another budget holder can approve: one above them, whom they may not see. */
const isOwnOfTwo = (on: Db, actor: Actor, order: string, budgetEntity: string): Promise<boolean> =>
  on.beyond(async (whole) => {
    const found =
      await whole.one(sql`select 1 where (select s.by_id from training_order_steps s where s.order_id = ${order} and s.step = 'submit' order by s.seq desc limit 1) = ${actor.user.uuid}
      and exists (select 1 from users u where u.disabled_at is null and u.id <> ${actor.user.uuid}
        and u.primary_entity_id in (${entityAndAbove(budgetEntity)}) and ${holds(sql`u`, 'entity.update')})`);
    return found !== undefined;
  });

/** An order as the actor sees it, or 404: the client sees all of it; the provider what was approved, without the client's internal comments. */
export const orderAt = async (
  on: Db,
  actor: Actor,
  id: string,
  now: Date,
): Promise<TrainingOrder & { zone: string; sides: readonly OrderSide[] }> => {
  const head = existing(
    await on.one<Head>(sql`select ${orderColumns}, o.rev, o.reference, o.note, o.approved_at, o.budget_year, e.time_zone as zone, ${reference('person_names', sql`o.created_by`)} as created_by,
        (select json_build_object('id', r.id, 'number', ${orderNumber(sql`r.no`)}) from training_orders r where r.id = o.renews_id) as renews,
        ${isClient(actor)} as client, ${isProvider(actor)} as provides
      from ${orderTables} where o.id = ${id} and (${isClient(actor)} or ${isProvider(actor)})`),
  );
  const { zone, client, provides, budget_year, note, created_by, ...order } = head;
  const rows = await linesOf(on, id, client);
  const priced = rows.map((row) => ({ row, amounts: lineAmounts(row) }));
  const total = totalOf(priced.map((p) => p.amounts));
  const shown = <A extends { platform_pence: number; provider_pence: number }>(amounts: A) =>
    provides ? amounts : { ...amounts, platform_pence: null, provider_pence: null };
  const waits = (['draft', 'submitted', 'declined'] as OrderState[]).includes(order.state);
  const year = budget_year ?? Number(dayIn(now, zone).slice(0, 4));
  const budget = client ? await budgetOf(on, order.entity.id, year, id) : null;
  const over = waits && isOverBudget(total.gross_pence, budget);
  const { sides, holdsBudget, approves } = sidesOf(actor, { client, provides }, budget?.entity.id ?? order.entity.id);
  const own = client && order.state === 'submitted' && (await isOwnOfTwo(on, actor, id, budget?.entity.id ?? order.entity.id));
  const problem = approvalProblem({ holdsBudget, approves, over, own });
  const history = client
    ? await on.all<TrainingOrder['history'][number]>(sql`select s.step, s.reason, s.at, ${reference('person_names', sql`s.by_id`)} as by
        from training_order_steps s where s.order_id = ${id} order by s.seq`)
    : [];
  const short = client && order.approved_at ? await shortPools(on, now, pooledWith([id])) : [];
  const shortageOf = (line: string) => short.find((pool) => pool.lines.includes(line))?.shortage ?? null;
  return {
    ...order,
    shortage: worstBy(short).get(id) ?? null,
    ...shown(total),
    side: client ? 'client' : 'provider',
    note: client ? note : null,
    created_by: client ? created_by : null,
    renews: client ? order.renews : null,
    lines: priced.map(({ row: { platform_share: _share, ...row }, amounts }) => ({ ...row, shortage: shortageOf(row.id), ...shown(amounts) })),
    history,
    budget,
    over_budget: client && over,
    may: stepsFrom(order.state, sides).filter((step) => step !== 'approve' || problem === null),
    may_not_approve: client && order.state === 'submitted' ? problem : null,
    zone,
    sides,
  };
};
