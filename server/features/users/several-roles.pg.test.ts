import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const person = demoId('user:learner@willowbrook.test');
type Must = { id: string; course_title: string; compliance_type: string };

describe('a person with several job roles', () => {
  let server: TestApp;
  let admin: TestClient;
  const [first, second, course] = [randomUUID(), randomUUID(), randomUUID()];
  beforeAll(async () => {
    server = await startTestApp();
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    const { db } = server.database;
    await db.run(
      sql`insert into roles (id, entity_id, name) values (${first}, ${demoId('entity:group')}, 'Night lead'), (${second}, ${demoId('entity:group')}, 'Driver')`,
    );
    await db.run(
      sql`insert into courses (id, title, short_title, entity_id) values (${course}, 'Driving at night', 'Driving', ${demoId('entity:group')})`,
    );
    await db.run(sql`insert into compliance (id, role_id, course_id, type, renewal_months)
      values (${randomUUID()}, ${first}, ${course}, 'secondary', 6), (${randomUUID()}, ${second}, ${course}, 'primary', 24)`);
  });
  afterAll(() => server.close());
  const give = (body: object) => admin.json<{ data: { more_roles: { name: string }[]; role: { id: string } } }>('PATCH', `/users/${person}`, body);
  const musts = async () =>
    (await admin.json<{ data: Must[] }>('GET', `/users/${person}/compliant-courses`)).body.data
      .map((c) => JSON.stringify(c))
      .filter((c) => c.includes('Driving at night'));

  it('has to do what each of them asks for, once, and the strictest counts', async () => {
    expect(await musts()).toEqual([]);
    expect((await give({ more_role_ids: [first] })).body.data.more_roles.map((r) => r.name)).toEqual(['Night lead']);
    expect((await musts()).join()).toContain('secondary');
    await give({ more_role_ids: [first, second] });
    const both = await musts();
    expect(both).toHaveLength(1);
    expect(both[0]).toContain('primary');
    expect(both[0]).not.toContain('secondary');
  });
  it('holds none twice, and is found by each', async () => {
    const main = (await give({ role_id: first })).body.data;
    expect(main.more_roles.map((r) => r.name)).toEqual(['Driver']);
    for (const role of [first, second]) {
      const found = await admin.json<{ data: { id: string }[] }>('GET', `/users?role_id=${role}`);
      expect(found.body.data.map((u) => u.id)).toEqual([person]);
    }
  });
  it('keeps a job role from being deleted while somebody holds it', async () => {
    expect((await admin.json('DELETE', `/entities/willowbrook/roles/${second}`)).status).toBe(409);
  });
  it('takes none that is not used where they work, and is given them by who may', async () => {
    const elsewhere = randomUUID();
    await server.database.db.run(sql`insert into roles (id, entity_id, name) values (${elsewhere}, ${demoId('entity:brightpath')}, 'Elsewhere')`);
    const refused = await give({ more_role_ids: [elsewhere] });
    expect(refused.status).toBe(422);
    const colleague = server.client();
    await colleague.signIn('sunita.patel@willowbrook.test');
    expect((await colleague.json('PATCH', `/users/${person}`, { more_role_ids: [second] })).status).toBe(404);
  });
  it('may be written about by those who look after them; they themselves read it nowhere, and no other takes it away', async () => {
    const id = randomUUID();
    for (let sent = 0; sent < 2; sent++) expect((await admin.json('POST', `/users/${person}/notes`, { id, body: 'Left-handed.' })).status).toBe(201);
    const manager = server.client();
    await manager.signIn('manager@willowbrook.test');
    const read = await manager.json<{ data: { body: string; own: boolean }[] }>('GET', `/users/${person}/notes`);
    expect(read.body.data).toMatchObject([{ body: 'Left-handed.', own: false }]);
    expect((await manager.json('DELETE', `/users/${person}/notes/${id}`)).status).toBe(404);
    const themselves = server.client();
    await themselves.signIn('learner@willowbrook.test');
    expect((await themselves.json('GET', `/users/${person}/notes`)).status).toBe(403);
    const me = (await admin.json<{ data: { uuid: string } }>('GET', '/auth/user')).body.data.uuid;
    expect((await admin.json('GET', `/users/${me}/notes`)).status).toBe(403);
    expect((await admin.json('DELETE', `/users/${person}/notes/${id}`)).status).toBe(204);
  });
});
