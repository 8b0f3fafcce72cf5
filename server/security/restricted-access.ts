import { type Db, often, sql } from '#server/db/sql.ts';

/**
 * The access restriction that keeps a person out: set by their organisation or one above it, and in force. Undefined if there is
 * none; super administrators are never restricted.
 */
export const restrictionOf = (db: Db, userId: string, now: Date): Promise<{ message: string | null; password_hash: string | null } | undefined> =>
  db.one(
    often(sql`select e.restricted_access_message as message, e.restricted_access_password_hash as password_hash
    from users u join entities e on e.id in (select entity_and_above(u.primary_entity_id))
    where u.id = ${userId} and not u.super_admin and e.restricted_access_at <= ${now} order by e.restricted_access_at limit 1`),
  );
