import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { rowsAtOnce, rowsOf } from '#server/reports/rows.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

it('reads 10,000 rows in pieces of a bounded size, each once and in order, also where many sort alike', async () => {
  const { db } = server.database;
  const select = sql`select md5(n::text)::uuid as id, 'Name ' || (n % 3) as sort from generate_series(1, 10000) n`;
  const asked: number[] = [];
  const source = {
    select: () => select,
    // In another order than it was asked for, as a statement may answer.
    read: async (_asked: unknown, ids: readonly string[]) => {
      asked.push(ids.length);
      return [...ids].reverse().map((id) => ({ id }));
    },
  };
  const seen: string[] = [];
  for await (const rows of rowsOf({ columns: [] }, source, { db } as never).pieces()) {
    expect(rows.length).toBeLessThanOrEqual(rowsAtOnce);
    seen.push(...rows.map((r) => r.id));
  }
  const all = await db.all<{ id: string }>(sql`select r.id from (${select}) r order by r.sort, r.id`);
  expect(seen).toEqual(all.map((r) => r.id));
  expect(Math.max(...asked)).toBe(rowsAtOnce);
});
