import type { entityEndpoints } from '#contract/api/entities.ts';
import type { EntityRef, EntityRow } from '#contract/entities/entity.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { scoreOf } from '#server/features/entities/scores.ts';
import { visibleEntity } from '#server/db/seen.ts';
import { entitiesOf, people, refOf } from '#server/features/entities/entities.service.ts';
import { contains, countOf, orderBy, pagesOf, pagePart } from '#server/db/rows.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

const rowColumns = sql`e.id, e.name, e.slug, e.level, e.is_training_company, (select ${refOf(sql`p`)} from entities p where p.id = e.parent_id) as parent, ${people} as people`;

/** Organisations: seen, added and changed by those above them. */
export const entityHandlers = ({ db, now, sessions, jobs }: Services): HandlersOf<typeof entityEndpoints> => {
  const entities = entitiesOf({ now });
  /** Each organisation with what its place sorts by: the names from the top down to it. */
  const tree = (actor: Actor): Statement => sql`with recursive down as (
      select e.id, 0 as depth, array[e.name, e.id::text] as place from entities e
        where ${visibleEntity(actor)} and (e.parent_id is null or ${actor.seesAll ? sql`false` : sql`e.id = ${actor.place.id}`})
      union all select c.id, depth + 1, place || array[c.name, c.id::text] from entities c join down on c.parent_id = down.id)`;

  return {
    listEntities: async ({ query, actor }) => {
      const kind = query.is_training_company ? sql`e.is_training_company = ${query.is_training_company === '1'}` : sql`true`;
      const level = query.level ? sql`e.level = ${query.level}` : sql`true`;
      const below = query.actingAs ? sql`${query.actingAs} in (select x.slug from entity_and_above(e.id) a join entities x on x.id = a)` : sql`true`;
      const where = sql`${visibleEntity(actor)} and ${kind} and ${level} and ${below} and ${contains([sql`e.name`, sql`e.code`], query.search)}`;
      const total = await countOf(db, sql`entities e where ${where}`);
      // In their tree, or by name whatever is above them.
      const order = (place: Statement) => (query.sort ? orderBy(query.sort, { name: sql`e.name` }, sql`e.id`) : sql`${place}.place`);
      const data =
        await db.all<EntityRow>(sql`${tree(actor)}, page as (select down.id, down.depth, down.place from down join entities e on e.id = down.id
          where ${where} order by ${order(sql`down`)} ${pagePart(query)})
        select ${rowColumns}, page.depth from page join entities e on e.id = page.id order by ${order(sql`page`)}`);
      return { data: data.map((row) => ({ ...row, parent: row.depth === 0 ? null : row.parent })), ...pagesOf('/entities', query, total) };
    },
    ownOrganisation: async ({ actor }) => ({
      data: (await db.one<EntityRef>(
        sql`select e.id, e.name, e.slug from entities e where e.parent_id is null and e.id in (select entity_and_above(${actor.place.id}))`,
      )) as EntityRef,
    }),
    getEntity: async ({ params, actor }) => ({ data: await entities.found(db, actor, params.id) }),
    entityScore: async ({ params, actor }) => {
      const entity = await entities.found(db, actor, params.id);
      const score = await scoreOf({ db, now, jobs }, entity, params.x);
      return { data: score, status: score.ready ? 200 : 202 };
    },
    listChildEntities: async ({ params, actor }) => {
      const entity = await entities.found(db, actor, params.id);
      return {
        data: await db.all<EntityRow>(
          sql`select ${rowColumns}, ${entity.above.length + 1}::int as depth from entities e where e.parent_id = ${entity.id} order by e.name, e.id`,
        ),
      };
    },
    // Who sees what is below them sees what was changed at their next request.
    createEntity: ({ body, ...by }) => db.tx(async (tx) => ({ data: await entities.create(tx, by, body) })).finally(sessions.forgetAll),
    updateEntity: ({ params, body, ...by }) =>
      db.tx(async (tx) => ({ data: await entities.update(tx, by, params.id, body) })).finally(sessions.forgetAll),
  };
};
