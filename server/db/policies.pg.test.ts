import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scopedRole, withinScope } from '#server/db/scope.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
}, 120_000);
afterAll(() => server.close());

/** Each is planned with every statement about its table, and again for each further table whose policy uses it. */
const mostAsked = 12;

it('the policy of a table asks few others: it is planned with each statement about it', async () => {
  const { db } = server.database;
  const tables = await db.all<{ name: string }>(
    sql`select relname as name from pg_class where relrowsecurity and relkind = 'r' and relnamespace = 'public'::regnamespace and has_table_privilege(${scopedRole}, oid, 'select') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(100);
  const user = randomUUID();
  const asked = await withinScope({ user, home: user, place: user }, async () => {
    const counted: [string, number][] = [];
    for (const { name } of tables) {
      const plan = await db.all<{ 'QUERY PLAN': string }>({ text: `explain select * from ${name}`, values: [] });
      counted.push([name, plan.filter((line) => /SubPlan \d|InitPlan \d|Subquery Scan/.test(line['QUERY PLAN'])).length]);
    }
    return counted;
  });
  expect(asked.some(([, n]) => n > 2)).toBe(true);
  expect(asked.filter(([, n]) => n > mostAsked)).toEqual([]);
});
