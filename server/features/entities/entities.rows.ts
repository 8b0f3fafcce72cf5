import type { QueryOf } from '#contract/api/endpoint.ts';
import type { listEntities } from '#contract/api/entities.ts';
import type { EntityRef, EntityRow } from '#contract/entities/entity.ts';
import type { Actor } from '#server/actor.ts';
import { contains, countOf, existing, orderBy, pagePart, pagesOf } from '#server/db/rows.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';

export const refOf = (row: Statement): Statement => sql`json_build_object('id', ${row}.id, 'name', ${row}.name, 'slug', ${row}.slug)`;
/** How many people belong to an organisation `e`. */
export const people = sql`(select count(*)::int from users u where u.primary_entity_id = e.id and u.disabled_at is null)`;
const rowColumns = sql`e.id, e.name, e.slug, e.level, e.is_training_company, (select ${refOf(sql`p`)} from entities p where p.id = e.parent_id) as parent, ${people} as people`;

/** Each organisation with the sort key of its place: the names from the top down to it. */
const tree = (actor: Actor): Statement => sql`with recursive down as (
      select e.id, 0 as depth, array[e.name, e.id::text] as place from entities e
        where ${visibleEntity(actor)} and (e.parent_id is null or ${actor.seesAll ? sql`false` : sql`e.id = ${actor.place.id}`})
      union all select c.id, depth + 1, place || array[c.name, c.id::text] from entities c join down on c.parent_id = down.id)`;

/** A page of the organisations that the actor sees: as a tree, or by name alone. */
export const entityPage = async (db: Db, actor: Actor, query: QueryOf<typeof listEntities>) => {
  const kind = query.is_training_company ? sql`e.is_training_company = ${query.is_training_company === '1'}` : sql`true`;
  const level = query.level ? sql`e.level = ${query.level}` : sql`true`;
  const below = query.actingAs ? sql`${query.actingAs} in (select x.slug from entity_and_above(e.id) a join entities x on x.id = a)` : sql`true`;
  const where = sql`${visibleEntity(actor)} and ${kind} and ${level} and ${below} and ${contains([sql`e.name`, sql`e.code`], query.search)}`;
  const total = await countOf(db, sql`entities e where ${where}`);
  const order = (place: Statement) => (query.sort ? orderBy(query.sort, { name: sql`e.name` }, sql`e.id`) : sql`${place}.place`);
  const data = await db.all<EntityRow>(sql`${tree(actor)}, page as (select down.id, down.depth, down.place from down join entities e on e.id = down.id
          where ${where} order by ${order(sql`down`)} ${pagePart(query)})
        select ${rowColumns}, page.depth from page join entities e on e.id = page.id order by ${order(sql`page`)}`);
  return { data: data.map((row) => ({ ...row, parent: row.depth === 0 ? null : row.parent })), ...pagesOf('/entities', query, total) };
};

/** The organisations directly below one. */
export const childrenOf = (db: Db, entity: { id: string; above: readonly unknown[] }): Promise<EntityRow[]> =>
  db.all<EntityRow>(
    sql`select ${rowColumns}, ${entity.above.length + 1}::int as depth from entities e where e.parent_id = ${entity.id} order by e.name, e.id`,
  );

/** The organisation at the top of the tree to which the actor's belongs. */
export const topOf = async (db: Db, actor: Actor): Promise<EntityRef> =>
  existing(
    await db.one<EntityRef>(
      sql`select e.id, e.name, e.slug from entities e where e.parent_id is null and e.id in (select entity_and_above(${actor.place.id}))`,
    ),
  );
