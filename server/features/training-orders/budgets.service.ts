import { can } from '#contract/can.ts';
import type { OrderBudget, TrainingBudget } from '#contract/entities/training-order.ts';
import { moneyWords } from '#contract/rules/money.ts';
import { dayIn } from '#contract/rules/days.ts';
import { insertRow } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

/** The budget from which an organisation orders in a year, with the amounts used by its bookings and other orders. */
export const budgetOf = async (on: Db, entity: string, year: number, but: string | null = null): Promise<OrderBudget | null> => {
  const found =
    await on.one<OrderBudget>(sql`select json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as entity, ${year}::int as year, b.amount, b.reserved, b.booked, b.spent
    from training_budget_of(${entity}, ${year}, ${but}) b join entity_names e on e.id = b.entity_id`);
  return found ?? null;
};

/** Annual training budgets of organisations. */
export const budgetsOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => {
  const get = async (actor: Actor, wantedYear?: number): Promise<TrainingBudget> => {
    const year = wantedYear ?? Number(dayIn(now(), actor.user.time_zone).slice(0, 4));
    const found = await budgetOf(db, actor.place.id, year);
    const may_set = can(actor.user, 'entity.update');
    return found ? { ...found, may_set } : { entity: actor.place, year, amount: null, reserved: 0, booked: 0, spent: 0, may_set };
  };
  return {
    get,
    set: async (by: By, { year, amount }: { year: number; amount: number }): Promise<TrainingBudget> => {
      const { place, user } = by.actor;
      await db.tx(async (tx) => {
        const before = await tx.one<{ amount: number }>(
          sql`select amount_pence as amount from training_budgets where entity_id = ${place.id} and year = ${year}`,
        );
        const row = { entity_id: place.id, year, amount_pence: amount, changed_by: user.uuid, changed_at: now() };
        await tx.run(sql`${insertRow('training_budgets', row)} on conflict (entity_id, year)
          do update set amount_pence = excluded.amount_pence, changed_by = excluded.changed_by, changed_at = excluded.changed_at`);
        const subject = { kind: 'budget' as const, id: place.id, name: `${year}` };
        const change = { after: { amount: moneyWords(amount) }, ...(before ? { before: { amount: moneyWords(before.amount) } } : {}) };
        await noteChange(tx, by, now(), { entityId: place.id, action: before ? 'updated' : 'created', subject, ...change });
      });
      return get(by.actor, year);
    },
  };
};
