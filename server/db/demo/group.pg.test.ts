import { afterAll, beforeAll, expect, it } from 'vitest';
import { fillWithGroup } from '#server/db/demo/group.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

const undone = new Error('undone');
const people = 90;
const digestOf = (tx: Db) =>
  tx.one<Record<string, unknown>>(sql`select
    (select count(*)::int from users u join entities e on e.id = u.primary_entity_id where e.slug ~ '-[0-9]+$' and u.disabled_at is null) as people,
    (select count(*)::int from users u where u.disabled_at is not null) as left,
    (select count(*)::int from roles r join entities e on e.id = r.entity_id where e.slug = 'willowbrook') as roles,
    (select count(*)::int from courses) as courses,
    (select count(*)::int from results) as results,
    (select count(*)::int from register_marks) as marks,
    (select count(*)::int from results r where not exists (select 1 from standings s where s.user_id = r.user_id)) as without_standing,
    (select md5(string_agg(r.user_id || r.course_id::text || r.completed_at || coalesce(r.expires_at::text, ''), ',' order by r.id)) from results r) as facts,
    (select md5(string_agg(u.id || u.name || coalesce(u.role_id::text, '') || u.started_on, ',' order by u.id)) from users u) as persons,
    (select md5(string_agg(d.id || d.session_id::text || d.user_id, ',' order by d.id)) from session_delegates d) as delegates`);
const filled = async (now: Date) => {
  let digest: Awaited<ReturnType<typeof digestOf>>;
  const said: string[] = [];
  const filling = server.database.db.tx(async (tx) => {
    await fillWithGroup(tx, now, { people, say: (words) => said.push(words) });
    digest = await digestOf(tx);
    throw undone;
  });
  await filling.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
  return { digest, said };
};

it('a care group has as many people as were asked for, and is the same each time', async () => {
  const first = await filled(server.clock.now);
  expect(first.digest).toMatchObject({ people, roles: 60, courses: 200, without_standing: 0 });
  expect(first.digest?.results).toBeGreaterThan(people * 15);
  expect(first.digest?.marks).toBeGreaterThan(people);
  expect(first.digest?.left).toBeGreaterThan(0);
  expect(first.said).toContain('4 homes');
  expect((await filled(server.clock.now)).digest).toEqual(first.digest);
});
