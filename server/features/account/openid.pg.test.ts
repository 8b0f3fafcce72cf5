import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { type Claims, IdentityProvider } from '#tests/support/identity-provider.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const learner = 'learner@willowbrook.test';

describe('signing in with Microsoft and Google', () => {
  let server: TestApp;
  let provider: IdentityProvider;
  beforeAll(async () => {
    provider = await IdentityProvider.start();
    server = await startTestApp(provider.settings);
  });
  afterAll(async () => {
    await server.close();
    await provider.stop();
  });
  const allow = (on: boolean) =>
    server.database.db.run(sql`update entities set allow_google_sign_in = ${on}, allow_ms_sign_in = ${on} where id = ${demoId('entity:home')}`);
  beforeEach(async () => {
    await server.database.db.run(sql`delete from identities`);
    await allow(true);
  });

  /** As a browser does: to the provider, and back. Returns the final address. */
  const go = async (client: TestClient, by: 'google' | 'microsoft', claims: Claims, more = '') => {
    provider.claims = claims;
    const out = await client.send('GET', `/auth/openid/${by}${more}`);
    expect(out.statusCode).toBe(302);
    const there = await fetch(String(out.headers.location), { redirect: 'manual' });
    const back = new URL(String(there.headers.get('location')));
    const home = await client.send('GET', back.pathname.replace(/^\/api/, '') + back.search);
    return { ended: String(home.headers.location), back };
  };
  const who = async (client: TestClient) => (await client.json<{ data?: { email: string } }>('GET', '/auth/user')).body.data?.email;

  it('lets in who is known by an address that the provider answers for, and returns to where they were', async () => {
    const client = server.client();
    const { ended } = await go(client, 'google', { sub: 'g-1', email: learner, email_verified: true }, '?to=/messages');
    expect(ended).toBe('/login?signed_in=1&redirect=%2Fmessages');
    expect(await who(client)).toBe(learner);
  });
  it('knows the account again when its address has changed', async () => {
    await go(server.client(), 'google', { sub: 'g-1', email: learner, email_verified: true });
    const client = server.client();
    await go(client, 'google', { sub: 'g-1', email: 'other@elsewhere.test', email_verified: false });
    expect(await who(client)).toBe(learner);
  });
  it('believes no address that the provider does not answer for', async () => {
    for (const [by, claims] of [
      ['google', { sub: 'x', email: learner, email_verified: false }],
      ['microsoft', { sub: 'x', email: learner, email_verified: true }],
      ['microsoft', { sub: 'x', email: learner, xms_edov: false }],
    ] as const) {
      const client = server.client();
      expect((await go(client, by, claims)).ended).toBe('/login?problem=sign_in_unknown');
      expect(await who(client)).toBeUndefined();
    }
    const client = server.client();
    await go(client, 'microsoft', { sub: 'm-1', email: learner, xms_edov: true });
    expect(await who(client)).toBe(learner);
  });
  it('does not give an account to the owner of an address that its person never confirmed', async () => {
    const person = sql`where lower(email) = ${learner}`;
    await server.database.db.run(sql`update users set email_verified_at = null ${person}`);
    expect((await go(server.client(), 'google', { sub: 'g-2', email: learner, email_verified: true })).ended).toContain('sign_in_unknown');
    await server.database.db.run(sql`update users set email_verified_at = now() ${person}`);
  });
  it('is switched on by the organisation', async () => {
    await allow(false);
    const client = server.client();
    expect((await go(client, 'google', { sub: 'g-1', email: learner, email_verified: true })).ended).toBe('/login?problem=sign_in_not_allowed');
    expect(await who(client)).toBeUndefined();
    const options = await client.json<{ data: { providers: string[] } }>('GET', '/auth/sign-in-options?slug=willowbrook-house');
    expect(options.body.data.providers).toEqual([]);
  });
  it('is refused to who has left, and while access is restricted', async () => {
    const claims = { sub: 'g-1', email: learner, email_verified: true };
    const { db } = server.database;
    await db.run(sql`update users set disabled_at = now() where email = ${learner}`);
    expect((await go(server.client(), 'google', claims)).ended).toContain('sign_in_unknown');
    await db.run(sql`update users set disabled_at = null where email = ${learner}`);
    await db.run(sql`update entities set restricted_access_at = now() - interval '1 hour' where id = ${demoId('entity:home')}`);
    expect((await go(server.client(), 'google', claims)).ended).toBe('/login?problem=access_restricted');
    await db.run(sql`update entities set restricted_access_at = null where id = ${demoId('entity:home')}`);
  });
  it('asks who has no password here for no new one', async () => {
    const { db } = server.database;
    await db.run(sql`update entities set password_expire_period_in_months = 1 where id = ${demoId('entity:home')}`);
    await db.run(sql`update users set password_changed_at = now() - interval '2 months' where email = ${learner}`);
    const expired = async () => {
      const client = server.client();
      await go(client, 'google', { sub: 'g-1', email: learner, email_verified: true });
      return (await client.json<{ data: { password_expired: boolean } }>('GET', '/auth/user')).body.data.password_expired;
    };
    expect(await expired()).toBe(true);
    const [kept] = await db.all<{ password_hash: string }>(sql`select password_hash from users where email = ${learner}`);
    await db.run(sql`update users set password_hash = null where email = ${learner}`);
    expect(await expired()).toBe(false);
    await db.run(sql`update users set password_hash = ${kept?.password_hash ?? null}, password_changed_at = now() where email = ${learner}`);
  });
  it('comes back once, to the browser that set out, within ten minutes', async () => {
    const client = server.client();
    const claims = { sub: 'g-1', email: learner, email_verified: true };
    const { back } = await go(client, 'google', claims);
    const again = await client.send('GET', back.pathname.replace(/^\/api/, '') + back.search);
    expect(again.headers.location).toBe('/login?problem=sign_in_interrupted');

    const out = await server.client().send('GET', '/auth/openid/google');
    const there = new URL(String((await fetch(String(out.headers.location), { redirect: 'manual' })).headers.get('location')));
    const victim = server.client();
    const stolen = await victim.send('GET', there.pathname.replace(/^\/api/, '') + there.search);
    expect(stolen.headers.location).toBe('/login?problem=sign_in_interrupted');
    expect(await who(victim)).toBeUndefined();
  });
  it('leads back into this app only', async () => {
    for (const to of ['https://evil.test', '//evil.test', '/\\evil.test'])
      expect((await go(server.client(), 'google', { sub: 'g-1', email: learner, email_verified: true }, `?to=${encodeURIComponent(to)}`)).ended).toBe(
        '/login?signed_in=1&redirect=%2F',
      );
  });
  it('connects an account to who is signed in, and to nobody else', async () => {
    const client = server.client();
    await client.signIn(learner);
    const work = { sub: 'm-work', email: 'a.okafor@work.test' };
    expect((await go(client, 'microsoft', work, '?connect=1')).ended).toBe('/sign-in-ways?connected=microsoft');
    const ways = await client.json<{ data: { providers: { provider: string; connected: { email: string } | null }[] } }>('GET', '/auth/sign-in-ways');
    expect(ways.body.data.providers.find((p) => p.provider === 'microsoft')?.connected?.email).toBe('a.okafor@work.test');
    const fresh = server.client();
    await go(fresh, 'microsoft', work);
    expect(await who(fresh)).toBe(learner);
    // A colleague cannot take it over.
    const colleague = server.client();
    await colleague.signIn('sunita.patel@willowbrook.test');
    expect((await go(colleague, 'microsoft', work, '?connect=1')).ended).toBe('/sign-in-ways?problem=already_connected');
    // Once disconnected, it is a stranger’s.
    expect((await client.json('DELETE', '/auth/openid/microsoft')).status).toBe(204);
    expect((await go(server.client(), 'microsoft', work)).ended).toContain('sign_in_unknown');
  });
});
