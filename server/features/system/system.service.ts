import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/product-error.ts';

const retryAfterSeconds = 5;

/** Makes sure that the database answers. Throws `unavailable`. */
export const checkReady = async (db: Db): Promise<void> => {
  await db.one(sql`select 1 as ok`).catch(() => {
    throw new ProductError('unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } });
  });
};
