import type { userEndpoints } from '#contract/api/users.ts';
import type { UserRow } from '#contract/entities/user.ts';
import { can } from '#contract/permissions.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import { eventCountsOf } from '#server/features/learning/events.sql.ts';
import { contains, pagesOf } from '#server/http/paging.ts';
import { ProductError } from '#server/http/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';
import { visiblePerson } from '#server/features/users/visible-person.ts';

type Row = Omit<UserRow, 'courses' | 'uuid'>;
const columns = sql`u.id, u.name, u.email, u.is_trainer, u.disabled_at,
  json_build_object('id', e.id, 'name', e.name, 'slug', e.slug) as primary_entity,
  (select json_build_object('id', r.id, 'name', r.name) from roles r where r.id = u.role_id) as role,
  (select json_build_object('id', t.id, 'name', t.name) from types t where t.id = u.type_id) as type`;

export const userHandlers = ({ db, now }: Services): HandlersOf<typeof userEndpoints> => {
  const withCounts = async (rows: Row[]): Promise<UserRow[]> => {
    const counts = await eventCountsOf(
      db,
      rows.map((r) => r.id),
      now(),
    );
    return rows.map((r) => ({ ...r, uuid: r.id, courses: counts.get(r.id) ?? { current: 0, overdue: 0, completed: 0 } }));
  };
  /** The condition for `actingAs`: an organisation at or below one's own, or any with permission 19 that one can see. */
  const actingAs = async (actor: Actor, slug: string | undefined): Promise<Statement> => {
    if (!slug) return sql`true`;
    const entity = await db.one<{ id: string }>(sql`select id from entities where slug = ${slug}`);
    const own = entity !== undefined && entity.id === actor.user.primary_entity.id;
    const allowed = entity !== undefined && (actor.user.super_admin || own || (can(actor.user, 19) && actor.entityIds.includes(entity.id)));
    if (!allowed) throw new ProductError('forbidden');
    return sql`u.primary_entity_id in (with recursive below as (select id from entities where id = ${entity.id} union all select c.id from entities c join below b on c.parent_id = b.id) select id from below)`;
  };
  return {
    listUsers: async ({ query, actor }) => {
      const trainer = query.is_trainer ? sql`u.is_trainer = ${query.is_trainer === '1'}` : sql`true`;
      const where = sql`${visiblePerson(actor)} and ${await actingAs(actor, query.actingAs)} and ${contains([sql`u.name`, sql`u.email`], query.search)} and ${trainer}`;
      const total = (await db.one<{ n: number }>(sql`select count(*)::int as n from users u where ${where}`))?.n ?? 0;
      const rows = await db.all<Row>(
        sql`select ${columns} from users u join entities e on e.id = u.primary_entity_id where ${where} order by u.name, u.id limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`,
      );
      return { data: await withCounts(rows), ...pagesOf('/users', query, total) };
    },
    getUser: async ({ params, actor }) => {
      const row = await db.one<Row>(
        sql`select ${columns} from users u join entities e on e.id = u.primary_entity_id where u.id = ${params.id} and ${visiblePerson(actor)}`,
      );
      if (!row) throw new ProductError('not_found');
      return { data: (await withCounts([row]))[0] as UserRow };
    },
  };
};
