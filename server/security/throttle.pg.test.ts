import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { sql } from '#server/db/sql.ts';
import { createThrottle } from '#server/security/throttle.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const learner = 'learner@willowbrook.test';
const manager = 'manager@willowbrook.test';

describe('password guessing', () => {
  let server: TestApp;
  beforeAll(async () => {
    server = await startTestApp({ TRUST_PROXY: '1' });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.database.db.run(sql`delete from sign_in_failures`);
    server.clock.now = new Date();
  });
  const from = async (address: string, email: string, password: string) => {
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    return (await client.send('POST', '/login', { email, password }, { 'x-forwarded-for': address })).statusCode;
  };
  const wrong = async (address: string, email: string, times: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < times; i++) statuses.push(await from(address, email, `wrong-${i}`));
    return statuses;
  };

  it('is limited in a burst as in a sequence', async () => {
    const burst = await Promise.all(Array.from({ length: 40 }, (_, i) => from('10.0.0.1', learner, i === 39 ? demoPassword : `wrong-${i}`)));
    expect(burst.filter((status) => status !== 429).length).toBeLessThanOrEqual(5);
  });
  it('by one person does not affect the others at their address', async () => {
    expect(await wrong('10.0.0.2', learner, 7)).toContain(429);
    expect(await from('10.0.0.2', manager, demoPassword)).toBe(200);
    // Mistyped passwords do not add up if the person then signs in.
    for (let i = 0; i < 4; i++) {
      await wrong('10.0.0.2', manager, 3);
      expect(await from('10.0.0.2', manager, demoPassword)).toBe(200);
    }
  });
  it('does not delay people of one address whose sign-ins overtake each other', async () => {
    const throttle = createThrottle(server.database.db, () => server.clock.now);
    const ip = '10.0.4.1';
    const later = await throttle.begin({ action: 'sign-in', account: manager, ip });
    server.clock.now = new Date(server.clock.now.getTime() - 20);
    const earlier = await throttle.begin({ action: 'sign-in', account: learner, ip });
    const again = await throttle.begin({ action: 'sign-in', account: manager, ip });
    for (const guess of [later, earlier, again]) await guess.succeeded();
  });
  it('of one account from many addresses is slowed down without locking out the person at an address they have used before', async () => {
    expect(await from('10.0.1.1', learner, demoPassword)).toBe(200);
    let refused = 0;
    for (let i = 0; i < 36; i++) if ((await from(`10.0.2.${i}`, learner, 'wrong')) === 429) refused++;
    expect(refused).toBeGreaterThan(0);
    expect(await from('10.0.1.1', learner, demoPassword)).toBe(200);
  });
  it('cannot be spread over addresses invented by the client', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push(await from(`1.2.3.${i}, 10.0.3.1`, learner, 'wrong'));
    expect(statuses).toContain(429);
  });
  it('no longer delays a person who has set a new password by e-mail', async () => {
    expect(await wrong('127.0.0.1', learner, 7)).toContain(429);
    const client = server.client();
    await client.send('GET', '/sanctum/csrf-cookie');
    await client.send('POST', '/auth/forgot-password', { email: learner });
    // The answer does not wait for the e-mail, which would reveal whether the account exists.
    const mail = await vi.waitFor(async () => {
      const found = await server.database.db.one<{ body: string }>(sql`select body from outgoing_mail where subject = 'Set a new password'`);
      if (!found) throw new Error('no mail yet');
      return found;
    });
    const token = /reset-password\/([\w-]+)/.exec(mail.body)?.[1];
    const password = 'Another-lantern-2';
    const reset = await client.json('POST', '/auth/reset-password', { token, password, password_confirmation: password });
    expect(reset.status).toBe(200);
    expect(await from('127.0.0.1', learner, password)).toBe(200);
  });
});
