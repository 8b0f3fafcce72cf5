import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoPassword } from '#server/db/demo/demo-accounts.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const email = 'learner@willowbrook.test';
const old = demoId(`user:${email}`);

describe('a leaver’s training record', () => {
  let server: TestApp;
  let group: TestClient;
  let brightpath: TestClient;
  let code = '';
  beforeAll(async () => {
    server = await startTestApp();
    group = server.client();
    await group.signIn('admin@willowbrook.test');
    brightpath = server.client();
    await brightpath.signIn('admin@brightpath.test');
  });
  afterAll(() => server.close());
  const takeOver = (by: TestClient, typed = code) =>
    by.json<{ code?: string; data: { uuid: string; name: string; email: string; results: number; primary_entity: { slug: string } } }>(
      'POST',
      '/users/take-over',
      {
        code: typed,
        primary_entity_id: demoId('entity:brightpath'),
      },
    );

  it('is handed over of who has left, by who looks after them', async () => {
    expect((await group.json('POST', `/users/${old}/transfer`)).status).toBe(422);
    await group.json('PATCH', `/users/${old}`, { disabled: true });
    expect((await brightpath.json('POST', `/users/${old}/transfer`)).status).toBe(404);
    const first = await group.json<{ data: { code: string } }>('POST', `/users/${old}/transfer`);
    const second = await group.json<{ data: { code: string } }>('POST', `/users/${old}/transfer`);
    expect(first.status).toBe(201);
    code = second.body.data.code;
    // A new code ends the one before.
    expect((await takeOver(brightpath, first.body.data.code)).body.code).toBe('link_expired');
    expect((await group.json<{ data: object }>('GET', `/users/${old}/transfer`)).body.data).toMatchObject({ state: 'waiting' });
    expect((await server.app.inject('/dev/mail')).body).toContain(code);
  });
  it('is taken over once: with how they sign in, and what they have completed of the courses that both have', async () => {
    const { db } = server.database;
    const shared = await db.one<{ n: number; all: number }>(sql`select count(*) filter (where k.entity_id = ${demoId('entity:lantern')}
        and exists (select 1 from entity_courses x where x.course_id = k.id and x.entity_id = ${demoId('entity:brightpath')}))::int as n, count(*)::int as "all"
      from results r join courses k on k.id = r.course_id where r.user_id = ${old}`);
    const taken = await takeOver(brightpath, ` ${code.toUpperCase().replaceAll('-', ' ')} `);
    expect(taken.status).toBe(201);
    expect(taken.body.data).toMatchObject({ email, name: 'Amara Okafor', results: shared?.n, primary_entity: { slug: 'brightpath' } });
    const person = server.client();
    await person.signIn(email, demoPassword);
    expect((await person.json<{ data: { uuid: string } }>('GET', '/auth/user')).body.data.uuid).toBe(taken.body.data.uuid);
    const record = await brightpath.json<{ data: object[] }>('GET', `/users/${taken.body.data.uuid}/training-records`);
    expect(record.body.data).toHaveLength(shared?.n ?? -1);
    expect((await takeOver(brightpath)).body.code).toBe('link_expired');
    // The old organisation keeps its whole record, and sees that it was transferred, but not to whom.
    const kept = await group.json<{ data: object[] }>('GET', `/users/${old}/training-records`);
    expect(kept.body.data).toHaveLength(shared?.all ?? -1);
    expect((await group.json('GET', `/users/${taken.body.data.uuid}`)).status).toBe(404);
    expect((await group.json<{ data: object }>('GET', `/users/${old}/transfer`)).body.data).toMatchObject({ state: 'taken' });
    const log = await group.send('GET', '/audit-log?per_page=100');
    expect(log.body).not.toContain('Joanna Clarke');
    expect((await group.json('POST', `/users/${old}/transfer`)).status).toBe(422);
  });
  it('is not guessed', async () => {
    const codes: (string | undefined)[] = [];
    for (let i = 0; i < 8; i++) codes.push((await takeOver(brightpath, `aaaa-bbbb-cccc-ddd${i}`)).body.code);
    expect(codes).toContain('too_many_attempts');
  });
});
