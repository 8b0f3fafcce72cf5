import { type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/http/sessions.ts';

/**
 * The one condition under which a row of `entities e` may be seen: one's own organisation and all below it. Every statement
 * about organisations carries it, so a foreign one and an absent one look the same.
 */
export const visibleEntity = (actor: Actor): Statement => (actor.seesAll ? sql`true` : sql`e.id = any(${[...actor.entityIds]}::uuid[])`);
