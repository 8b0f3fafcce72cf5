import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { permissionIdOf, permissions } from '#contract/permissions.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer = { code: string; message: string };
let server: TestApp;
beforeAll(async () => {
  server = await startTestApp();
});
afterAll(() => server.close());

/** An organisation of its own with a home below it: two administrators of one type, and a learner. */
const organisation = async () => {
  const { db } = server.database;
  const [top, home, type, learnerType] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await db.run(sql`insert into entities (id, name, slug, level) values (${top}, 'Alder Care', ${`alder-${top.slice(0, 8)}`}, 'A')`);
  await db.run(
    sql`insert into entities (id, name, slug, level, parent_id) values (${home}, 'Alder House', ${`alder-${home.slice(0, 8)}`}, 'B', ${top})`,
  );
  await db.run(sql`insert into types (id, entity_id, name) values (${type}, ${top}, 'Administrator'), (${learnerType}, ${top}, 'Learner')`);
  await db.run(sql`insert into type_permissions (type_id, permission_id) select ${type}, unnest(${permissions.map((p) => p.id)}::int[])`);
  const person = async (name: string, type_id: string) => {
    const id = randomUUID();
    const email = `${name}.${id.slice(0, 8)}@alder.test`;
    await db.run(sql`insert into users (id, name, email, password_hash, password_changed_at, email_verified_at, primary_entity_id, type_id, started_on, created_at)
      select ${id}, ${name}, ${email}, password_hash, password_changed_at, email_verified_at, ${top}, ${type_id}, started_on, created_at from users where email = 'admin@willowbrook.test'`);
    const client = server.client();
    await client.signIn(email);
    return { id, client };
  };
  return { top, home, type, learnerType, first: await person('first', type), second: await person('second', type) };
};
const change = (by: TestClient, id: string, body: object) => by.json<Answer>('PATCH', `/users/${id}`, body);
const isLeft = async (id: string) =>
  (await server.database.db.one<{ left: boolean }>(sql`select disabled_at is not null as left from users where id = ${id}`))?.left;

it('lets an administrator go while another one remains, and refuses the last one', async () => {
  const { learnerType, type, home, first, second } = await organisation();
  expect((await change(first.client, first.id, { type_id: learnerType })).status).toBe(200);
  const own = await change(second.client, second.id, { type_id: learnerType });
  expect(own.body).toMatchObject({ code: 'last_administrator', message: expect.stringMatching(/^Somebody has to remain who can administer/) });
  expect(own.status).toBe(409);
  // Nothing of it is kept: they may still do everything.
  expect((await change(second.client, first.id, { type_id: type })).status).toBe(200);
  expect((await change(second.client, first.id, { type_id: learnerType })).status).toBe(200);
  // In the home below, they would no longer administer the organisation above it.
  expect((await change(second.client, second.id, { primary_entity_id: home })).status).toBe(409);
});

it('lets one of two administrators remain who deactivate each other at the same moment', async () => {
  const { first, second } = await organisation();
  for (let round = 0; round < 6; round += 1) {
    const answers = await Promise.all([change(first.client, second.id, { disabled: true }), change(second.client, first.id, { disabled: true })]);
    const left = await Promise.all([isLeft(first.id), isLeft(second.id)]);
    expect(left.filter(Boolean)).toHaveLength(1);
    // The other one was refused, or was signed out before their change was read.
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await server.database.db.run(sql`update users set disabled_at = null where id in (${first.id}, ${second.id})`);
    for (const [i, person] of [first, second].entries()) {
      const email = (await server.database.db.one<{ email: string }>(sql`select email from users where id = ${person.id}`))?.email as string;
      if (left[i]) await person.client.signIn(email);
    }
  }
});

it('refuses to take a permission that nobody could give back, and allows it while somebody can', async () => {
  const { type, first, second } = await organisation();
  const content = permissionIdOf('content.create');
  const take = (by: TestClient, ids: readonly number[]) => by.json<Answer>('POST', `/type-permissions/${type}/delete`, { permission_ids: ids });
  const refused = await take(first.client, [content]);
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({ code: 'last_administrator', message: expect.stringMatching(/^Nobody could give this back: Add content\./) });
  // What lets them administer the organisation, too.
  expect((await take(first.client, [permissionIdOf('user.update')])).body.code).toBe('last_administrator');
  // Of their own each, the second one can give it back.
  expect((await second.client.json('POST', `/users/${second.id}/permissions`, { permission_ids: [content] })).status).toBeLessThan(300);
  expect((await take(first.client, [content])).status).toBe(200);
  // What affects only its holder can be given back by everybody who edits permissions.
  expect((await take(first.client, [permissionIdOf('certificate.own')])).status).toBe(200);
});
