import { scopeHere } from '#server/db/scope.ts';
import type { Db, Statement } from '#server/db/sql.ts';

/** Smaller totals are always counted, because a person would notice a wrong one. */
const countedBelow = 10_000;
const keptMs = 5000;

/**
 * Totals of long lists. Counting many thousand rows takes longer than reading a page of them, so a large total is cached for some
 * seconds, or until this process changes such a list. Changes by other processes are seen when the cache expires.
 */
export const createRecentTotals = () => {
  const recent = new Map<string, { total: number; until: number }>();
  return {
    count: async (db: Db, statement: Statement): Promise<number> => {
      const key = JSON.stringify([scopeHere(), statement.text, statement.values]);
      const known = recent.get(key);
      if (known && known.until > performance.now()) return known.total;
      const total = (await db.one<{ n: number }>(statement))?.n ?? 0;
      if (recent.size > 1000) recent.clear();
      if (total >= countedBelow) recent.set(key, { total, until: performance.now() + keptMs });
      return total;
    },
    forget: () => recent.clear(),
  };
};
export type RecentTotals = ReturnType<typeof createRecentTotals>;
