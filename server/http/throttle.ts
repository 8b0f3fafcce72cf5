import { type Db, sql } from '#server/db/sql.ts';
import { ProductError } from '#server/http/product-error.ts';

/** Failures that cost nothing: people mistype. */
const free = 5;
const longestWaitMs = 15 * 60_000;
const forgottenAfterMs = 24 * 3_600_000;

/**
 * Slows down guessing: after five failures for a key, each next one has to wait twice as long (1 s, 2 s, … 15 min).
 * Keys are hashes of account and of address, so an unknown account behaves as a known one does.
 */
export const createThrottle = (db: Db, now: () => Date) => ({
  check: async (keys: string[]) => {
    const rows = await db.all<{ failures: number; last_at: string }>(sql`select failures, last_at from sign_in_failures where key = any(${keys})`);
    for (const row of rows) {
      const since = now().getTime() - new Date(row.last_at).getTime();
      const wait = row.failures < free || since > forgottenAfterMs ? 0 : Math.min(1000 * 2 ** (row.failures - free), longestWaitMs);
      if (since < wait) {
        const seconds = Math.ceil((wait - since) / 1000);
        throw new ProductError('too_many_attempts', {
          message: `Too many attempts. Wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`,
          headers: { 'Retry-After': String(seconds) },
        });
      }
    }
  },
  failed: async (keys: string[]) => {
    for (const key of keys) {
      await db.run(sql`insert into sign_in_failures as f (key, failures, last_at) values (${key}, 1, ${now()})
        on conflict (key) do update set failures = case when f.last_at < ${new Date(now().getTime() - forgottenAfterMs)} then 1 else f.failures + 1 end, last_at = ${now()}`);
    }
  },
  succeeded: async (key: string) => {
    await db.run(sql`delete from sign_in_failures where key = ${key}`);
  },
});
