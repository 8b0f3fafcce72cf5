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
    // In another order than requested, as a statement may return them.
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

it('computes rows once to count them and show a page, and in pieces where they are many', async () => {
  let computed = 0;
  const source = (many: number) => ({
    rows: async function* () {
      computed++;
      for (let at = 0; at < many; at += 500) yield Array.from({ length: Math.min(500, many - at) }, (_, n) => ({ id: String(at + n) }));
    },
  });
  for (const [many, times] of [
    [0, 1],
    [1_234, 1],
    [12_000, 2],
  ] as const) {
    computed = 0;
    const rows = rowsOf({ columns: [] }, source(many), {} as never);
    expect(await rows.count()).toBe(many);
    const page = await rows.page({ page: 3, per_page: 500 });
    expect(page.map((r) => r.id)).toEqual(Array.from({ length: Math.max(0, Math.min(500, many - 1000)) }, (_, n) => String(1000 + n)));
    expect(computed).toBe(times);
  }
});
