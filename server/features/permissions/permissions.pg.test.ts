import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRoles, listTypes, roleDetails } from '#contract/api/groups.ts';
import { userPermissions } from '#contract/api/permissions.ts';
import type { AuditEntry } from '#contract/entities/audit.ts';
import type { Role, RoleDetails, UserType } from '#contract/entities/group.ts';
import type { HeldPermission, PermissionRow } from '#contract/entities/permission.ts';
import { permissions } from '#contract/permissions.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Refused = { code: string; message: string; errors: Record<string, string[]> };
type Answer<T> = Refused & { data: T };

describe('job roles, user types and permissions', () => {
  let server: TestApp;
  let admin: TestClient;
  let superAdmin: TestClient;
  let rival: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    [admin, superAdmin, rival] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('super@lantern.test'),
      await signedIn('admin@brightpath.test'),
    ];
  });
  afterAll(() => server.close());
  const roles = async (slug = 'willowbrook', by = admin) => (await by.json<Answer<Role[]>>('GET', `/entities/${slug}/roles`)).body.data;
  const types = async (slug = 'willowbrook', by = admin) => (await by.json<Answer<UserType[]>>('GET', `/entities/${slug}/types`)).body.data;
  const typeOf = async (name: string) => (await types()).find((t) => t.name === name) as UserType;
  const ask = (path: string, ids: readonly (number | string)[], by = admin, more: object = {}) =>
    by.json<Answer<PermissionRow[]>>('POST', path, { permission_ids: ids, ...more });
  const audit = async (by = admin) => (await by.json<Answer<AuditEntry[]>>('GET', '/audit-log')).body.data;

  it('are used below the organisation that made them, and changed only by who sees it', async () => {
    const all = await roles();
    expect(listRoles.response.safeParse(all).error).toBeUndefined();
    expect(all.map((r) => r.name)).toEqual([...all.map((r) => r.name)].sort((a, b) => a.localeCompare(b)));
    const care = all.find((r) => r.name === 'Care assistant') as Role;
    expect(care).toMatchObject({ editable: true, entity: { slug: 'willowbrook' }, inspectable: true });
    const inHouse = (await roles('willowbrook-house')).find((r) => r.id === care.id) as Role;
    expect(inHouse.people).toBeGreaterThan(0);
    expect(inHouse.people).toBeLessThan(care.people);

    const manager = await signedIn('manager@willowbrook.test');
    await server.database.db.run(sql`insert into user_permissions (user_id, permission_id)
      select id, unnest(array[34, 54, 49, 50]) from users where email = 'manager@willowbrook.test' on conflict do nothing`);
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    expect((await roles('willowbrook-house', manager)).find((r) => r.id === care.id)?.editable).toBe(false);
    const change = (by: TestClient, slug: string, body: object) => by.json<Answer<Role>>('PATCH', `/entities/${slug}/roles/${care.id}`, body);
    expect((await change(manager, 'willowbrook-house', { name: 'Mine' })).status).toBe(403);
    expect((await change(manager, 'willowbrook', { name: 'Mine' })).status).toBe(404);
    expect((await change(rival, 'brightpath', { name: 'Mine' })).status).toBe(404);
    expect((await change(rival, 'willowbrook', { name: 'Mine' })).status).toBe(404);
    expect((await change(admin, 'willowbrook-house', { name: 'Carer' })).body.data.name).toBe('Carer');
    const { data } = (await admin.json<Answer<RoleDetails>>('GET', `/entities/willowbrook/roles/${care.id}/details`)).body;
    expect(roleDetails.response.safeParse(data).error).toBeUndefined();
    expect(data.required.length).toBe(care.courses);
    expect((await admin.json<Answer<{ people: number }[]>>('GET', '/entities/willowbrook/roles/stats')).body.data.length).toBe(all.length);
  });

  it('are added under a name that is free, and deleted where nobody has them', async () => {
    const add = (body: object, by = admin, slug = 'willowbrook-house') => by.json<Answer<Role>>('POST', `/entities/${slug}/roles`, body);
    const made = await add({ name: ' Activities lead ', inspectable: false });
    expect([made.status, made.body.data]).toMatchObject([
      201,
      { name: 'Activities lead', inspectable: false, people: 0, entity: { slug: 'willowbrook-house' } },
    ]);
    expect((await add({ name: 'activities LEAD' })).body.errors).toEqual({ name: ['There is a job role of this name already.'] });
    expect((await add({ name: '' })).status).toBe(422);
    expect((await add({ name: 'Cook' }, rival)).status).toBe(404);
    // A job role added by one service is not available to its sister.
    expect((await roles('willowbrook-home-care')).some((r) => r.id === made.body.data.id)).toBe(false);
    const remove = (id: string) => admin.json<Refused>('DELETE', `/entities/willowbrook-house/roles/${id}`);
    const cook = (await roles()).find((r) => r.name === 'Cook') as Role;
    expect((await remove(cook.id)).body).toMatchObject({ code: 'in_use', message: '3 people have this job role. Give them another one first.' });
    expect((await remove(made.body.data.id)).status).toBe(204);
    expect((await remove(made.body.data.id)).status).toBe(404);
    expect((await audit()).slice(0, 2).map((e) => [e.action, e.subject.kind, e.subject.name])).toEqual([
      ['deleted', 'role', 'Activities lead'],
      ['created', 'role', 'Activities lead'],
    ]);
  });

  it('are given and taken by those who have them, by id or slug, and the person’s next request knows', async () => {
    expect(listTypes.response.safeParse(await types()).error).toBeUndefined();
    const learner = await typeOf('Learner');
    const amara = await signedIn('learner@willowbrook.test');
    expect((await amara.json('GET', '/users')).status).toBe(403);
    const granted = await ask(`/type-permissions/${learner.id}`, ['user.search', 24]);
    expect([granted.status, granted.body.data.map((p) => p.slug)]).toEqual([200, expect.arrayContaining(['user.search', 'record.search'])]);
    expect((await amara.json('GET', '/users')).status).toBe(200);
    expect((await audit())[0]).toMatchObject({
      ...{ action: 'granted', subject: { kind: 'type', name: 'Learner' }, after: { permissions: ['Find people', 'Find training records'] } },
    });
    await ask(`/type-permissions/${learner.id}/delete`, [21, 24]);
    expect((await amara.json('GET', '/users')).status).toBe(403);
    expect((await typeOf('Learner')).permissions).toEqual(learner.permissions);
    expect((await ask(`/type-permissions/${learner.id}`, ['no.such'])).body.errors).toEqual({
      permission_ids: ['There is no permission “no.such”.'],
    });

    // The administrator has every one but 133: they can neither grant nor revoke it.
    const beyond = await ask(`/type-permissions/${learner.id}`, [133, 21]);
    expect([beyond.status, beyond.body.message]).toEqual([403, 'You can give and take only permissions that you have. You do not have: 2x.']);
    expect((await typeOf('Learner')).permissions).toEqual(learner.permissions);
    expect((await ask(`/type-permissions/${learner.id}`, [133], superAdmin)).status).toBe(200);
    expect((await ask(`/type-permissions/${learner.id}/delete`, [133])).status).toBe(403);
    for (const [path, more] of [
      [`/type-permissions/${learner.id}`, {}],
      [`/type-permissions/${learner.id}/delete`, {}],
      ['/entity-permissions', { slug: 'willowbrook-house' }],
      ['/entity-permissions/willowbrook-house/delete', {}],
      [`/users/${demoId('user:learner@willowbrook.test')}/permissions`, {}],
    ] as const) {
      expect((await ask(path, [21], rival, more)).status, path).toBe(404);
      expect((await ask(path, [21], amara, more)).status, path).toBe(403);
    }
  });

  it('tell where each comes from', async () => {
    const id = demoId('user:learner@willowbrook.test');
    const of = async (by = admin) => (await by.json<Answer<HeldPermission[]>>('GET', `/users/${id}/permissions`)).body.data;
    expect((await ask('/entity-permissions', [112, 39], admin, { slug: 'willowbrook-house' })).status).toBe(200);
    expect((await ask(`/users/${id}/permissions`, [39, 6])).status).toBe(200);
    const held = await of();
    expect(userPermissions.response.safeParse(held).error).toBeUndefined();
    const from = Object.fromEntries(held.map((p) => [p.id, p.from]));
    expect([from[44], from[112], from[39], from[6]]).toEqual([['type'], ['entity'], ['type', 'entity', 'user'], ['type', 'user']]);
    expect((await ask(`/users/${id}/permissions/delete`, [39])).body.data).toMatchObject(
      expect.arrayContaining([{ id: 39, from: ['type', 'entity'] }].map((p) => expect.objectContaining(p))),
    );
    const superior = (await superAdmin.json<Answer<HeldPermission[]>>('GET', `/users/${demoId('user:super@lantern.test')}/permissions`)).body.data;
    expect(superior.length).toBe(permissions.length);
    expect(superior.every((p) => p.from[0] === 'super_administrator')).toBe(true);
    expect((await admin.json<Answer<PermissionRow[]>>('GET', '/permissions')).body.data.length).toBe(permissions.length);
    expect((await admin.json<Answer<PermissionRow>>('GET', '/permissions/user.search')).body.data.id).toBe(21);
    expect((await admin.json('GET', '/permissions/999')).status).toBe(404);
  });

  it('are not taken from a user type by somebody who may do less than its people', async () => {
    const { db } = server.database;
    const manager = await signedIn('manager@willowbrook.test');
    const [type, id] = ['7a0e3a4e-6f0a-4c8e-9a51-2f5f1f6f1a01', demoId('user:manager@willowbrook.test')];
    await db.run(sql`insert into types (id, entity_id, name) select ${type}, primary_entity_id, 'Deputy' from users where id = ${id}`);
    // To edit permissions, and to write to an organisation.
    await db.run(sql`insert into user_permissions (user_id, permission_id) select ${id}, unnest(array[70, 54]) on conflict do nothing`);
    const held = (await superAdmin.json<Answer<HeldPermission[]>>('GET', `/users/${id}/permissions`)).body.data;
    const [above] = permissions.filter((p) => !held.some((h) => h.id === p.id) && p.slug.startsWith('entity.'));
    await db.run(sql`insert into type_permissions (type_id, permission_id) select ${type}, unnest(${[54, above?.id ?? 0]}::int[])`);
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    const take = () => ask(`/type-permissions/${type}/delete`, [54], manager);
    const refused = await take();
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Deputy has permissions that you do not have. Only somebody who has them all can take some away.',
    ]);
    await db.run(sql`delete from type_permissions where type_id = ${type} and permission_id = ${above?.id ?? 0}`);
    expect((await take()).body.data).toEqual([]);
  });

  it('cannot be taken from oneself where that would shut one out', async () => {
    const own = await typeOf('Administrator');
    const refused = await ask(`/type-permissions/${own.id}/delete`, [70]);
    expect(refused.body.errors).toEqual({
      permission_ids: ['You would lose this permission yourself. Somebody else who has it can take it from you.'],
    });
    expect((await typeOf('Administrator')).permissions).toContain(70);
    // Nor what nobody of the organisation could give back; a super administrator can.
    expect((await ask(`/type-permissions/${own.id}/delete`, [112])).body.code).toBe('last_administrator');
    expect((await ask(`/type-permissions/${own.id}/delete`, [112], superAdmin)).status).toBe(200);
    expect((await ask(`/type-permissions/${own.id}`, [112])).status).toBe(403);
    expect((await ask(`/type-permissions/${own.id}`, [112], superAdmin)).status).toBe(200);
  });
});
