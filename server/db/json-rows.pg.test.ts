import { afterAll, beforeAll, expect, it } from 'vitest';
import { columnsOf, flag, id, jsonRows, named, number, text, time } from '#server/db/json-rows.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
}, 120_000);
afterAll(() => server.close());

const fields = {
  ...{ id: id(sql`x.id`), user: named(sql`x.by`, sql`x.name`), note: text(sql`x.note`), score: number(sql`x.score`), hours: number(sql`x.hours`) },
  ...{ counts: flag(sql`x.counts`), at: time(sql`x.at`) },
};
const asJson = jsonRows(fields);
const ids = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003'] as const;
const rows = sql`(values (${ids[0]}::uuid, ${ids[1]}::uuid, 'A "B"', ${'quote " back \\ tab \t line \n é 😀'}, 7, 1.5::numeric(6, 2), true, '2026-03-29 01:30:00+01'::timestamptz),
    (${ids[1]}, ${ids[1]}, 'A "B"', '', null, null, false, '2026-03-29 00:30:00.0309+00'), (${ids[1]}, null, null, null, 7, 0, false, null),
    (${ids[2]}, ${ids[0]}, '', 'null', -7, 0, null, '1999-12-31 23:59:59.999999+00')) x (id, by, name, note, score, hours, counts, at)`;

it('rows as JSON say what they say as objects, whatever time zone the connection has', async () => {
  const { db } = server.database;
  const from = sql`from ${rows} order by x.id, x.note nulls last`;
  for (const zone of ['UTC', 'America/St_Johns'])
    await db.tx(async (tx) => {
      await tx.run(sql`select set_config('timezone', ${zone}, true)`);
      const objects = await tx.all(sql`select ${columnsOf(fields)} ${from}`);
      expect(JSON.parse(await asJson(tx, (select) => sql`select ${select} ${from}`))).toEqual(objects);
      expect(objects[1]).toEqual({
        ...{ id: ids[1], user: { id: ids[1], name: 'A "B"' }, note: '', score: null, hours: null, counts: false, at: '2026-03-29T00:30:00.030Z' },
      });
    });
  expect(await asJson(db, (select) => sql`select ${select} from ${rows} where false`)).toBe('[]');
});
