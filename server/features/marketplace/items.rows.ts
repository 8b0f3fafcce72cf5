import type { MarketplaceItem } from '#contract/entities/marketplace.ts';
import { lineAmounts } from '#contract/rules/money.ts';
import { existing } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

/** Items with their provider `e`. */
export const itemTables = sql`marketplace_items t join entity_names e on e.id = t.entity_id`;

/** Whether an item `t` is offered to the organisation of the actor: published for all, or for clients of its provider. */
export const offered = sql`(t.published and (t.available_to = 'all' or scope_is_client(t.entity_id)))`;
/** The items that an actor sees: those of their organisation and below it, and those that others offer it. */
export const seenItem = (actor: Actor): Statement => sql`(${visibleEntity(actor)} or ${offered})`;

type Row = Omit<MarketplaceItem, 'gross_pence'>;
export const itemColumns = (
  actor: Actor,
): Statement => sql`t.id, t.type, t.course_id, t.title, t.description, t.price_pence, t.vat_rate, t.seats, t.licence_months,
  t.published, t.available_to, t.changed_at, ${visibleEntity(actor)} as own, case when ${visibleEntity(actor)} then t.platform_share end as platform_share,
  (select json_build_object('id', k.id, 'name', k.title) from course_titles k where k.id = t.course_id) as course,
  json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as provider, marketplace_content(t.id) is not null as can_be_tried`;
export const itemOf = (row: Row): MarketplaceItem => ({ ...row, gross_pence: lineAmounts({ ...row, quantity: 1, platform_share: 0 }).gross_pence });

/** The item with this id, if the actor sees it, or 404. */
export const itemAt = async (on: Db, actor: Actor, id: string): Promise<MarketplaceItem> =>
  itemOf(existing(await on.one<Row>(sql`select ${itemColumns(actor)} from ${itemTables} where t.id = ${id} and ${seenItem(actor)}`)));
