import type { Licence } from '#contract/entities/training-order.ts';
import { dayIn, dayWords } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { existing, updateRows } from '#server/db/rows.ts';
import { visiblePerson } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { messagesOf, tellPeople } from '#server/features/messages/messages.service.ts';
import { dropUnlicensedCourses, licencesOf } from '#server/features/training-orders/licences.rows.ts';
import { orderAt } from '#server/features/training-orders/orders.rows.ts';
import { orderersOf, tellShortages } from '#server/features/training-orders/shortages.service.ts';
import type { Job } from '#server/jobs/job.ts';
import { lockEntity } from '#server/ledger/apply-once.ts';
import { letter } from '#server/mail/mailer.ts';
import { type By, noteChange } from '#server/note-change.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** How long before licences expire the people who ordered them are notified. */
const toldDays = 30;
const dayMs = 86_400_000;

/** The assigned licences of an order. */
export const licencesServiceOf = (services: Services) => {
  const { db, now } = services;
  /** The order, if the actor is its client. */
  const ownOrder = async (on: Db, actor: Actor, id: string) => {
    const order = await orderAt(on, actor, id, now());
    existing(order.side === 'client');
    return order;
  };
  const change = async (
    by: By,
    id: string,
    work: (tx: Db, order: Awaited<ReturnType<typeof ownOrder>>) => Promise<{ after: object; message?: string; to?: string[] }>,
  ) => {
    const licences = await db.tx(async (tx) => {
      await lockEntity(tx, id);
      const order = await ownOrder(tx, by.actor, id);
      if (!order.sides.includes('orders')) throw new ProductError('forbidden');
      if (!order.approved_at || order.state === 'cancelled') throw invalid('line_id', 'There are licences once the order is approved.');
      const { after, message = '', to = [] } = await work(tx, order);
      const subject = { kind: 'order' as const, id, name: order.number };
      await noteChange(tx, by, now(), { entityId: order.entity.id, action: 'updated', subject, after: after as Record<string, unknown> });
      const texts = to.map((recipient_id) => ({ recipient_id, message }));
      await messagesOf(services).mailedWith(tx, [await tellPeople(tx, by.actor.user.uuid, texts, now())]);
      return licencesOf(tx, id);
    });
    services.mail.wake();
    return licences;
  };
  /** The assignment stands even if notifying fails. */
  const tellOfShortage = async (line: string) => {
    try {
      await tellShortages(services, line);
    } catch (error) {
      services.log.error({ err: error, line }, 'people who may order could not be notified that licences run out');
    }
  };
  return {
    list: async (actor: Actor, id: string): Promise<Licence[]> => {
      await ownOrder(db, actor, id);
      return licencesOf(db, id);
    },
    assign: async (by: By, id: string, lineId: string, userIds: readonly string[]): Promise<Licence[]> => {
      const assigned = await change(by, id, async (tx, order) => {
        const line = order.lines.find((l) => l.id === lineId);
        if (!line) throw invalid('line_id', 'Choose something of this order.');
        if (line.seats === null) throw invalid('line_id', `“${line.title}” is for everybody: nobody needs a licence of their own.`);
        const uniqueIds = [...new Set(userIds)];
        const people = await tx.all<{
          id: string;
          name: string;
        }>(sql`select u.id, u.name from users u where u.id = any(${uniqueIds}::uuid[]) and u.disabled_at is null
          and ${visiblePerson(by.actor)} and u.primary_entity_id in (select below from entity_below where above = ${order.entity.id})`);
        if (people.length !== uniqueIds.length) throw invalid('user_ids', `Choose people of ${order.entity.name}.`);
        const licences = (await licencesOf(tx, id)).filter((l) => l.line_id === lineId && !l.ended);
        const free = licences.filter((l) => l.user === null && (l.expires_at === null || l.expires_at > now().toISOString()));
        const fresh = people.filter((p) => !licences.some((l) => l.user?.id === p.id));
        const more = line.offered
          ? `order more: find “${line.title}” in the marketplace and add it to an order`
          : 'look for another in the marketplace, as this one is not offered any more';
        if (free.length === 0 && fresh.length > 0)
          throw invalid('user_ids', `All licences of “${line.title}” are used. Release one that nobody has begun, or ${more}.`);
        if (free.length < fresh.length)
          throw invalid(
            'user_ids',
            `${free.length === 1 ? 'There is 1 licence' : `There are ${free.length} licences`} left of “${line.title}”, and you chose ${fresh.length} people. Choose fewer, or ${more}.`,
          );
        for (const [i, person] of fresh.entries())
          await updateRows(
            tx,
            'training_licences',
            { user_id: person.id, assigned_by: by.actor.user.uuid, assigned_at: now() },
            sql`id = ${free[i]?.id ?? ''}`,
          );
        const message =
          line.type === 'elearning'
            ? `You have a licence for “${line.course.name}”: you can take it now.`
            : `A place on “${line.title}” is for you. You are told when it takes place.`;
        return { after: { licences_assigned: fresh.map((p) => p.name) }, message, to: fresh.map((p) => p.id) };
      });
      await tellOfShortage(lineId);
      return assigned;
    },
    release: (by: By, id: string, licenceId: string): Promise<Licence[]> =>
      change(by, id, async (tx) => {
        const licence = existing((await licencesOf(tx, id)).find((l) => l.id === licenceId && l.user !== null));
        if (licence.begun)
          throw new ProductError('in_use', { message: `${licence.user?.name} has begun “${licence.course.name}”: the licence stays with them.` });
        await updateRows(tx, 'training_licences', { user_id: null, assigned_by: null, assigned_at: null }, sql`id = ${licenceId}`);
        return { after: { licence_released: licence.user?.name } };
      }),
  };
};

type Ending = {
  order_id: string;
  number: string;
  entity_id: string;
  entity: string;
  name: string;
  email: string;
  left: boolean;
  n: number;
  used: number;
  expires_at: string;
  zone: string;
};
/**
 * Notifies the people who ordered, or if they have left those who may order, once before licences expire; and ends expired licences with
 * the courses they gave. Returns how many of each.
 */
export const endLicences = async ({
  db,
  mail,
  config,
  now,
}: Pick<Services, 'db' | 'mail' | 'config' | 'now' | 'log'>): Promise<{ expiring: number; ended: number }> => {
  const until = new Date(now().getTime() + toldDays * dayMs);
  // Noted as told in one transaction with the e-mails: nobody is noted whose e-mail is not stored.
  const expiring = await db.tx(async (tx) => {
    const ending = await tx.all<Ending>(sql`with soon as (update training_licences set told_at = ${now()}
      where ended_at is null and told_at is null and expires_at > ${now()} and expires_at <= ${until} returning order_id, user_id, for_all, expires_at)
    select s.order_id, 'TO-' || lpad(o.no::text, 5, '0') as number, o.entity_id, e.name as entity, u.name, u.email,
      u.disabled_at is not null as left, count(*)::int as n,
      count(*) filter (where s.user_id is not null or s.for_all)::int as used, min(s.expires_at) as expires_at, e.time_zone as zone
    from soon s join training_orders o on o.id = s.order_id join users u on u.id = o.created_by join entity_names e on e.id = o.entity_id
    group by s.order_id, o.no, o.entity_id, e.name, u.name, u.email, u.disabled_at, e.time_zone`);
    for (const expiringOrder of ending) {
      const link = `${config.PUBLIC_URL}${pathTo('training-orders-by-id', { id: expiringOrder.order_id })}`;
      const text = `The licences of order ${expiringOrder.number} of ${expiringOrder.entity} expire from ${dayWords(dayIn(expiringOrder.expires_at, expiringOrder.zone))}. ${expiringOrder.used} of ${expiringOrder.n} are in use. To keep them, renew the order:\n${link}`;
      for (const person of expiringOrder.left ? await orderersOf(tx, expiringOrder.entity_id) : [expiringOrder])
        await mail.send({ ...letter(person, `Licences of order ${expiringOrder.number} expire soon`, text), urgent: false }, tx);
    }
    return ending.length;
  });
  mail.wake();
  const ended = await db.tx(async (tx) => {
    const n = await tx.run(sql`update training_licences set ended_at = ${now()} where ended_at is null and expires_at <= ${now()}`);
    if (n > 0) await dropUnlicensedCourses(tx);
    return n;
  });
  return { expiring, ended };
};
export const licencesJob = (services: Pick<Services, 'db' | 'mail' | 'config' | 'now' | 'log'>): Job => ({
  title: () => 'Ending licences that have expired, and telling where they run out',
  unit: 'licences',
  seenBy: [],
  schedule: '11 4 * * *',
  ...{ canCancel: false, limitMinutes: 60, tries: 5, atOnce: 1 },
  run: async () => {
    await endLicences(services);
    await tellShortages(services);
  },
});
