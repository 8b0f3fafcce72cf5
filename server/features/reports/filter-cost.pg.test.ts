import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReportFilter } from '#contract/reports/filter.ts';
import type { Actor } from '#server/actor.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { chosenCourses, chosenPeople } from '#server/features/reports/selection.rows.ts';
import { createSessions } from '#server/security/sessions.ts';
import { randomFrom } from '#tests/faults/simulation/scheduler.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

/** Whatever it chooses, and however long its lists are, a filter may cost this many times what no filter costs. */
const mostTimes = 20;
const lists = ['entities', 'roles', 'tags', 'users', 'courses', 'pathways'] as const;
const options = {
  filter_by: ['courses', 'pathways'],
  new_starters_filter: ['include_new_starters', 'exclude_new_starters', 'new_starters_only'],
  inspectable: ['all', 'inspectable', 'not_inspectable'],
  care_certificate_filter: ['either', 'in_progress', 'complete'],
  never_logged_in_only: [true, false],
} as const;

let server: TestApp;
let actor: Actor;
beforeAll(async () => {
  server = await startTestApp();
  const found = await createSessions(server.database.db, readConfig({ DATA_DIR: server.folder }), () => server.clock.now).actorOf(
    demoId('user:admin@willowbrook.test'),
    '',
    'token',
  );
  if (!found) throw new Error('nobody');
  actor = found;
  // As many as a group of homes has: what a list of ids costs by itself does not count.
  await server.database.db.run(sql`insert into users (id, name, email, primary_entity_id, role_id, type_id)
    select gen_random_uuid(), 'Person ' || n, 'person' || n || '@willowbrook.test', u.primary_entity_id, u.role_id, u.type_id
    from users u, generate_series(1, 3000) n where u.id = ${demoId('user:learner@willowbrook.test')}`);
  await server.database.db.run(sql`analyze users`);
});
afterAll(() => server.close());

/** What the database would do for a filter: sub-selects in the statement, and the planned cost. */
const costOf = async (filter: ReportFilter) => {
  const courses = chosenCourses(filter);
  const statement = sql`select u.id from users u join entities e on e.id = u.primary_entity_id where ${chosenPeople(actor, filter, server.clock.now)}
    and exists (select 1 from courses k where ${courses ?? sql`true`})`;
  const [row] = await server.database.db.all<{ 'QUERY PLAN': { Plan: { 'Total Cost': number } }[] }>(sql`explain (format json) ${statement}`);
  return { selects: statement.text.match(/\bselect\b/gi)?.length ?? 0, planned: row?.['QUERY PLAN'][0]?.Plan['Total Cost'] ?? Number.NaN };
};

it('no accepted filter costs more than twenty times the plain one', async () => {
  const random = randomFrom(7);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T;
  const ids = (count: number) => Array.from({ length: count }, () => randomUUID());
  const whole = Object.fromEntries(lists.map((list) => [list, ids(500)]));
  const filters = [
    ...lists.map((list) => ({ [list]: ids(500) })),
    ...options.filter_by.map((filter_by) => ({ ...whole, filter_by })),
    ...Object.entries(options).flatMap(([name, values]) => values.map((value) => ({ [name]: value }))),
    ...Array.from({ length: 40 }, () => ({
      ...Object.fromEntries(lists.filter(() => random() < 0.5).map((list) => [list, ids(Math.floor(random() * 501))])),
      ...Object.fromEntries(Object.entries(options).map(([name, values]) => [name, pick<unknown>(values)])),
    })),
  ];
  const plain = await costOf(ReportFilter.parse({}));
  for (const filter of filters) {
    const { selects, planned } = await costOf(ReportFilter.parse(filter));
    expect(selects).toBeLessThan(plain.selects + 30);
    const what = JSON.stringify(filter, (_, value) => (Array.isArray(value) ? value.length : value));
    expect(planned / plain.planned, `planned ${planned}, the plain one ${plain.planned}: ${what}`).toBeLessThan(mostTimes);
  }
});
