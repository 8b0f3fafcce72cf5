import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActiveUser, SignInMetrics } from '#contract/entities/active-user.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const manager = demoId('user:manager@willowbrook.test');
const amara = demoId('user:learner@willowbrook.test');
const gareth = demoId('user:gareth.pugh@willowbrook.test');
const [house, group] = [demoId('entity:home'), demoId('entity:group')];

describe('active users', () => {
  let server: TestApp;
  let admin: TestClient;
  let rival: TestClient;
  const signedIn = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    await db.run(sql`insert into user_permissions (user_id, permission_id) select id, p from users, unnest(array[67, 81]) p
      where email in ('admin@willowbrook.test', 'admin@brightpath.test') on conflict do nothing`);
    [admin, rival] = [await signedIn('admin@willowbrook.test'), await signedIn('admin@brightpath.test')];
    await db.run(sql`delete from auth_events`);
    const at = (hours: number) => new Date(server.clock.now.getTime() - hours * 3_600_000).toISOString();
    await db.run(sql`insert into auth_events (user_id, at, kind, way, address) select e.u, e.t, e.k, 'password', ''
      from unnest(${[amara, amara, amara, gareth, manager, manager]}::uuid[], ${[at(1), at(2), at(50), at(2), at(300), at(1)]}::timestamptz[],
        ${['signed_in', 'signed_in', 'signed_in', 'signed_in', 'signed_in', 'refused']}::text[]) as e (u, t, k)`);
    await db.run(sql`update users set password_hash = null where id = ${demoId('user:kwame.boateng@willowbrook.test')}`);
  });
  afterAll(() => server.close());

  const metricsOf = async (days: number, period: string, entity = 'willowbrook', more: object = {}) => {
    const body = {
      fromDate: new Date(server.clock.now.getTime() - days * 86_400_000).toISOString(),
      toDate: server.clock.now.toISOString(),
      period,
      ...more,
    };
    return admin.json<{ data: SignInMetrics; errors?: object }>('POST', `/auth-events/${entity}/metrics`, body);
  };
  const listOf = async (query = '', by = admin) =>
    (await by.json<{ data: ActiveUser[]; meta: { total: number } }>('GET', `/auth-events/active${query}`)).body;

  it('count each person once, over organisations, hours and days', async () => {
    const { status, body } = await metricsOf(1, 'h');
    expect([status, body.data.people, body.data.sign_ins]).toEqual([200, 2, 3]);
    expect(body.data.points.length).toBeGreaterThanOrEqual(24);
    expect(body.data.points.reduce((n, p) => n + p.sign_ins, 0)).toBe(3);
    const week = (await metricsOf(7, 'd')).body.data;
    expect([week.people, week.sign_ins]).toEqual([2, 4]);
    expect(week.points.reduce((n, p) => n + p.people, 0)).toBeGreaterThan(week.people);
    expect((await metricsOf(30, 'w')).body.data.people).toBe(3);
    expect((await metricsOf(30, 'm', house)).body.data.people).toBe(2);
    expect((await metricsOf(30, 'd', 'willowbrook', { deep: '0' })).body.data.people).toBe(0);
    expect((await metricsOf(400, 'd')).status).toBe(200);
  });

  it('say who has never signed in, and welcome them all at once', async () => {
    const { of, never } = (await metricsOf(1, 'h')).body.data;
    const list = await listOf('?state=never');
    expect([never, list.meta.total, list.data.map((u) => [u.name, u.seen_at])]).toEqual([1, 1, [['Kwame Boateng', null]]]);
    const all = await admin.json<{ meta: { total: number } }>('GET', '/users?state=active');
    expect(of).toBe(all.body.meta.total);
    const welcome = (query: string) => admin.json<{ data: { sent: number } }>('POST', `/entities/willowbrook/send-welcome-email${query}`);
    expect([(await welcome('')).body.data.sent, (await welcome('?deep=1')).body.data.sent]).toEqual([0, 1]);
  });

  it('list who was there in the last day, the last first, of the organisations asked for', async () => {
    const { data } = await listOf();
    const seen = data.map((u) => u.seen_at ?? '');
    expect(seen).toEqual(seen.toSorted().reverse());
    expect(data.map((u) => u.id)).toEqual(expect.arrayContaining([amara, gareth]));
    expect(data.map((u) => u.id)).not.toContain(manager);
    expect((await listOf(`?entityIds=${house}`)).data.map((u) => u.id)).toEqual([amara]);
    expect((await listOf(`?entityIds=${group}&deep=0`)).data.map((u) => u.id)).not.toContain(amara);
    expect((await listOf('?search=amara')).data.map((u) => u.id)).toEqual([amara]);
    expect((await listOf(`?entityIds=${house}`, rival)).data).toEqual([]);
  });

  it('get a message each, once, and nobody else does', async () => {
    const send = (by: TestClient, key: string, body: object) =>
      by.json<{ data: { recipients: number; audience: string } }>('POST', '/system/message/willowbrook-house', body, { 'idempotency-key': key });
    const key = randomUUID();
    for (let again = 0; again < 2; again++) {
      const { status, body } = await send(admin, key, { message: 'Hello', deep: 1 });
      expect([status, body.data.recipients, body.data.audience]).toEqual([201, 1, 'everyone active at Willowbrook House']);
    }
    expect(await server.database.db.one(sql`select count(*)::int as n from messages where message = 'Hello'`)).toEqual({ n: 1 });
    expect((await send(rival, randomUUID(), { message: 'Hello', deep: 1 })).status).toBe(404);
    expect((await send(admin, randomUUID(), { message: ' ', deep: 1 })).status).toBe(422);
  });

  it('refuse what cannot be counted', async () => {
    expect((await metricsOf(-1, 'h')).body.errors).toHaveProperty('toDate');
    expect((await metricsOf(60, 'h')).body.errors).toHaveProperty('fromDate');
    expect((await metricsOf(1, 'h', 'harbour-view')).status).toBe(404);
    expect((await metricsOf(1, 'h', 'willowbrook', { entity: 'harbour-view' })).body.errors).toHaveProperty('entity');
    expect((await metricsOf(1, 'minute')).status).toBe(422);
  });
});
