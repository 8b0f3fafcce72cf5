import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '#server/db/sql.ts';
import { boundsOf, dayInPeriod, momentInPeriod } from '#server/reports/period.ts';
import { rowsAtOnce, rowsOf } from '#server/reports/rows.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

it.each([
  ['text', sql`'Name ' || (n % 3)`, []],
  // To the microsecond, many alike, and without end.
  [
    'a time',
    sql`case when n % 50 = 0 then 'infinity' else timestamptz '2026-03-29 00:59:59.999998Z' + make_interval(secs => (n % 7) * 0.000001) end`,
    ['when'],
  ],
] as const)('reads 10,000 rows in pieces of a bounded size, each once and in order, also where many sort alike: by %s', async (_, sort, moments) => {
  const { db } = server.database;
  const select = sql`select md5(n::text)::uuid as id, ${sort} as sort from generate_series(1, 10000) n`;
  const asked: number[] = [];
  const source = {
    select: () => select,
    moments,
    // In another order than requested, as a statement may return them.
    read: async (_asked: unknown, ids: readonly string[]) => {
      asked.push(ids.length);
      return [...ids].reverse().map((id) => ({ id }));
    },
  };
  for (const [by, order] of [
    ['when', sql`order by r.sort, r.id`],
    ['-when', sql`order by r.sort desc, r.id desc`],
  ] as const) {
    const seen: string[] = [];
    const rows = rowsOf({ columns: [] }, source, { db } as never, by);
    for await (const piece of rows.pieces()) {
      expect(piece.length).toBeLessThanOrEqual(rowsAtOnce);
      seen.push(...piece.map((r) => r.id));
    }
    const all = await db.all<{ id: string }>(sql`select r.id from (${select}) r ${order}`);
    expect(seen).toEqual(all.map((r) => r.id));
    expect((await rows.page({ page: 3, per_page: 25 })).map((r) => r.id)).toEqual(seen.slice(50, 75));
  }
  expect(Math.max(...asked)).toBe(rowsAtOnce);
});

it('finds the moments whose day is within a period, in every time zone, also where clocks change at midnight', async () => {
  const { db } = server.database;
  const at = new Date('2026-03-29T23:30:00Z');
  const periods = [
    ...(['today', 'last_week', 'last_month', 'all_time'] as const).map((period) => ({ period, from_date: null, to_date: null })),
    { period: 'all_time', from_date: '2026-03-01', to_date: '2026-03-29' },
    { period: 'all_time', from_date: '2026-03-29', to_date: null },
    { period: 'all_time', from_date: null, to_date: '2025-11-02' },
    { period: 'all_time', from_date: '2025-11-02', to_date: '2025-11-02' },
  ];
  for (const filter of periods as never[]) {
    const day = dayInPeriod(sql`(m at time zone z)::date`, sql`z`, filter, at);
    const moment = momentInPeriod(sql`m`, { ...boundsOf(sql`z`, filter, at), zone: sql`z` }, filter, at);
    const counts = await db.one<{ within: number; differ: number }>(sql`select count(*) filter (where ${day})::int as within,
        count(*) filter (where ${day} <> ${moment})::int as differ
      from generate_series(timestamptz '2025-10-20', '2026-05-01', interval '20 minutes') m
        cross join unnest('{Pacific/Kiritimati,Etc/GMT+12,Europe/London,Asia/Kathmandu,America/Havana,Asia/Beirut,Atlantic/Azores}'::text[]) z`);
    expect(counts?.within, JSON.stringify(filter)).toBeGreaterThan(100);
    expect(counts?.differ, JSON.stringify(filter)).toBe(0);
  }
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
