import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { sql } from '#server/db/sql.ts';
import { hashPassword } from '#server/security/passwords.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

type Err = { code: string; message: string; errors: Record<string, string[]> };
const email = 'learner@willowbrook.test';

describe('signing in', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.database.db.run(sql`delete from sign_in_failures`);
    server.clock.now = new Date();
  });
  const linkOf = async (path: string) => {
    const mail = await server.database.db.one<{ body: string }>(
      sql`select body from outgoing_mail where body like ${`%/${path}/%`} order by at desc limit 1`,
    );
    return new RegExp(`/${path}/([\\w-]+)`).exec(mail?.body ?? '')?.[1] as string;
  };

  it('gives a session that is HttpOnly, and /auth/user answers the person', async () => {
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const response = await client.send('POST', '/login', { email, password: demoPassword });
    const cookie = response.cookies.find((c) => c.name === '__Host-Http-lantern_session');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect((await client.json('GET', '/auth/user')).body.data).toMatchObject({ email, primary_entity: { slug: 'willowbrook-house' } });
  });

  it('tells somebody whose account was deactivated whom to ask, and only after the right password', async () => {
    const { db } = server.database;
    await db.run(sql`update users set disabled_at = now() where email = ${email}`);
    await db.run(sql`update entities set email = 'office@willowbrook.test' where slug = 'willowbrook-house'`);
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const wrong = await client.json<Err>('POST', '/login', { email, password: 'wrong' });
    const unknown = await client.json<Err>('POST', '/login', { email: 'nobody@willowbrook.test', password: 'wrong' });
    expect(wrong.body).toMatchObject({ code: 'wrong_credentials', message: unknown.body.message, errors: unknown.body.errors });
    const right = await client.json<Err>('POST', '/login', { email, password: demoPassword });
    expect(right.status).toBe(403);
    expect(right.body.code).toBe('account_deactivated');
    expect(right.body.message).toContain('Your account at Willowbrook House has been deactivated.');
    expect(right.body.message).toContain('office@willowbrook.test');
    expect((await client.json('GET', '/auth/user')).status).toBe(401);
    await db.run(sql`update users set disabled_at = null where email = ${email}`);
    expect((await client.json('POST', '/login', { email, password: demoPassword })).status).toBe(200);
  });

  it('rotates the session, and refuses a change without the anti-forgery token', async () => {
    const client = server.client();
    await client.signIn(email);
    const before = client.cookies.get('__Host-Http-lantern_session');
    await client.json('POST', '/login', { email, password: demoPassword });
    expect(client.cookies.get('__Host-Http-lantern_session')).not.toBe(before);
    client.cookies.delete('XSRF-TOKEN');
    const { status, body } = await client.json<Err>('POST', '/logout');
    expect(status).toBe(419);
    expect(body.code).toBe('csrf_mismatch');
  });

  it('asks for the anti-forgery token whatever stands in Authorization, unless a token signs the person in', async () => {
    const client = server.client();
    await client.signIn(email);
    client.cookies.delete('XSRF-TOKEN');
    for (const authorization of ['x', 'Basic YTpi', 'Bearer', 'Bearer a b']) {
      const signOut = await client.json<Err>('POST', '/logout', undefined, { authorization });
      expect([authorization, signOut.status, signOut.body?.code]).toEqual([authorization, 419, 'csrf_mismatch']);
    }
    expect((await client.json('GET', '/auth/user')).status).toBe(200);
    // An invalid bearer token does not fall back on the cookie.
    expect((await client.json('GET', '/auth/user', undefined, { authorization: 'Bearer x' })).status).toBe(401);
  });

  it('answers the same for a wrong password and an unknown account, and slows down', async () => {
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const wrong = await client.json<Err>('POST', '/login', { email, password: 'wrong' });
    const unknown = await client.json<Err>('POST', '/login', { email: 'nobody@willowbrook.test', password: 'wrong' });
    expect([wrong.status, unknown.status]).toEqual([422, 422]);
    expect(wrong.body.message).toBe(unknown.body.message);
    let last = wrong;
    for (let i = 0; i < 8; i++) last = await client.json<Err>('POST', '/login', { email, password: 'wrong' });
    expect(last.status).toBe(429);
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('ends when it was not used for too long', async () => {
    const client = server.client();
    await client.signIn(email);
    server.clock.now = new Date(Date.now() + 73 * 3_600_000);
    expect((await client.json('GET', '/auth/user')).status).toBe(401);
  });

  it('names the field of bad input', async () => {
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const { status, body } = await client.json<Err>('POST', '/login', { email: 'x' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: 'Invalid input.', errors: { email: [expect.any(String)], password: ['This field is required.'] } });
  });

  it('resets a forgotten password once, and ends every session', async () => {
    const client = server.client();
    const other = 'grace.adeyemi@willowbrook.test';
    await client.signIn(other);
    const stranger = server.client();
    await stranger.send('GET', '/sanctum/csrf-cookie');
    const known = await stranger.json('POST', '/auth/forgot-password', { email: other });
    const unknown = await stranger.json('POST', '/auth/forgot-password', { email: 'nobody@nowhere.test' });
    expect(known.body).toEqual(unknown.body);
    await expect.poll(() => linkOf('reset-password'), { timeout: 45_000 }).toBeTruthy();
    const token = await linkOf('reset-password');
    const weak = await stranger.json<Err>('POST', '/auth/reset-password', { token, password: 'short', password_confirmation: 'short' });
    expect(weak.body.errors.password?.length).toBeGreaterThan(0);
    const fresh = { token, password: 'A-new-secret-9', password_confirmation: 'A-new-secret-9' };
    expect((await stranger.json('POST', '/auth/reset-password', fresh)).status).toBe(200);
    expect((await stranger.json('POST', '/auth/reset-password', fresh)).status).toBe(410);
    expect((await client.json('GET', '/auth/user')).status).toBe(401);
    await server.client().signIn(other, 'A-new-secret-9');
  });

  it('writes the link of who forgot their password even if the server ends after its answer, and nothing for an unknown address', async () => {
    const { db } = server.database;
    const asked = () => db.all<{ email: string }>(sql`select email from forgotten_passwords order by email`);
    const [address, unknown] = ['liam.murphy@willowbrook.test', 'nobody@nowhere.test'];
    const stranger = server.client();
    await stranger.send('GET', '/sanctum/csrf-cookie');
    const forget = async (email: string) => (await stranger.json('POST', '/auth/forgot-password', { email })).status;
    const links = () => db.all(sql`select 1 from outgoing_mail where recipient in (${address}, ${unknown}) and subject = 'Set a new password'`);
    await expect.poll(asked, { timeout: 45_000 }).toEqual([]);
    // What the answer does is the same for both addresses; the links cannot be written.
    await db.run(sql`create function no_mail() returns trigger language plpgsql as $$ begin raise exception 'the server ends'; end $$`);
    await db.run(sql`create trigger no_mail before insert on outgoing_mail execute function no_mail()`);
    expect([await forget(address), await forget(unknown)]).toEqual([200, 200]);
    expect(await asked()).toEqual([{ email: address }, { email: unknown }]);
    await db.run(sql`drop trigger no_mail on outgoing_mail`);
    await db.run(sql`drop function no_mail`);
    expect(await forget(unknown)).toBe(200);
    await expect.poll(asked, { timeout: 45_000 }).toEqual([]);
    expect(await links()).toHaveLength(1);
  });

  it('makes a person whose password has expired change it first', async () => {
    const { db } = server.database;
    const who = 'megan.davies@willowbrook.test';
    await db.run(sql`update entities set password_expire_period_in_months = 1 where slug = 'willowbrook-house'`);
    await db.run(sql`update users set password_changed_at = now() - interval '2 months' where email = ${who}`);
    const client = server.client();
    await client.signIn(who);
    expect((await client.json('GET', '/auth/user')).body.data).toMatchObject({ password_expired: true });
    expect((await client.json<Err>('GET', '/attempts/current-attempt')).body.code).toBe('password_change_required');
    const done = await client.json('POST', '/auth/reset-password', {
      current_password: demoPassword,
      password: 'Another-one-22',
      password_confirmation: 'Another-one-22',
    });
    expect(done.status).toBe(200);
    expect((await client.json('GET', '/attempts/current-attempt')).status).toBe(200);
    await db.run(sql`update entities set password_expire_period_in_months = null where slug = 'willowbrook-house'`);
  });

  it('makes a person change a password that everybody knows, where the organisation asks for it', async () => {
    const { db } = server.database;
    const who = 'daniel.osei@willowbrook.test';
    await db.run(sql`update users set password_hash = ${await hashPassword('Password1')} where email = ${who}`);
    const before = server.client();
    await before.signIn(who, 'Password1');
    expect((await before.json('GET', '/auth/user')).body.data).toMatchObject({ password_expired: false });
    await db.run(
      sql`update entities set compromised_passwords = 'enforce_change', password_requirements = '{"min_length":8,"mixed_case":true,"number":true,"symbol":false}' where slug = 'willowbrook-house'`,
    );
    const client = server.client();
    await client.signIn(who, 'Password1');
    expect((await client.json('GET', '/auth/user')).body.data).toMatchObject({ password_expired: true });
    const change = (password: string) =>
      client.json<Err>('POST', '/auth/reset-password', { current_password: 'Password1', password, password_confirmation: password });
    expect((await change('Passw0rd')).body.errors.password).toContain('This password has appeared in a data breach. Choose another one.');
    expect((await change('Willow-lane-48')).status).toBe(200);
    expect((await client.json('GET', '/auth/user')).body.data).toMatchObject({ password_expired: false });
    await db.run(sql`update entities set compromised_passwords = 'off', password_requirements = null where slug = 'willowbrook-house'`);
  });

  it('registers an organisation whose first person confirms the address and is its administrator', async () => {
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    const body = { organisation: 'Oak Lodge', name: 'Dana Frost', email: 'dana@oaklodge.test', password: 'Oak-lodge-2026' };
    expect((await client.json('POST', '/register/nothing', body)).status).toBe(404);
    const lines = await client.json<Err>('POST', '/register/trial', { ...body, name: 'Dana\n\nYou have won: http://evil.test' });
    expect(lines.body.errors).toEqual({ name: ['Use a single line, without line breaks or control characters.'] });
    expect((await client.json('POST', '/register/trial', body)).status).toBe(201);
    // The address must be confirmed first: there is no account, no organisation, and nothing that was typed in the e-mail.
    const { db } = server.database;
    expect((await client.json('POST', '/login', { email: body.email, password: body.password })).status).toBe(422);
    expect(await db.one(sql`select 1 as one from entities where name = 'Oak Lodge'`)).toBeUndefined();
    const mail = await db.one<{ subject: string; body: string; html: string }>(
      sql`select subject, body, html from outgoing_mail where recipient = ${body.email}`,
    );
    for (const typed of ['Oak Lodge', 'Dana']) expect(JSON.stringify(mail)).not.toContain(typed);
    const token = await linkOf('verify-email');
    expect((await client.json('POST', '/auth/verify-email', { token })).status).toBe(200);
    const again = await client.json('POST', '/register/trial', body);
    expect(again.status).toBe(201);
    await client.signIn(body.email, body.password);
    expect((await client.json('GET', '/auth/user')).body.data).toMatchObject({ emailVerified: true, primary_entity: { slug: 'oak-lodge' } });
    expect((await client.json<{ data: { name: string }[] }>('GET', '/users')).body.data.map((u) => u.name)).toEqual(['Dana Frost']);
  });

  const soon = { timeout: 45_000 };
  const mailsTo = (address: string) =>
    server.database.db.all<{ subject: string }>(sql`select subject from outgoing_mail where recipient = ${address} order by at`);
  const resetLink = async (address: string) => {
    const stranger = server.client();
    await stranger.send('GET', '/sanctum/csrf-cookie');
    const links = async () => (await mailsTo(address)).filter((m) => m.subject === 'Set a new password').length;
    const before = await links();
    await stranger.json('POST', '/auth/forgot-password', { email: address });
    await expect.poll(links, soon).toBe(before + 1);
    return { token: await linkOf('reset-password'), stranger };
  };
  const opens = async ({ token, stranger }: Awaited<ReturnType<typeof resetLink>>) =>
    (await stranger.json('POST', '/auth/reset-password', { token, password: 'Taken-over-1234', password_confirmation: 'Taken-over-1234' })).status;

  it('ends every earlier link with a change of the password, however it is changed, and tells the person', async () => {
    const who = 'rhys.evans@willowbrook.test';
    const [first, second] = [await resetLink(who), await resetLink(who)];
    const chosen = { password: 'Quiet-lane-77', password_confirmation: 'Quiet-lane-77' };
    expect((await second.stranger.json('POST', '/auth/reset-password', { token: second.token, ...chosen })).status).toBe(200);
    expect(await opens(first)).toBe(410);
    const third = await resetLink(who);
    const client = server.client();
    await client.signIn(who, 'Quiet-lane-77');
    const other = { current_password: 'Quiet-lane-77', password: 'Quiet-lane-78', password_confirmation: 'Quiet-lane-78' };
    expect((await client.json('POST', '/auth/reset-password', other)).status).toBe(200);
    expect(await opens(third)).toBe(410);
    await expect.poll(async () => (await mailsTo(who)).filter((m) => m.subject === 'Your password was changed').length, soon).toBe(2);
  });

  it('counts a new address from when it was confirmed, ends the links of the old one, and tells both', async () => {
    const [before, after] = ['priya.nair@willowbrook.test', 'priya@elsewhere.test'];
    const client = server.client();
    await server.database.db.run(
      sql`insert into users (id, name, email, password_hash, primary_entity_id, started_on, email_verified_at)
        select gen_random_uuid(), 'Priya Nair', ${before}, ${await hashPassword(demoPassword)}, id, '2026-01-01', now() from entities where slug = 'willowbrook-house'`,
    );
    await client.signIn(before);
    const change = (email: string, password = demoPassword) => client.json<Err>('POST', '/auth/update-email', { email, password });
    expect((await change(after, 'wrong')).status).toBe(422);
    expect((await change(before)).body.errors.email).toEqual(['This is already your e-mail address.']);
    expect((await change(after)).status).toBe(200);
    const me = async () => (await client.json<{ data: { email: string; emailVerified: boolean } }>('GET', '/auth/user')).body.data;
    expect(await me()).toMatchObject({ email: before, emailVerified: true });
    await expect.poll(async () => (await mailsTo(before)).map((m) => m.subject), soon).toContain('A change of e-mail address was requested');
    await expect.poll(async () => (await mailsTo(after)).map((m) => m.subject), soon).toEqual(['Confirm your new e-mail address']);
    const confirm = await linkOf('verify-email');
    const old = await resetLink(before);
    expect((await client.json('POST', '/auth/verify-email', { token: confirm })).status).toBe(200);
    expect(await me()).toMatchObject({ email: after, emailVerified: true });
    expect(await opens(old)).toBe(410);
    expect((await client.json('POST', '/auth/verify-email', { token: confirm })).status).toBe(410);
    await expect.poll(async () => (await mailsTo(before)).map((m) => m.subject), soon).toContain('Your e-mail address was changed');
    await expect.poll(async () => (await mailsTo(after)).map((m) => m.subject), soon).toContain('Your account now uses this e-mail address');
    await server.client().signIn(after);

    // An address with an account is answered like one without; its owner is notified, and no link is sent.
    const taken = await change('learner@willowbrook.test');
    expect([taken.status, taken.body]).toEqual([200, { data: { message: expect.stringContaining('We have sent a link') } }]);
    await expect
      .poll(async () => (await mailsTo('learner@willowbrook.test')).map((m) => m.subject), soon)
      .toContain('This e-mail address already has an account');

    // A manager's change ends the links too, and both are notified.
    const link = await resetLink(after);
    const admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    const found = await admin.json<{ data: { id: string }[] }>('GET', '/users?search=Priya+Nair');
    expect((await admin.json('PATCH', `/users/${found.body.data[0]?.id}`, { email: 'priya.n@willowbrook.test' })).status).toBe(200);
    expect(await opens(link)).toBe(410);
    await expect.poll(async () => (await mailsTo(after)).map((m) => m.subject), soon).toContain('Your e-mail address was changed');
  });

  it('gives the mobile app a token, and takes it back', async () => {
    const client = server.client();
    const { body } = await client.json<{ data: { token: string } }>('POST', '/api/auth/login', {
      email,
      password: demoPassword,
      device_name: 'Phone',
    });
    const headers = { authorization: `Bearer ${body.data.token}` };
    expect((await client.json('GET', '/auth/user', undefined, headers)).status).toBe(200);
    expect((await client.json('POST', '/api/auth/logout', undefined, headers)).status).toBe(204);
    expect((await client.json('GET', '/auth/user', undefined, headers)).status).toBe(401);
  });

  it('checks permissions by id and by slug, all or any', async () => {
    const client = server.client();
    await client.signIn('manager@willowbrook.test');
    const check = async (permission_ids: (string | number)[], mode?: string) =>
      (await client.json<{ data: { allowed: boolean } }>('POST', '/auth/permission-check', { permission_ids, ...(mode ? { mode } : {}) })).body.data
        .allowed;
    expect(await check([21, 'user.search'])).toBe(true);
    expect(await check([21, 1])).toBe(false);
    expect(await check([21, 'entity.create'], 'any')).toBe(true);
    expect(await check(['no.such'])).toBe(false);
  });
});
