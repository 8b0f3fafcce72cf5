import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';
import { hashOf, newSecret } from '#server/security/secrets.ts';

export type Purpose = 'reset_password' | 'verify_email' | 'change_email';

/** Links that work once, for a limited number of hours. The database stores only a hash of the token. */
export const newLink = async (
  tx: Db,
  user: { id: string; email: string },
  { purpose, hours, now }: { purpose: Purpose; hours: number; now: Date },
): Promise<string> => {
  const token = newSecret();
  const until = new Date(now.getTime() + hours * 3_600_000);
  await tx.run(
    sql`insert into one_time_tokens (token_hash, user_id, purpose, email, expires_at) values (${hashOf(token)}, ${user.id}, ${purpose}, ${user.email}, ${until})`,
  );
  return token;
};
/** Invalidates earlier links after a change of password or address. */
export const endLinks = (tx: Db, userId: string, now: Date, purpose?: Purpose): Promise<number> =>
  tx.run(
    sql`update one_time_tokens set used_at = ${now} where user_id = ${userId} and used_at is null and ${purpose ? sql`purpose = ${purpose}` : sql`true`}`,
  );

/** Uses up a valid link. A link sent to a former address of the person is not valid; a change of address goes to an address that is not yet theirs. */
export const takeLink = async (tx: Db, token: string, purposes: readonly Purpose[], now: Date) => {
  const row = await tx.one<{ user_id: string; email: string; purpose: Purpose }>(sql`update one_time_tokens t set used_at = ${now}
    where token_hash = ${hashOf(token)} and purpose = any(${[...purposes]}::text[]) and used_at is null and expires_at > ${now}
      and (purpose = 'change_email' or exists (select 1 from users u where u.id = t.user_id and lower(u.email) = lower(t.email)))
    returning user_id, email, purpose`);
  if (!row) throw new ProductError('link_expired');
  return row;
};
