import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';

const retryAfterSeconds = 5;

/** Makes sure that the database answers and accepts changes: in a failover it only reads. Throws `unavailable`. */
export const checkReady = async (db: Db): Promise<void> => {
  const found = await db
    .one<{ reads: boolean }>(sql`select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as reads`)
    .catch(() => undefined);
  if (!found || found.reads) throw new ProductError('unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } });
};
