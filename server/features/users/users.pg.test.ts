import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '#contract/api/users.ts';
import type { AuditEntry } from '#contract/entities/audit.ts';
import type { UserRow } from '#contract/entities/user.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer = { data: UserRow; message: string; errors: Record<string, string[]> };
const person = (email: string) => demoId(`user:${email}`);
const [role, learnerType, adminType] = [demoId('role:group:care'), demoId('type:group:learner'), demoId('type:group:administrator')];

describe('a person', () => {
  let server: TestApp;
  let admin: TestClient;
  let manager: TestClient;
  let superAdmin: TestClient;
  let house: string;
  let group: string;
  let harbour: string;
  const signedIn = async (email: string, password?: string) => {
    const client = server.client();
    await client.signIn(email, password);
    return client;
  };
  const give = async (email: string, ...permissions: number[]) => {
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(${permissions}::int[]) from users where email = ${email} on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
  };
  beforeAll(async () => {
    server = await startTestApp();
    [admin, manager, superAdmin] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('manager@willowbrook.test'),
      await signedIn('super@lantern.test'),
    ];
    const idOf = async (slug: string) =>
      (await server.database.db.one<{ id: string }>(sql`select id from entities where slug = ${slug}`))?.id as string;
    [house, group, harbour] = [await idOf('willowbrook-house'), await idOf('willowbrook'), await idOf('harbour-view')];
  });
  afterAll(() => server.close());
  const add = (body: object, by = admin) =>
    by.json<Answer>('POST', '/users', { name: 'Rosa Mendes', email: 'rosa@willowbrook.test', primary_entity_id: house, ...body });
  const change = (email: string, body: object, by = admin) => by.json<Answer>('PATCH', `/users/${person(email)}`, body);
  const audit = async () => (await admin.json<{ data: AuditEntry[] }>('GET', '/audit-log?kind=user')).body.data;
  const mail = async (to: string) =>
    (await server.database.db.all<{ body: string }>(sql`select body from outgoing_mail where recipient = ${to} order by at`)).map((m) => m.body);

  it('is added, chooses a password by the welcome e-mail, and signs in', async () => {
    const { status, body } = await add({ role_id: role, type_id: learnerType, started_on: '2026-11-01', send_welcome_email: true });
    expect(status).toBe(201);
    expect(createUser.response.safeParse(body.data).error).toBeUndefined();
    expect(body.data).toMatchObject({ has_password: false, started_on: '2026-11-01', role: { name: 'Care assistant' }, type: { name: 'Learner' } });
    expect(body.data.courses.current + body.data.courses.overdue).toBeGreaterThan(0);
    const token = /reset-password\/(\S+)/.exec((await mail('rosa@willowbrook.test'))[0] ?? '')?.[1];
    server.clock.now = new Date(server.clock.now.getTime() + 6 * 86_400_000);
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const chosen = { token, password: 'Quiet-lanterns-9', password_confirmation: 'Quiet-lanterns-9' };
    expect((await client.json('POST', '/auth/reset-password', chosen)).status).toBe(200);
    const rosa = await signedIn('rosa@willowbrook.test', 'Quiet-lanterns-9');
    expect((await rosa.json('GET', `/users/${body.data.id}`)).status).toBe(200);
    [admin, manager, superAdmin] = [
      await signedIn('admin@willowbrook.test'),
      await signedIn('manager@willowbrook.test'),
      await signedIn('super@lantern.test'),
    ];
    expect((await audit())[0]).toMatchObject({
      action: 'created',
      subject: { name: 'Rosa Mendes' },
      after: { job_role: 'Care assistant', belongs_to: 'Willowbrook House' },
    });
  });

  it('is refused with the field that is wrong, and nothing is half done', async () => {
    for (const [body, field, words] of [
      [{ name: '' }, 'name', 'Enter a name.'],
      [{ email: 'rosa' }, 'email', 'Enter an e-mail address, for example name@example.org.'],
      [{ email: 'ROSA@willowbrook.test' }, 'email', 'This address cannot be used: it may belong to somebody already.'],
      [{ email: 'learner@harbourview.test' }, 'email', 'This address cannot be used: it may belong to somebody already.'],
      [{ email: 'new@willowbrook.test', primary_entity_id: harbour }, 'primary_entity_id', 'Choose an organisation that you can see.'],
      [{ email: 'new@willowbrook.test', role_id: demoId('role:harbour:care') }, 'role_id', 'This job role is not used there. Choose another one.'],
      [
        { email: 'new@willowbrook.test', type_id: demoId('type:harbour:learner') },
        'type_id',
        'This user type is not used there. Choose another one.',
      ],
      [{ email: 'new@willowbrook.test', started_on: '1/11/2026' }, 'started_on', 'Enter a date, for example 21/11/2026.'],
    ] as const) {
      const refused = await add(body);
      expect([refused.status, refused.body.errors]).toEqual([422, { [field]: [words] }]);
    }
    expect((await add({ email: 'new@willowbrook.test' }, manager)).status).toBe(403);
    expect(await server.database.db.one(sql`select 1 as one from users where email = 'new@willowbrook.test'`)).toBeUndefined();
  });

  it('is changed field by field as the permissions say, and moved where their job role is used', async () => {
    const leave = (fields: object) => change('sunita.patel@willowbrook.test', fields);
    expect((await leave({ leave_from: '2026-12-01', leave_until: '2026-12-24' })).body.data).toMatchObject({
      ...{ leave_from: '2026-12-01', leave_until: '2026-12-24' },
    });
    expect(Object.keys((await leave({ leave_until: '2026-11-30' })).body.errors ?? {})).toEqual(['leave_until']);
    expect(Object.keys((await leave({ leave_from: null })).body.errors ?? {})).toEqual(['leave_from']);
    expect((await leave({ leave_from: null, leave_until: null })).body.data).toMatchObject({ leave_from: null, leave_until: null });
    expect((await change('sunita.patel@willowbrook.test', { name: 'Sunita Shah', started_on: '2020-02-29' })).body.data.name).toBe('Sunita Shah');
    expect((await audit())[0]).toMatchObject({ before: { name: 'Sunita Patel' }, after: { name: 'Sunita Shah', started_on: '2020-02-29' } });
    expect((await change('sunita.patel@willowbrook.test', { primary_entity_id: group })).body.data.primary_entity.slug).toBe('willowbrook');
    expect((await change('sunita.patel@willowbrook.test', { primary_entity_id: house })).status).toBe(200);
    const moved = await change('sunita.patel@willowbrook.test', { primary_entity_id: harbour }, superAdmin);
    expect(moved.body.errors).toEqual({ role_id: ['This job role is not used there. Choose another one.'] });

    // A manager sets job roles and types, and nothing else; a person of another organisation answers 404.
    expect((await change('sunita.patel@willowbrook.test', { role_id: demoId('role:group:senior') }, manager)).body.data.role?.name).toBe(
      'Senior carer',
    );
    expect(Object.keys((await change('sunita.patel@willowbrook.test', { name: 'X' }, manager)).body.errors)).toEqual(['name']);
    const rival = await signedIn('admin@brightpath.test');
    expect((await change('sunita.patel@willowbrook.test', { name: 'X' }, rival)).status).toBe(404);
    expect((await rival.json('POST', `/users/${person('sunita.patel@willowbrook.test')}/send-welcome-email`)).status).toBe(404);
    const learner = await signedIn('learner@willowbrook.test');
    expect((await change('learner@willowbrook.test', { name: 'Amara Obi' }, learner)).body.data.name).toBe('Amara Obi');
    expect((await change('learner@willowbrook.test', { type_id: adminType }, learner)).status).toBe(403);
    expect((await change('sunita.patel@willowbrook.test', { name: 'X' }, learner)).status).toBe(404);
  });

  it('gets no more from somebody than that person has, and is not taken over by who has less', async () => {
    await give('manager@willowbrook.test', 3, 18, 42);
    const given = await change('sunita.patel@willowbrook.test', { type_id: adminType }, manager);
    expect([given.status, given.body.message]).toEqual([403, 'This user type may do things that you may not. Somebody who may has to give it.']);
    expect((await add({ email: 'new@willowbrook.test', type_id: adminType }, manager)).status).toBe(403);
    // Nor by an organisation where everybody may do more.
    await server.database.db.run(sql`insert into entity_permissions (entity_id, permission_id) values (${house}, 112)`);
    const apart = await signedIn('trainer@willowbrook.test');
    await give('trainer@willowbrook.test', 3, 42);
    expect((await add({ email: 'new@willowbrook.test', primary_entity_id: house }, apart)).body.message).toBe(
      'Everybody there may do things that you may not. Somebody who may has to change this.',
    );
    await server.database.db.run(sql`delete from entity_permissions where entity_id = ${house} and permission_id = 112`);
    expect((await change('manager@willowbrook.test', { email: 'other@willowbrook.test' }, manager)).body.errors).toEqual({
      email: ['Change your own address in your account, with your password.'],
    });
    // Priya belongs to the group, above the manager; here she is moved to where he sees her.
    const keeper = { name: 'Kit Keeper', email: 'keeper@willowbrook.test', type_id: adminType, primary_entity_id: group };
    expect((await change('admin@willowbrook.test', { primary_entity_id: house }, superAdmin)).status).toBe(409);
    const kept = await add(keeper, superAdmin);
    expect(kept.status).toBe(201);
    await change('admin@willowbrook.test', { primary_entity_id: house }, superAdmin);
    for (const body of [{ email: 'mine@willowbrook.test' }, { disabled: true }, { type_id: learnerType }])
      expect((await change('admin@willowbrook.test', body, manager)).body.message).toMatch(/^This person may do things that you may not/);
    expect((await change('admin@willowbrook.test', { name: 'Priya R.' }, manager)).status).toBe(200);
    await change('admin@willowbrook.test', { primary_entity_id: group, name: 'Priya Raman' }, superAdmin);
    await server.database.db.run(sql`update users set disabled_at = now(), type_id = null where email = 'keeper@willowbrook.test'`);
    expect((await change('manager@willowbrook.test', { disabled: true }, manager)).body.errors).toEqual({
      disabled: ['You cannot deactivate yourself.'],
    });
  });

  it('who has left can do nothing, is found among those who have left, and comes back as they were', async () => {
    const liam = await signedIn('liam.murphy@willowbrook.test');
    expect((await change('liam.murphy@willowbrook.test', { disabled: true })).body.data.disabled_at).not.toBeNull();
    expect((await liam.json('GET', '/auth/user')).status).toBe(401);
    await expect(signedIn('liam.murphy@willowbrook.test')).rejects.toThrow('answered 403');
    const names = async (state: string) =>
      (await admin.json<{ data: UserRow[] }>('GET', `/users?search=liam&state=${state}`)).body.data.map((u) => u.name);
    expect([await names('left'), await names('active')]).toEqual([['Liam Murphy'], []]);
    expect((await admin.json('POST', `/users/${person('liam.murphy@willowbrook.test')}/send-welcome-email`)).status).toBe(422);
    expect((await audit())[0]).toMatchObject({ before: { left: false }, after: { left: true } });
    await change('liam.murphy@willowbrook.test', { disabled: false });
    await signedIn('liam.murphy@willowbrook.test');
  });

  it('has a new address confirmed again, and links that went to the old one open nothing', async () => {
    await admin.json('POST', `/users/${person('aisha.khan@willowbrook.test')}/send-welcome-email`);
    const token = /reset-password\/(\S+)/.exec((await mail('aisha.khan@willowbrook.test'))[0] ?? '')?.[1];
    await change('aisha.khan@willowbrook.test', { email: 'aisha@willowbrook.test' });
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const chosen = { token, password: 'Quiet-lanterns-9', password_confirmation: 'Quiet-lanterns-9' };
    expect((await client.json('POST', '/auth/reset-password', chosen)).status).toBe(410);
    const aisha = await client.signIn('aisha@willowbrook.test');
    expect(aisha).toMatchObject({ emailVerified: false });
  });

  it('is welcomed with everybody else who has never signed in, which those who sign in with Google or Microsoft have', async () => {
    for (const n of [1, 2, 3]) await add({ email: `new${n}@willowbrook.test`, name: `New ${n}` });
    await server.database.db.run(sql`insert into identities (provider, issuer, subject, user_id, email, at)
      select 'microsoft', 'https://login.microsoftonline.com', 'new3', id, email, now() from users where email = 'new3@willowbrook.test'`);
    const welcome = () => admin.json<{ data: { sent: number; message: string } }>('POST', '/entities/willowbrook-house/send-welcome-email');
    expect((await welcome()).body.data).toEqual({ sent: 2, message: 'We are sending 2 e-mails.' });
    const sent = () => Promise.all([mail('new1@willowbrook.test'), mail('new2@willowbrook.test')]).then((all) => all.map((mails) => mails.length));
    const state = async () => (await server.database.db.one<{ state: string }>(sql`select state from jobs where kind = 'welcomes'`))?.state;
    await expect.poll(state, { timeout: 45_000 }).toBe('done');
    expect(await sent()).toEqual([1, 1]);
    // Resumed as after a stopped server, it sends nobody a second one.
    await server.database.db.run(sql`update jobs set state = 'waiting' where kind = 'welcomes'`);
    await welcome();
    await expect.poll(state, { timeout: 45_000 }).toBe('done');
    expect(await sent()).toEqual([1, 1]);
    // Requested again, they get a new one.
    server.clock.now = new Date(server.clock.now.getTime() + 60_000);
    await welcome();
    await expect.poll(sent, { timeout: 45_000 }).toEqual([2, 2]);
    const rival = await signedIn('admin@brightpath.test');
    expect((await rival.json('POST', '/entities/willowbrook-house/send-welcome-email')).status).toBe(404);
  });
});
