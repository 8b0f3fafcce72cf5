import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { protocol } from '#contract/protocol.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const house = demoId('entity:home');
const harbour = demoId('entity:harbour');
const acting = (id: string) => ({ [protocol.actingAsHeader]: id });

describe('acting for another organisation', () => {
  let server: TestApp;
  let admin: TestClient;
  let superAdmin: TestClient;
  beforeAll(async () => {
    server = await startTestApp();
    [admin, superAdmin] = [server.client(), server.client()];
    await admin.signIn('admin@willowbrook.test');
    await superAdmin.signIn('super@lantern.test');
  });
  afterAll(() => server.close());
  const places = async (client: TestClient, header: Record<string, string>) => {
    const { body } = await client.json<{ data: { primary_entity: { slug: string } }[] }>('GET', '/users?per_page=100', undefined, header);
    return [...new Set(body.data.map((u) => u.primary_entity.slug))].sort();
  };

  it('shows that organisation and what lies below it, and nothing else', async () => {
    expect(await places(admin, {})).toEqual(['willowbrook', 'willowbrook-home-care', 'willowbrook-house']);
    expect(await places(admin, acting(house))).toEqual(expect.arrayContaining(['willowbrook-house']));
    expect(await places(admin, acting(house))).not.toContain('willowbrook-home-care');
    expect((await admin.json('GET', '/entities/willowbrook-home-care', undefined, acting(house))).status).toBe(404);
    const seen = await superAdmin.json<{ data: { slug: string }[] }>('GET', '/entities?per_page=100', undefined, acting(harbour));
    expect(seen.body.data.map((e) => e.slug)).toEqual(['harbour-view']);
    const graph = await superAdmin.json<{ data: { users: { data: { email: string }[] } } }>(
      'POST',
      '/graphql',
      { query: '{ users(first: 100) { data { email } } }' },
      acting(harbour),
    );
    expect(graph.body.data.users.data.every((u) => u.email.endsWith('@harbour-view.test') || u.email.endsWith('@harbourview.test'))).toBe(true);
  });

  it('is recorded with who did it, and as whom', async () => {
    expect((await admin.json('PATCH', '/entities/willowbrook-house', { code: 'WH-1' }, acting(house))).status).toBe(200);
    const noted = await server.database.db.one<{ actor_id: string; acting_as_id: string }>(
      sql`select actor_id, acting_as_id from audit_log order by no desc limit 1`,
    );
    expect(noted).toEqual({ actor_id: demoId('user:admin@willowbrook.test'), acting_as_id: house });
  });

  it('looks the same where it is not permitted, not theirs, or not there', async () => {
    const [manager, trainer, outsider] = [server.client(), server.client(), server.client()];
    await manager.signIn('manager@willowbrook.test');
    await trainer.signIn('trainer@willowbrook.test');
    await outsider.signIn('admin@brightpath.test');
    const answers = await Promise.all([
      trainer.json('GET', '/auth/user', undefined, acting(house)),
      manager.json('GET', '/auth/user', undefined, acting(demoId('entity:branch'))),
      outsider.json('GET', '/auth/user', undefined, acting(house)),
      admin.json('GET', '/auth/user', undefined, acting(harbour)),
      admin.json('GET', '/auth/user', undefined, acting(demoId('user:nobody'))),
      superAdmin.json('GET', '/auth/user', undefined, acting("' or true --")),
    ]);
    expect(answers.map((a) => [a.status, a.body.code, a.body.message])).toEqual(
      answers.map(() => [403, 'acting_as_refused', 'You cannot act for this organisation. You are now working as yourself.']),
    );
  });

  it('ends when the permission is taken away', async () => {
    const person = server.client();
    await person.signIn('admin@willowbrook.test');
    await server.database.db.run(sql`delete from type_permissions where permission_id = 19`);
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    expect((await person.json('GET', '/users', undefined, acting(house))).status).toBe(403);
  });

  it('makes no passwords', async () => {
    const before = await superAdmin.json('GET', '/auth/user', undefined, acting(harbour));
    expect(before.status).toBe(200);
    const change = { current_password: 'Lantern-demo-1', password: 'Another-secret-1', password_confirmation: 'Another-secret-1' };
    const answers = [
      await superAdmin.json('POST', '/auth/reset-password', change, acting(harbour)),
      await superAdmin.json('POST', '/auth/update-email', { email: 'other@lantern.test', password: 'Lantern-demo-1' }, acting(harbour)),
      await superAdmin.json('PATCH', '/entities/harbour-view', { restricted_access_password: 'let-me-in-please' }, acting(harbour)),
    ];
    expect(answers.map((a) => [a.status, a.body.code])).toEqual(answers.map(() => [403, 'not_while_acting']));
  });
});
