import { type Statement, sql } from '#server/db/sql.ts';

/** People count as active for this long after they last used the product. */
const activeMs = 86_400_000;

/** When somebody (`users u`) was last active: by their sessions, or else their last sign-in. Null if neither is known. */
export const seenAt: Statement = sql`greatest((select max(s.last_seen_at) from sessions s where s.user_id = u.id),
  (select max(v.at) from auth_events v where v.user_id = u.id and v.kind = 'signed_in'))`;

/** Whether rows of `users u` have used the product in the last 24 hours. */
export const isActive = (now: Date): Statement => {
  const since = new Date(now.getTime() - activeMs);
  return sql`u.id in (select s.user_id from sessions s where s.last_seen_at > ${since}
    union select v.user_id from auth_events v where v.at > ${since} and v.kind = 'signed_in')`;
};

/**
 * Whether rows of `users u` have never signed in: they have no way to sign in, and no sign-in is recorded. The only such condition: somebody
 * without a password may sign in by Google, Microsoft or a passkey.
 */
export const neverSignedIn: Statement = sql`(u.password_hash is null and not exists (select 1 from auth_events v where v.user_id = u.id and v.kind = 'signed_in')
  and not exists (select 1 from identities i where i.user_id = u.id) and not exists (select 1 from passkeys k where k.user_id = u.id))`;
