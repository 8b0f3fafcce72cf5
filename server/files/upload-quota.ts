import { type Db, type Statement, sql } from '#server/db/sql.ts';

/** What one person may have begun to upload and not finished: a begun upload holds space for a month. */
export const begunQuota = { files: 100, bytes: 2_000_000_000 } as const;

/** What was begun before is not counted: its pieces are deleted. */
export const quotaSince = (now: Date): Date => new Date(now.getTime() - 30 * 86_400_000);

/** Whether the unfinished uploads of this condition, with the one that was just begun, are more than one person may have. `table` has `bytes`. */
export const exceedsQuota = async (tx: Db, table: Statement, unfinished: Statement): Promise<boolean> => {
  const { count, bytes } = (await tx.one<{ count: number; bytes: number }>(
    sql`select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from ${table} where ${unfinished}`,
  )) ?? { count: 0, bytes: 0 };
  return count > begunQuota.files || bytes > begunQuota.bytes;
};
