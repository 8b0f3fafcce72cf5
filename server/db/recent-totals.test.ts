import { expect, it } from 'vitest';
import type { Db } from '#server/db/sql.ts';
import { sql } from '#server/db/sql.ts';
import { createRecentTotals } from '#server/db/recent-totals.ts';

it('counts small lists each time, and large ones once until they change', async () => {
  let asked = 0;
  const db = (n: number) => ({ one: async () => ({ n: n + asked++ }) }) as unknown as Db;
  const totals = createRecentTotals();
  expect([await totals.count(db(3), sql`a`), await totals.count(db(3), sql`a`)]).toEqual([3, 4]);
  const large = db(20_000);
  const first = await totals.count(large, sql`b ${1}`);
  expect(await totals.count(large, sql`b ${1}`)).toBe(first);
  expect(await totals.count(large, sql`b ${2}`)).not.toBe(first);
  totals.forget();
  expect(await totals.count(large, sql`b ${1}`)).not.toBe(first);
});
