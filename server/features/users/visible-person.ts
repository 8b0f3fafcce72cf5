import { can } from '#contract/can.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/http/sessions.ts';

/** What lets a person see others at all. */
const seesOthers: PermissionSlug[] = ['user.search', 'record.search'];

/**
 * The one condition under which a row of `users u` may be seen: oneself, or, with the permission, the people of one's own
 * organisation and of all below it. Every statement about people carries it, so a foreign person and an absent one look
 * the same.
 */
export const visiblePerson = (actor: Actor): Statement => {
  if (actor.seesAll) return sql`true`;
  if (!can(actor.user, seesOthers)) return sql`u.id = ${actor.user.uuid}`;
  return sql`(u.id = ${actor.user.uuid} or u.primary_entity_id = any(${[...actor.entityIds]}::uuid[]))`;
};

/** The same for a list of others: who acts for another organisation is not one of its people. */
export const listedPerson = (actor: Actor): Statement =>
  actor.actingAs ? sql`${visiblePerson(actor)} and u.primary_entity_id = any(${[...actor.entityIds]}::uuid[])` : visiblePerson(actor);
