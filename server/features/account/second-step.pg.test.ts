import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const email = 'learner@willowbrook.test';

describe('the second step', () => {
  let server: TestApp;
  let person: TestClient;
  let key = '';
  let recovery: string[] = [];
  beforeAll(async () => {
    server = await startTestApp();
    person = server.client();
    await person.signIn(email);
  });
  afterAll(() => server.close());
  const code = () => new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: server.clock.now.getTime() });
  const later = (seconds: number) => {
    server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000);
  };
  const signIn = async (more: object = {}) => {
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    return client.json<{ code?: string; errors?: Record<string, string[]> }>('POST', '/login', { email, password: demoPassword, ...more });
  };

  it('counts once a code of the new key was confirmed', async () => {
    expect((await person.json('POST', '/auth/second-step', { password: 'wrong' })).status).toBe(422);
    const begun = await person.json<{ data: { key: string; uri: string } }>('POST', '/auth/second-step', { password: demoPassword });
    key = begun.body.data.key;
    expect(begun.body.data.uri).toMatch(/^otpauth:\/\/totp\/.*learner%40willowbrook\.test\?/);
    expect((await signIn()).status).toBe(200);
    expect((await person.json('POST', '/auth/second-step/confirm', { code: '000000' })).status).toBe(422);
    const done = await person.json<{ data: { recovery_codes: string[] } }>('POST', '/auth/second-step/confirm', { code: code() });
    recovery = done.body.data.recovery_codes;
    expect(new Set(recovery).size).toBe(10);
    expect(recovery[0]).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  });
  it('is asked for after the password, and only then', async () => {
    const wrongPassword = await signIn({ password: 'wrong' });
    expect(wrongPassword.body.code).toBe('wrong_credentials');
    const without = await signIn();
    expect([without.status, without.body.code]).toEqual([422, 'second_step_needed']);
    expect(without.body.errors?.second_step_code).toBeDefined();
  });
  it('takes no code twice, nor an old one', async () => {
    later(60);
    const now = code();
    expect((await signIn({ second_step_code: now })).status).toBe(200);
    expect((await signIn({ second_step_code: now })).status).toBe(422);
    later(30);
    const old = code();
    later(90);
    expect((await signIn({ second_step_code: old })).status).toBe(422);
    expect((await signIn({ second_step_code: ` ${code().slice(0, 3)} ${code().slice(3)} ` })).status).toBe(200);
  });
  it('takes each recovery code once, and tells the person', async () => {
    const [first] = recovery as [string];
    expect((await signIn({ second_step_code: first.toUpperCase().replaceAll('-', ' ') })).status).toBe(200);
    expect((await signIn({ second_step_code: first })).status).toBe(422);
    const ways = await person.json<{ data: { second_step: { recovery_codes: number } } }>('GET', '/auth/sign-in-ways');
    expect(ways.body.data.second_step).toMatchObject({ on: true, recovery_codes: 9 });
    const mail = await server.app.inject('/dev/mail');
    expect(mail.body).toContain('A recovery code was used');
  });
  it('is not guessed: after some wrong codes one has to wait', async () => {
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 7; i++) codes.push((await signIn({ second_step_code: '123456' })).body.code);
    expect(codes).toContain('too_many_attempts');
    // Forgotten after a day.
    later(25 * 3600);
  });
  it('holds for the mobile app too', async () => {
    const body = { email, password: demoPassword, device_name: 'Phone' };
    expect((await server.client().json<{ code: string }>('POST', '/api/auth/login', body)).body.code).toBe('second_step_needed');
    expect((await server.client().json('POST', '/api/auth/login', { ...body, second_step_code: code() })).status).toBe(200);
  });
  it('gives new recovery codes; the old ones end', async () => {
    const renewed = await person.json<{ data: { recovery_codes: string[] } }>('POST', '/auth/second-step/recovery-codes', { password: demoPassword });
    expect(renewed.body.data.recovery_codes).toHaveLength(10);
    expect((await signIn({ second_step_code: recovery[1] })).status).toBe(422);
    expect((await signIn({ second_step_code: renewed.body.data.recovery_codes[1] })).status).toBe(200);
  });
  it('leaves a trace that the person and their administrators see, and nobody else', async () => {
    const me = (await person.json<{ data: { uuid: string } }>('GET', '/auth/user')).body.data.uuid;
    type Activity = { data: { second_step: boolean; events: { kind: string; way: string; device: string }[] } };
    const own = await person.json<Activity>('GET', `/users/${me}/account-activity`);
    expect(own.body.data.second_step).toBe(true);
    expect(own.body.data.events.map((e) => [e.kind, e.way])).toEqual(
      expect.arrayContaining([
        ['signed_in', 'password'],
        ['refused', 'password'],
        ['signed_in', 'app'],
      ]),
    );
    expect(own.body.data.events.find((e) => e.way === 'app')?.device).toBe('Phone');
    const admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    expect((await admin.json<Activity>('GET', `/users/${me}/account-activity`)).body.data.events).toEqual(own.body.data.events);
    const colleague = server.client();
    const { uuid: other } = await colleague.signIn('sunita.patel@willowbrook.test');
    expect((await colleague.json('GET', `/users/${me}/account-activity`)).status).toBe(403);
    expect((await colleague.json('GET', `/users/${other}/account-activity`)).status).toBe(200);
    const outsider = server.client();
    await outsider.signIn('admin@brightpath.test');
    expect((await outsider.json('GET', `/users/${me}/account-activity`)).status).toBe(404);
  });
  it('is taken away by an administrator of the person, and by no other; it stands in the audit log', async () => {
    const outsider = server.client();
    await outsider.signIn('admin@brightpath.test');
    const me = (await person.json<{ data: { uuid: string } }>('GET', '/auth/user')).body.data.uuid;
    expect((await outsider.json('DELETE', `/users/${me}/second-step`)).status).toBe(404);
    expect((await person.json('DELETE', `/users/${me}/second-step`)).status).toBe(403);
    const admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    const own = (await admin.json<{ data: { uuid: string } }>('GET', '/auth/user')).body.data.uuid;
    expect((await admin.json('DELETE', `/users/${own}/second-step`)).status).toBe(403);
    expect((await admin.json('DELETE', `/users/${me}/second-step`)).status).toBe(204);
    expect((await signIn()).status).toBe(200);
    const log = await admin.json<{ data: { subject: { id: string }; before: object | null }[] }>('GET', '/audit-log');
    expect(log.body.data[0]).toMatchObject({ subject: { id: me }, before: { second_step: true }, after: { second_step: false } });
  });
});
