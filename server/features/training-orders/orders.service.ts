import { randomUUID } from 'node:crypto';
import type { listTrainingOrders, OrderDraft, OrderStepBody } from '#contract/api/training-orders.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import type * as z from 'zod/mini';
import { mostLicences, type OrderRow, type TrainingOrder } from '#contract/entities/training-order.ts';
import { dayIn, endOfTerm } from '#contract/rules/days.ts';
import { lineAmounts, moneyWords, totalOf } from '#contract/rules/money.ts';
import { needsReason, type OrderState, type OrderStep, transitionOf } from '#contract/rules/order-states.ts';
import { beyondScope } from '#server/db/scope.ts';
import { contains, insertRow, orderBy, pageOf, updateRows } from '#server/db/rows.ts';
import { holds } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { itemAt } from '#server/features/marketplace/items.rows.ts';
import { messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { budgetOf } from '#server/features/training-orders/budgets.service.ts';
import { dropUnlicensedCourses, pooledWith, shortagesOf } from '#server/features/training-orders/licences.rows.ts';
import { isClient, isProvider, type LineRow, linesOf, orderAt, orderColumns, orderTables } from '#server/features/training-orders/orders.rows.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

type Query = QueryOf<typeof listTrainingOrders>;
type Draft = z.output<typeof OrderDraft>;
type Step = z.output<typeof OrderStepBody>;
type Seen = Awaited<ReturnType<typeof orderAt>>;
const mostPence = 1_000_000_000;
const filters: Record<Exclude<NonNullable<Query['filter']>, 'short'>, Statement> = {
  open: sql`o.state in ('draft', 'submitted', 'declined')`,
  waiting: sql`o.state = 'submitted'`,
  done: sql`o.state in ('approved', 'fulfilled', 'cancelled')`,
  clients: sql`true`,
};
const sortedBy = { created_at: sql`o.created_at`, provider: sql`lower(p.name)`, gross: sql`o.gross_pence` };
const stateWords: Record<OrderState, string> = {
  ...{ draft: 'a draft', submitted: 'submitted', approved: 'approved', declined: 'declined', fulfilled: 'fulfilled', cancelled: 'cancelled' },
};

/** Organisations' orders from the marketplace. */
export const ordersOf = (services: Services) => {
  const { db, now } = services;
  const shown = async (on: Db, actor: Actor, id: string): Promise<TrainingOrder> => {
    const { zone: _zone, sides: _sides, ...order } = await orderAt(on, actor, id, now());
    return order;
  };
  /** What an order takes over of an item: its current offer. */
  const snapshotOf = async (tx: Db, actor: Actor, itemId: string) => {
    const item = await itemAt(tx, actor, itemId).catch(() => null);
    if (!item?.published) throw invalid('lines', 'Something in this order is not offered any more. Remove it.');
    const { type, course_id, title, price_pence, vat_rate, seats, licence_months, provider } = item;
    // Between provider and platform: the row is the same for everybody, and clients do not see it.
    const share = await beyondShare(tx, itemId);
    return { provider, columns: { type, course_id, title, price_pence, vat_rate, seats, licence_months, platform_share: share } };
  };
  const beyondShare = async (tx: Db, itemId: string): Promise<number> =>
    (await tx.one<{ share: number }>(sql`select platform_share as share from marketplace_items where id = ${itemId}`))?.share ?? 0;
  const checkQuantity = ({ seats, title }: Pick<LineRow, 'seats' | 'title'>, quantity: number, field: string) => {
    if (seats === null && quantity > 1) throw invalid(field, `“${title}” is for everybody: order one.`);
    if (seats !== null && quantity * seats > mostLicences)
      throw invalid(field, `These are more than ${mostLicences.toLocaleString('en-GB')} licences of “${title}”.`);
  };
  const sum = async (tx: Db, id: string): Promise<number> => {
    const { gross_pence } = totalOf((await linesOf(tx, id, false)).map(lineAmounts));
    if (gross_pence > mostPence) throw invalid('lines', `An order comes to no more than ${moneyWords(mostPence)}.`);
    await tx.run(sql`update training_orders set gross_pence = ${gross_pence}, rev = rev + 1 where id = ${id}`);
    return gross_pence;
  };
  const begin = async (tx: Db, by: By, providerId: string, renews: string | null): Promise<string> => {
    const id = randomUUID();
    const { place, user } = by.actor;
    if (place.id === providerId) throw invalid('item_id', 'This is offered by your own organisation.');
    const made = { id, entity_id: place.id, provider_id: providerId, state: 'draft', renews_id: renews, created_by: user.uuid, created_at: now() };
    await tx.run(insertRow('training_orders', made));
    return id;
  };
  const putLine = async (tx: Db, actor: Actor, order: string, itemId: string, quantity: number, place: number, field: string) => {
    const { provider, columns } = await snapshotOf(tx, actor, itemId);
    checkQuantity(columns, quantity, field);
    const existingOrder = await tx.one<{ provider_id: string }>(sql`select provider_id from training_orders where id = ${order}`);
    if (existingOrder?.provider_id !== provider.id) throw invalid(field, `“${columns.title}” is offered by ${provider.name}: it is another order.`);
    await tx.run(sql`${insertRow('training_order_lines', { id: randomUUID(), order_id: order, item_id: itemId, place, quantity, ...columns })}
      on conflict (order_id, item_id) do update set place = excluded.place, quantity = excluded.quantity, title = excluded.title, type = excluded.type, course_id = excluded.course_id,
        price_pence = excluded.price_pence, vat_rate = excluded.vat_rate, seats = excluded.seats, licence_months = excluded.licence_months, platform_share = excluded.platform_share`);
  };
  const noteStep = async (tx: Db, by: By, order: Seen, step: OrderStep, state: OrderState, reason: string) => {
    await tx.run(insertRow('training_order_steps', { id: randomUUID(), order_id: order.id, step, reason, by_id: by.actor.user.uuid, at: now() }));
    const subject = { kind: 'order' as const, id: order.id, name: order.number };
    const after = {
      state,
      ...(reason ? { reason } : {}),
      ...(step === 'submit' || step === 'approve' ? { gross: moneyWords(order.gross_pence) } : {}),
    };
    await noteChange(tx, by, now(), { entityId: order.entity.id, action: 'updated', subject, before: { state: order.state }, after });
  };
  /** Notifies people whom the caller need not see, in the transaction of the step. */
  const tell = async (tx: Db, sender: string, who: Statement, message: string): Promise<void> => {
    const people = await tx.all<{ id: string }>(sql`select u.id from users u where u.disabled_at is null and ${who} order by u.id limit 50`);
    const texts = people.map(({ id }) => ({ recipient_id: id, message }));
    await messagesOf(services).mailedWith(tx, [await tellPeople(tx, sender, texts, now())]);
  };
  const tellOf = async (tx: Db, by: By, before: Seen, step: OrderStep, reason: string) => {
    const me = by.actor.user.uuid;
    const what = `Order ${before.number} (${before.about}, ${moneyWords(before.gross_pence)})`;
    const asker = before.created_by
      ? sql`u.id = ${before.created_by.id}`
      : sql`u.id = (select created_by from training_orders where id = ${before.id})`;
    const providers = sql`u.primary_entity_id = ${before.provider.id} and ${holds(sql`u`, 'training_company.update')}`;
    if (step === 'submit')
      await tell(
        tx,
        me,
        sql`u.primary_entity_id in (select entity_and_above(${before.entity.id})) and ${holds(sql`u`, 'entity.update')}`,
        `${what} of ${before.entity.name} waits for your approval.${before.over_budget ? ' It is not within a budget.' : ''}`,
      );
    if (step === 'approve') {
      await tell(tx, me, asker, `${what} is approved.`);
      await tell(tx, me, providers, `${before.entity.name} has ordered: ${before.about} (${before.number}).`);
    }
    if (step === 'decline') await tell(tx, me, asker, `${what} is declined. Reason: ${reason}`);
    if (step === 'fulfil') await tell(tx, me, asker, `${what} is fulfilled by ${before.provider.name}.`);
    if (step === 'cancel' && before.approved_at) await tell(tx, me, asker, `${what} is cancelled by ${before.provider.name}. Reason: ${reason}`);
  };
  /** Fixes an order's prices at the current ones, and its budget. */
  const submit = async (tx: Db, actor: Actor, order: Seen, seenGross: number | undefined) => {
    if (order.lines.length === 0) throw invalid('lines', 'There is nothing in this order yet.');
    for (const [place, line] of order.lines.entries()) await putLine(tx, actor, order.id, line.item_id, line.quantity, place, 'lines');
    const gross = await sum(tx, order.id);
    if (seenGross !== undefined && seenGross !== gross)
      throw new ProductError('rev_mismatch', { message: `A price has changed: this order now comes to ${moneyWords(gross)}. Look at it again.` });
    const year = Number(dayIn(now(), order.zone).slice(0, 4));
    const budget = await budgetOf(tx, order.entity.id, year, order.id);
    await updateRows(
      tx,
      'training_orders',
      { submitted_at: now(), budget_year: year, budget_entity_id: budget?.entity.id ?? null },
      sql`id = ${order.id}`,
    );
  };
  /** Creates the licences of an approved order, and gives the organisation its e-learning. */
  const giveLicences = async (tx: Db, by: By, order: Seen) => {
    for (const line of order.lines) {
      const expires_at = line.licence_months === null ? null : endOfTerm(now().toISOString(), line.licence_months, order.zone);
      const n = line.seats === null ? 1 : line.seats * line.quantity;
      await tx.run(sql`insert into training_licences (id, order_id, line_id, entity_id, course_id, for_all, created_at, expires_at)
        select gen_random_uuid(), ${order.id}, ${line.id}, ${order.entity.id}, ${line.course.id}, ${line.seats === null}, ${now()}, ${expires_at}::timestamptz from generate_series(1, ${n}::int)`);
      if (order.renews && line.seats !== null)
        await tx.run(sql`with held as (select user_id, row_number() over (order by user_id) as n from (select distinct f.user_id from training_licences f join training_order_lines l on l.id = f.line_id
            where f.order_id = ${order.renews.id} and l.item_id = ${line.item_id} and f.user_id is not null) d),
          free as (select id, row_number() over (order by id) as n from training_licences where line_id = ${line.id})
          update training_licences t set user_id = held.user_id, assigned_by = ${by.actor.user.uuid}, assigned_at = ${now()} from free join held using (n) where t.id = free.id`);
      if (line.type === 'elearning')
        await tx.run(
          sql`${insertRow('entity_courses', { entity_id: order.entity.id, course_id: line.course.id, by_licence: true })} on conflict (entity_id, course_id) do nothing`,
        );
    }
  };
  const approve = async (tx: Db, by: By, order: Seen, seenGross: number | undefined) => {
    const year = Number(dayIn(now(), order.zone).slice(0, 4));
    const [held] = await tx.all<{ year: number | null }>(sql`select budget_year as year from training_orders where id = ${order.id}`);
    const budgetYear = held?.year ?? year;
    // Two orders that fit a budget separately but not together are decided one after the other.
    const before = await budgetOf(tx, order.entity.id, budgetYear, order.id);
    await lockEntity(tx, `budget ${before?.entity.id ?? order.entity.id} ${budgetYear}`);
    const current = await orderAt(tx, by.actor, order.id, now());
    if (current.may_not_approve) throw new ProductError('forbidden', { message: current.may_not_approve });
    if (seenGross !== undefined && seenGross !== current.gross_pence) throw new ProductError('rev_mismatch');
    await updateRows(
      tx,
      'training_orders',
      { approved_at: now(), budget_entity_id: current.budget?.entity.id ?? null, budget_year: budgetYear },
      sql`id = ${order.id}`,
    );
    await giveLicences(tx, by, order);
  };
  const take = (by: By, id: string, { step, reason = '', gross_pence }: Step) =>
    db.tx(async (tx) => {
      await lockEntity(tx, id);
      const order = await orderAt(tx, by.actor, id, now());
      const transition = transitionOf(order.state, step);
      if (!transition) throw new ProductError('already_decided', { message: `This order is ${stateWords[order.state]} by now. Look at it again.` });
      if (!order.sides.includes(transition.by)) throw new ProductError('forbidden', order.may_not_approve ? { message: order.may_not_approve } : {});
      if (needsReason(order.state, step) && !reason) throw invalid('reason', 'Enter a reason.');
      if (step === 'submit') await submit(tx, by.actor, order, gross_pence);
      if (step === 'approve') await approve(tx, by, order, gross_pence);
      if (step === 'reopen')
        await updateRows(tx, 'training_orders', { submitted_at: null, budget_entity_id: null, budget_year: null }, sql`id = ${id}`);
      if (step === 'cancel' && order.approved_at) {
        await tx.run(sql`update training_licences set ended_at = ${now()} where order_id = ${id} and ended_at is null`);
        await dropUnlicensedCourses(tx, order.entity.id);
      }
      await noteStep(tx, by, order, step, transition.to, reason);
      const done = step === 'approve' && order.lines.every((l) => l.type === 'elearning');
      if (done) await noteStep(tx, by, { ...order, state: 'approved' }, 'fulfil', 'fulfilled', '');
      await tx.run(sql`update training_orders set state = ${done ? 'fulfilled' : transition.to}, rev = rev + 1 where id = ${id}`);
      await tx.beyond((whole) => tellOf(whole, by, order, step, reason));
    });

  return {
    page: async (actor: Actor, query: Query) => {
      const ownSide = query.filter === 'clients' ? isProvider(actor) : isClient(actor);
      const found = contains([sql`p.name`, sql`e.name`, sql`'TO-' || lpad(o.no::text, 5, '0')`, sql`o.reference`], query.search);
      const chosen = async (): Promise<Statement> => {
        if (query.filter !== 'short') return query.filter ? filters[query.filter] : sql`true`;
        return sql`o.id = any(${[...(await shortagesOf(db, now(), isClient(actor))).keys()]}::uuid[])`;
      };
      const where = sql`${ownSide} and ${await chosen()} and ${found}`;
      const order = orderBy(query.sort ?? '-created_at', sortedBy, sql`o.id`);
      const page = await pageOf<Omit<OrderRow, 'shortage'>>(db, '/api/training-orders', query, {
        columns: orderColumns,
        from: orderTables,
        where,
        order,
      });
      const ids = page.data.map((o) => o.id);
      const short = query.filter === 'clients' ? null : await shortagesOf(db, now(), pooledWith(ids));
      return { ...page, data: page.data.map((o): OrderRow => ({ ...o, shortage: short?.get(o.id) ?? null })) };
    },
    get: (actor: Actor, id: string) => shown(db, actor, id),
    add: (by: By, itemId: string, quantity: number): Promise<TrainingOrder> =>
      db.tx(async (tx) => {
        const { place, user } = by.actor;
        const item = await itemAt(tx, by.actor, itemId);
        if (!item.published) throw invalid('item_id', 'This is not published.');
        await lockEntity(tx, `draft ${place.id} ${item.provider.id} ${user.uuid}`);
        const open = await tx.one<{ id: string }>(sql`select id from training_orders
          where entity_id = ${place.id} and provider_id = ${item.provider.id} and created_by = ${user.uuid} and state = 'draft' and renews_id is null order by created_at desc limit 1`);
        const id = open?.id ?? (await begin(tx, by, item.provider.id, null));
        const uses = await tx.one<{ n: number; had: number | null }>(
          sql`select count(*)::int as n, max(quantity) filter (where item_id = ${itemId}) as had from training_order_lines where order_id = ${id}`,
        );
        const most = 500;
        await putLine(tx, by.actor, id, itemId, Math.min(most, quantity + (uses?.had ?? 0)), uses?.n ?? 0, 'quantity');
        await sum(tx, id);
        return shown(tx, by.actor, id);
      }),
    change: (by: By, id: string, { lines, rev, ...texts }: Draft): Promise<TrainingOrder> =>
      db.tx(async (tx) => {
        await lockEntity(tx, id);
        const order = await orderAt(tx, by.actor, id, now());
        if (!order.sides.includes('orders')) throw new ProductError('forbidden');
        if (order.state !== 'draft')
          throw new ProductError('already_decided', { message: `This order is ${stateWords[order.state]} by now, and is not changed any more.` });
        if (order.rev !== rev) throw new ProductError('rev_mismatch');
        await tx.run(sql`delete from training_order_lines where order_id = ${id} and not item_id = any(${lines.map((l) => l.item_id)}::uuid[])`);
        for (const [place, line] of lines.entries()) await putLine(tx, by.actor, id, line.item_id, line.quantity, place, `lines.${place}.quantity`);
        await updateRows(tx, 'training_orders', texts, sql`id = ${id}`);
        await sum(tx, id);
        return shown(tx, by.actor, id);
      }),
    step: async (by: By, id: string, asked: Step): Promise<TrainingOrder> => {
      const seen = await orderAt(db, by.actor, id, now());
      // A provider’s step changes the order and the licences of its client, which the provider does not see.
      const provides = transitionOf(seen.state, asked.step)?.by === 'provides' && seen.sides.includes('provides');
      await (provides ? beyondScope(() => take(by, id, asked)) : take(by, id, asked));
      services.mail.wake();
      return shown(db, by.actor, id);
    },
    renew: (by: By, id: string): Promise<TrainingOrder> =>
      db.tx(async (tx) => {
        const old = await orderAt(tx, by.actor, id, now());
        if (!old.sides.includes('orders') || old.entity.id !== by.actor.place.id)
          throw new ProductError('forbidden', { message: `This order is renewed by ${old.entity.name}.` });
        if (old.state !== 'fulfilled' && old.state !== 'approved') throw invalid('id', 'Only an approved order is renewed.');
        const open = await tx.one<{ id: string }>(
          sql`select id from training_orders where renews_id = ${id} and state in ('draft', 'submitted') limit 1`,
        );
        if (open) return shown(tx, by.actor, open.id);
        const fresh = await begin(tx, by, old.provider.id, id);
        const offered = await tx.all<{ id: string }>(
          sql`select i.id from marketplace_items i where i.published and i.id = any(${old.lines.map((l) => l.item_id)}::uuid[])`,
        );
        const again = old.lines.filter((l) => offered.some((i) => i.id === l.item_id));
        if (again.length === 0) throw invalid('id', 'Nothing of this order is offered any more.');
        for (const [place, line] of again.entries()) await putLine(tx, by.actor, fresh, line.item_id, line.quantity, place, 'lines');
        await sum(tx, fresh);
        return shown(tx, by.actor, fresh);
      }),
  };
};
