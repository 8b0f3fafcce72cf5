import { type Db, sql } from '#server/db/sql.ts';
import { hashOf, newSecret } from '#server/http/secrets.ts';

export type Purpose = 'reset_password' | 'verify_email';

/** A link that works once, for so many hours. The database has only a hash of what stands in it. */
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
/** What was sent to an address that is not this person's any more opens nothing. */
export const endLinks = (tx: Db, userId: string, now: Date): Promise<number> =>
  tx.run(sql`update one_time_tokens set used_at = ${now} where user_id = ${userId} and used_at is null`);
