import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEntity, getEntity, listEntities } from '#contract/api/entities.ts';
import type { AuditEntry } from '#contract/entities/audit.ts';
import type { Entity, EntityRow } from '#contract/entities/entity.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { permissions } from '#contract/permissions.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer = { data: Entity; code: string; message: string; errors: Record<string, string[]> };
describe('an organisation', () => {
  let server: TestApp;
  let admin: TestClient;
  let superAdmin: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    admin = await signedIn('admin@willowbrook.test');
    superAdmin = await signedIn('super@lantern.test');
  });
  afterAll(() => server.close());

  const get = (slug: string, by = admin) => by.json<Answer>('GET', `/entities/${slug}`);
  const change = (slug: string, body: object, by = admin) => by.json<Answer>('PATCH', `/entities/${slug}`, body);
  const list = async (by = admin, query = '') => (await by.json<{ data: EntityRow[] }>('GET', `/entities?${query}`)).body.data;
  const audit = async (by = admin, query = '') => (await by.json<{ data: AuditEntry[] }>('GET', `/audit-log?${query}`)).body.data;
  const add = async (name: string, more: object = {}, by = admin) =>
    by.json<Answer>('POST', '/entities', { name, level: 'B', parent_id: (await get('willowbrook')).body.data.id, ...more });

  it('is seen by its own people and those above it, and by nobody else', async () => {
    const everyone = {
      above: admin,
      itself: await signedIn('manager@willowbrook.test'),
      unrelated: await signedIn('admin@brightpath.test'),
      superAdmin,
      anonymous: server.client(),
    };
    // The manager of the home has the permissions, as the others do: only the organisation decides.
    await server.database.db.run(sql`insert into user_permissions (user_id, permission_id)
      select u.id, p from users u, unnest(${permissions.map((p) => p.id)}::int[]) p where u.email = 'manager@willowbrook.test' on conflict do nothing`);
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    const seen: Record<string, number[]> = {};
    for (const [who, client] of Object.entries(everyone)) {
      seen[who] = [];
      for (const slug of ['willowbrook-house', 'willowbrook-home-care', 'willowbrook', 'harbour-view'])
        seen[who].push(
          (await get(slug, client)).status,
          (await change(slug, { code: 'C' }, client)).status,
          (await client.json('GET', `/entities/${slug}/children`)).status,
        );
    }
    const [yes, no, nobody] = [
      [200, 200, 200],
      [404, 404, 404],
      [401, 419, 401],
    ];
    expect(seen).toEqual({
      above: [...yes, ...yes, ...yes, ...no],
      itself: [...yes, ...no, ...no, ...no],
      unrelated: [...no, ...no, ...no, ...no],
      superAdmin: [...yes, ...yes, ...yes, ...yes],
      anonymous: [...nobody, ...nobody, ...nobody, ...nobody],
    });
    // Organisations above are not named to those below.
    const own = (await get('willowbrook-house', everyone.itself)).body.data;
    expect([own.parent, own.above]).toEqual([null, []]);
    expect((await list(everyone.itself)).map((e) => [e.slug, e.depth, e.parent])).toEqual([['willowbrook-house', 0, null]]);
    expect((await list(everyone.unrelated)).map((e) => e.slug)).toEqual(['brightpath']);
    expect((await audit(everyone.unrelated)).length).toBe(0);
    const learner = await signedIn('learner@willowbrook.test');
    for (const path of ['/entities', '/entities/willowbrook-house', '/audit-log']) expect((await learner.json('GET', path)).status).toBe(403);
  });

  it('stands below its parent in the list, and is found by name, code, level and kind', async () => {
    const all = await list();
    expect(listEntities.response.safeParse(all).error).toBeUndefined();
    expect(all.map((e) => [e.name, e.depth])).toEqual([
      ['Willowbrook Care Group', 0],
      ['Willowbrook Home Care', 1],
      ['Willowbrook House', 1],
    ]);
    expect(all[2]?.people).toBeGreaterThan(20);
    expect((await list(admin, 'search=home%20care')).map((e) => e.slug)).toEqual(['willowbrook-home-care']);
    expect((await list(admin, 'level=A')).map((e) => e.slug)).toEqual(['willowbrook']);
    expect((await list(superAdmin, 'actingAs=willowbrook')).map((e) => e.slug)).toEqual(all.map((e) => e.slug));
    expect((await superAdmin.json<{ data: object }>('GET', '/entities/organisation')).body.data).toMatchObject({ slug: 'lantern' });
    const manager = await signedIn('manager@willowbrook.test');
    expect((await manager.json<{ data: object }>('GET', '/entities/organisation')).body.data).toMatchObject({ slug: 'willowbrook' });
  });

  it('is added below one that can be seen, is seen at once, and its slug is its own', async () => {
    const { status, body } = await add('Willowbrook Lodge', { email: 'lodge@willowbrook.test', starter_period: 30 });
    expect(status).toBe(201);
    expect(createEntity.response.safeParse(body.data).error).toBeUndefined();
    expect(body.data).toMatchObject({
      slug: 'willowbrook-lodge',
      email: 'lodge@willowbrook.test',
      starter_period: 30,
      parent: { slug: 'willowbrook' },
      people: 0,
    });
    expect((await get('willowbrook-lodge')).body.data).toEqual(body.data);
    expect((await add('Willowbrook Lodge')).body.data.slug).toMatch(/^willowbrook-lodge-[0-9a-f]{6}$/);
    expect((await add('Create')).body.data.slug).not.toBe('create');
    const elsewhere = (await get('harbour-view', superAdmin)).body.data.id;
    for (const [more, field] of [
      [{ parent_id: elsewhere }, 'parent_id'],
      [{ parent_id: null }, 'parent_id'],
      [{ parent_id: undefined }, 'parent_id'],
      [{ name: ' ' }, 'name'],
      [{ website: 'javascript:alert(1)' }, 'website'],
      [{ email: 'lodge' }, 'email'],
      [{ starter_period: -1 }, 'starter_period'],
    ] as const) {
      const refused = await add('Nowhere', more);
      expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [field]]);
    }
    expect((await list(admin, 'search=nowhere')).length).toBe(0);
    expect((await add('A new group', { parent_id: null, level: 'A' }, superAdmin)).status).toBe(201);
  });

  it('is moved only where that makes a tree', async () => {
    const [group, house, lodge] = await Promise.all(
      ['willowbrook', 'willowbrook-house', 'willowbrook-lodge'].map(async (s) => (await get(s)).body.data),
    );
    const refused = async (slug: string, body: object) => (await change(slug, body)).body.errors;
    expect(await refused('willowbrook', { parent_id: house?.id })).toEqual({
      parent_id: ['An organisation cannot belong to itself or to one below it.'],
    });
    expect(await refused('willowbrook', { parent_id: group?.id })).toEqual({
      parent_id: ['An organisation cannot belong to itself or to one below it.'],
    });
    expect((await change('willowbrook-lodge', { parent_id: house?.id })).body.data.above.map((e) => e.slug)).toEqual([
      'willowbrook',
      'willowbrook-house',
    ]);
    expect(await refused('willowbrook-lodge', { level: 'A' })).toBeUndefined();
    expect(await refused('willowbrook-house', { level: 'B' })).toEqual({
      level: ['Organisations of level A belong to this one; it has to be of level A too.'],
    });
    expect((await change('willowbrook-lodge', { parent_id: group?.id, level: 'B' })).status).toBe(200);
    expect(lodge?.parent?.slug).toBe('willowbrook');
  });

  it('is changed field by field, as the permissions say, and each change is in the audit log for good', async () => {
    const manager = await signedIn('manager@willowbrook.test');
    await server.database.db.run(sql`delete from user_permissions where user_id = (select id from users where email = 'manager@willowbrook.test')`);
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(array[23, 53]) from users where email = 'manager@willowbrook.test'`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    const contact = await change('willowbrook-house', { telephone: '01234 567890', website: 'https://willowbrook.test' }, manager);
    expect([contact.status, contact.body.data.telephone, contact.body.data.notes]).toEqual([200, '01234 567890', null]);
    const name = await change('willowbrook-house', { telephone: '1', name: 'Mine' }, manager);
    expect([name.status, Object.keys(name.body.errors)]).toEqual([403, ['name']]);
    // Changing an organisation does not let one close it to its people.
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, 2 from users where email = 'manager@willowbrook.test'`,
    );
    const changer = await signedIn('manager@willowbrook.test');
    const closed = await change('willowbrook-house', { restricted_access_message: 'We move.' }, changer);
    expect([closed.status, closed.body.errors]).toEqual([403, { restricted_access_message: ['You do not have permission to change this.'] }]);
    expect((await get('willowbrook-house')).body.data).toMatchObject({ name: 'Willowbrook House', telephone: '01234 567890' });
    expect(getEntity.response.safeParse((await get('willowbrook-house')).body.data).error).toBeUndefined();

    await change('willowbrook-house', { notes: 'Ring before you come.', restricted_access_password: 'not to be told' });
    await change('willowbrook-house', { notes: 'Ring before you come.' });
    const [newest, before] = await audit(admin, 'entity=willowbrook-house');
    expect(newest).toMatchObject({
      action: 'updated',
      actor: { name: 'Priya Raman' },
      entity: { slug: 'willowbrook-house' },
      subject: { kind: 'entity', name: 'Willowbrook House' },
      before: { notes: null, has_access_password: false },
      after: { notes: 'Ring before you come.', has_access_password: true, access_password: 'changed' },
    });
    expect(JSON.stringify(newest)).not.toContain('not to be told');
    expect(before).toMatchObject({
      actor: { name: 'Helen Marsh' },
      before: { telephone: null, website: null },
      after: { telephone: '01234 567890' },
    });
    for (const statement of [sql`update audit_log set action = 'x'`, sql`delete from audit_log`, sql`truncate audit_log`])
      await expect(server.database.db.run(statement)).rejects.toThrow('is not changed');
  });

  it('lets people in after its access was restricted only with the access password, its own and those below it', async () => {
    const now = server.clock.now;
    const at = new Date(now.getTime() + 60_000).toISOString();
    await change('willowbrook', { restricted_access_at: at, restricted_access_message: 'We are moving to a new system.' });
    const manager = await signedIn('manager@willowbrook.test');
    expect((await manager.json('GET', '/auth/user')).status).toBe(200);
    server.clock.now = new Date(now.getTime() + 120_000);
    expect((await manager.json('GET', '/auth/user')).status).toBe(401);
    const enter = async (more: object = {}) => {
      const client = server.client();
      await client.send('GET', '/sanctum/csrf-cookie');
      const answer = await client.json<Answer>('POST', '/login', { email: 'manager@willowbrook.test', password: 'Lantern-demo-1', ...more });
      return { client, status: answer.status, code: answer.body.code, message: answer.body.message, fields: answer.body.errors };
    };
    expect(await enter()).toMatchObject({ status: 403, code: 'access_restricted', message: 'We are moving to a new system.', fields: undefined });
    // A wrong personal password reveals nothing about the restriction.
    expect((await enter({ password: 'wrong' })).code).toBe('wrong_credentials');
    await change('willowbrook', { restricted_access_password: 'the new system' }, superAdmin);
    expect((await enter()).fields).toEqual({ restricted_access_password: ['Enter the access password.'] });
    expect((await enter({ restricted_access_password: 'the old system' })).fields).toEqual({
      restricted_access_password: ['The access password is incorrect.'],
    });
    const inside = await enter({ restricted_access_password: 'the new system' });
    expect([inside.status, (await inside.client.json('GET', '/auth/user')).status]).toEqual([200, 200]);
    expect((await superAdmin.json('GET', '/auth/user')).status).toBe(200);
    await change('willowbrook', { restricted_access_at: null }, superAdmin);
    expect((await enter()).status).toBe(200);
  });

  it('shows its people, and those below it, what it wants them to see after they have signed in', async () => {
    admin = await signedIn('admin@willowbrook.test');
    await change('willowbrook', {
      popup_link: 'https://news.example.org/july',
      login_popup_alt_name: 'News of July',
      always_show_popup_on_login: true,
    });
    const learner = await signedIn('learner@willowbrook.test');
    expect((await learner.json<{ data: AuthUser }>('GET', '/auth/user')).body.data.login_popup).toEqual({
      title: 'News of July',
      link: 'https://news.example.org/july',
      always: true,
    });
    const other = await signedIn('learner@harbourview.test');
    expect((await other.json<{ data: AuthUser }>('GET', '/auth/user')).body.data.login_popup).toBeNull();
  });

  it('gets an address of its own also where one of the same name is out of sight', async () => {
    const { status, body } = await add('Harbour View');
    expect([status, body.data.slug]).toEqual([201, `harbour-view-${body.data.id.slice(0, 6)}`]);
  });

  it('says which courses its people see to first, there and below, of those that it has', async () => {
    const { db } = server.database;
    const course = (title: string) => db.one<{ id: string }>(sql`select id from courses where title = ${title}`);
    const nutrition = (await course('Nutrition and hydration'))?.id;
    const learner = await signedIn('learner@willowbrook.test');
    const events = async () =>
      (
        await learner.json<{ data: { activeEvents: { data: { course_title: string; focused: boolean; status: string }[] } } }>('POST', '/graphql', {
          query: '{ activeEvents(first: 100) { data { course_title focused status } } }',
        })
      ).body.data.activeEvents.data;
    const before = await events();
    expect(before.map((e) => e.focused)).not.toContain(true);
    const last = before.at(-1)?.course_title as string;
    const changed = await change('willowbrook', { focused_courses: [(await course(last))?.id] });
    expect(changed.body.data.focused_courses.map((c) => c.name)).toEqual([last]);
    expect((await events())[0]).toMatchObject({ course_title: last, focused: true });
    expect((await get('willowbrook-house')).body.data.focused_courses).toEqual([]);
    const elsewhere = randomUUID();
    const brightpath = sql`select id from entities where slug = 'brightpath'`;
    await db.run(sql`insert into courses (id, title, short_title, entity_id) select ${elsewhere}, 'Theirs', 'Theirs', id from (${brightpath}) e`);
    for (const ids of [[elsewhere], [randomUUID()]]) {
      const refused = await change('willowbrook', { name: 'Changed', focused_courses: [nutrition, ...ids] });
      expect([refused.status, refused.body.errors]).toEqual([422, { focused_courses: ['Choose courses that it has.'] }]);
    }
    expect((await get('willowbrook')).body.data).toMatchObject({ name: 'Willowbrook Care Group', focused_courses: [{ name: last }] });
    expect((await audit(admin, 'search=Willowbrook'))[0]).toMatchObject({ before: { focused_courses: [] }, after: { focused_courses: [last] } });
    await change('willowbrook', { focused_courses: [] });
    expect(await events()).toEqual(before);
  });
});
