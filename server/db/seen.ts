import { can } from '#contract/can.ts';
import type { EntityRef } from '#contract/entities/entity.ts';
import { permissionIdOf, type PermissionSlug } from '#contract/permissions.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, often, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

/** Conditions for who sees what and who may do what: every statement about organisations and people uses one of them. */

/**
 * Whether a row of `entities e` is visible: the actor's organisation and all below it. Rows of another tenant and rows that do
 * not exist are indistinguishable.
 */
export const visibleEntity = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`e.id = any(${[...actor.entityIds]}::uuid[])`);

/** The organisation with this slug, if the actor sees it, or 404. */
export const entityAt = async (on: Db, actor: Actor, slug: string): Promise<EntityRef> =>
  existing(await on.one<EntityRef>(sql`select e.id, e.name, e.slug from entities e where e.slug = ${slug} and ${visibleEntity(actor)}`));

/** Whether the actor sees the organisation that a row refers to. */
export type Within = (actor: Actor, entity: Statement) => Statement;
/** For a statement that scans many rows: their ids can be looked up in an index. */
export const amongAll: Within = (actor, entity) => sql`${entity} = any(${[...actor.entityIds]}::uuid[])`;
/**
 * For a statement about a few known rows: in a group of 2,000 organisations the ids take longer to send and read than the answer. Not
 * `exists`, for which a prepared statement would read all of them first.
 */
export const oneByOne: Within = (actor, entity) =>
  sql`(select true from entity_below s where s.above = ${actor.place.id} and s.below = ${entity}) is true`;

/** The permission to see other people at all. */
const seesOthers: PermissionSlug[] = ['user.search', 'record.search'];

/** Whether a row of `users u` is visible: oneself, and with the permission the people of one's organisation and of all below it. */
export const visiblePerson = (actor: Actor, within: Within = amongAll): Statement => {
  if (actor.seesAll) return sql`true`;
  if (!can(actor.user, seesOthers)) return sql`u.id = ${actor.user.uuid}`;
  return sql`(u.id = ${actor.user.uuid} or ${within(actor, sql`u.primary_entity_id`)})`;
};

/** The same for a list of others: a person acting for another organisation is not one of its people. */
export const listedPerson = (actor: Actor, within: Within = amongAll): Statement =>
  actor.actingAs ? sql`${visiblePerson(actor, within)} and ${within(actor, sql`u.primary_entity_id`)}` : visiblePerson(actor, within);

type Seen = { id: string; name: string; email: string; email_verified_at: string | null; place: string; type_id: string | null; has_left: boolean };
/** The person with this id, if the actor sees them, or 404. */
export const personAt = async (on: Db, actor: Actor, id: string): Promise<Seen> =>
  existing(
    await on.one<Seen>(
      often(sql`select u.id, u.name, u.email, u.email_verified_at, u.primary_entity_id as place, u.type_id, u.disabled_at is not null as has_left
        from users u where u.id = ${id} and ${visiblePerson(actor)}`),
    ),
  );

/** The ids of an organisation and of all above it, as a subquery. `entity` is an id or an expression. */
export const entityAndAbove = (entity: string | Statement): Statement => sql`select entity_and_above(${entity}::uuid)`;

/** The ids of the organisations of this condition (on `entities e`) and of all below them, as a subquery. */
export const entityAndBelow = (which: Statement): Statement =>
  sql`select b.below from entity_below b join entities e on e.id = b.above where ${which}`;

/** Whether a row of `courses k` is available in an organisation: its own, of one above it, or given to one of these. */
export const hasCourse = (entity: string | Statement): Statement =>
  sql`(k.entity_id in (${entityAndAbove(entity)}) or exists (select 1 from entity_courses x where x.course_id = k.id and x.entity_id in (${entityAndAbove(entity)})))`;

/** Whether a row of `courses k` is available where the actor is. */
export const hasCourseHere = (actor: Actor): Statement => (actor.seesAll ? sql`true` : hasCourse(actor.place.id));

/** Whether rows of `users` (by their alias in the statement) hold a permission: by user type, organisation or person. */
export const holds = (user: Statement, permission: PermissionSlug): Statement => {
  const id = permissionIdOf(permission);
  return sql`(exists (select 1 from type_permissions p where p.type_id = ${user}.type_id and p.permission_id = ${id})
    or exists (select 1 from entity_permissions p where p.entity_id = ${user}.primary_entity_id and p.permission_id = ${id})
    or exists (select 1 from user_permissions p where p.user_id = ${user}.id and p.permission_id = ${id}))`;
};

/**
 * Whether rows of `users u` have one of these tags: who belongs to a marked organisation is marked with it. Two lists, however many tags, which
 * are looked up once a statement and not once a person.
 */
export const marked = (tagIds: readonly string[]): Statement => {
  const tags = [...tagIds];
  return sql`(u.id in (select x.user_id from tag_users x where x.tag_id = any(${tags}::uuid[]))
  or u.primary_entity_id in (select b.below from tag_entities x join entity_below b on b.above = x.entity_id where x.tag_id = any(${tags}::uuid[])))`;
};
