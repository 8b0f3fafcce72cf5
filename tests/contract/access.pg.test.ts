import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/api/endpoint.ts';
import { endpoints } from '#contract/api/endpoints.ts';
import { isErrorCode } from '#contract/errors.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { type PermissionSlug, personalPermissions } from '#contract/permissions.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/**
 * Who may do what, for every endpoint: generated from the contract, so that no endpoint can be added without being tested here.
 * Somebody of an unrelated organisation always gets a 404 for a person's things.
 */
const amara = demoId('user:learner@willowbrook.test');
const all = endpoints as readonly Endpoint[];
const fill = (path: string) =>
  path
    .replace('{userId}', amara)
    .replace('{uuid}', amara)
    .replace('{plan}', 'trial')
    .replace('{name}', `${'0'.repeat(64)}.svg`)
    .replace('{id}', amara)
    .replace('{document}', amara);

describe('access', () => {
  let server: TestApp;
  const people: Record<string, TestClient> = {};
  beforeAll(async () => {
    server = await startTestApp();
    for (const [name, email] of Object.entries({
      own: 'learner@willowbrook.test',
      parent: 'admin@willowbrook.test',
      sibling: 'gareth.pugh@willowbrook.test',
      unrelated: 'learner@harbourview.test',
      unrelatedAdmin: 'admin@brightpath.test',
      superAdmin: 'super@lantern.test',
    })) {
      const client = server.client();
      await client.signIn(email);
      people[name] = client;
    }
  });
  afterAll(() => server.close());
  const as = (name: string) => people[name] as TestClient;

  it.each(all.filter((e) => e.access !== 'public').map((e) => [`${e.method} ${e.path}`, e] as const))('%s needs a person', async (_name, e) => {
    const anonymous = server.client();
    await anonymous.send('GET', '/sanctum/csrf-cookie');
    expect((await anonymous.json(e.method, fill(e.path), e.method === 'GET' ? undefined : {})).status).toBe(401);
  });

  it.each(all.filter((e) => Array.isArray(e.access)).map((e) => [`${e.method} ${e.path}`, e] as const))(
    '%s needs its permission, whatever is asked for',
    async (_name, e) => {
      const { status, body } = await as('unrelated').json<{ code: string }>(e.method, fill(e.path), e.method === 'GET' ? undefined : { name: 'X' });
      // What a learner may do to themselves they may not do to somebody else, who gets a 404.
      const mayThemselves = (e.access as readonly PermissionSlug[]).some((slug) => personalPermissions.includes(slug));
      // A body is read before anything is looked up. What is one's own is there, and a stranger's is not.
      const wrong = e.body !== undefined && !e.body.safeParse({ name: 'X' }).success;
      const own = wrong ? [422, 'invalid_input'] : e.path.includes('{') ? [404, 'not_found'] : [200, undefined];
      expect([status, body.code]).toEqual(mayThemselves ? own : [403, 'forbidden']);
    },
  );

  const garbage: [string, unknown][] = [
    ['nothing', undefined],
    ['a list', []],
    ['a text', '"x"'],
    ['broken JSON', '{"a":'],
    ['wrong fields', { email: 7, password: {}, changes: [{ id: 1 }], permission_ids: 'x', content_id: null, rating: 'many', quiz_id: [] }],
    ['deep', { changes: [{ command: 'attempt.answer', args: { answer: { kind: 'match', pairs: { a: { b: 1 } } } } }] }],
  ];
  it.each(all.filter((e) => e.method !== 'GET' && e.body !== undefined).map((e) => [`${e.method} ${e.path}`, e] as const))(
    '%s answers bad input with an error of the catalogue, and names the field',
    async (_name, e) => {
      const client = server.client();
      await client.signIn('super@lantern.test');
      await server.database.db.run(sql`delete from sign_in_failures`);
      for (const [what, body] of garbage) {
        // Without a filter.
        if (body === undefined && e.body?.safeParse({}).success) continue;
        const answer = await client.json<{ code: string; message: string; errors?: object }>(e.method, fill(e.path), body ?? '', {
          'content-type': 'application/json',
        });
        expect(isErrorCode(answer.body.code), `${what}: ${answer.status}`).toBe(true);
        expect(answer.status, what).toBeGreaterThanOrEqual(400);
        expect(answer.status, what).toBeLessThan(500);
        if (answer.body.code === 'invalid_input') expect(Object.keys(answer.body.errors ?? {}).length, what).toBeGreaterThan(0);
      }
    },
  );

  const personal = ['/users/{id}', '/users/{id}/attempts', '/users/{id}/refusals', '/users/{id}/training-records', '/auth/{uuid}/verification-send'];
  it.each(personal)('GET %s: own and above see it; a sibling, an unrelated organisation and an absent person look the same', async (path) => {
    expect((await as('own').json('GET', fill(path))).status).toBe(200);
    expect((await as('parent').json('GET', fill(path))).status).toBe(200);
    expect((await as('superAdmin').json('GET', fill(path))).status).toBe(200);
    const strangers = await Promise.all(
      ['sibling', 'unrelated', 'unrelatedAdmin'].map((name) => as(name).json<{ message: string; code: string }>('GET', fill(path))),
    );
    const absent = await as('unrelated').json<{ message: string; code: string }>(
      'GET',
      path.replace(/\{\w+\}/, '00000000-0000-4000-a000-000000000000'),
    );
    for (const stranger of [...strangers, absent])
      expect([stranger.status, stranger.body.code, stranger.body.message]).toEqual([404, 'not_found', absent.body.message]);
  });

  it('says what is wrong with an address that cannot be read, and with a body that holds too much', async () => {
    for (const target of ['/api/%E0%A4%A', '/api/users/%']) {
      const { status, body } = await (people.own as TestClient).json<{ code: string; message: string; request_id: string }>('GET', target.slice(4));
      expect([status, body.code, typeof body.message, typeof body.request_id]).toEqual([400, 'malformed', 'string', 'string']);
    }
    let nested: unknown = 'deep';
    for (let i = 0; i < 100; i++) nested = [nested];
    const { status, body } = await (people.own as TestClient).json<{ code: string; message: string }>('POST', '/reminders', nested as object);
    expect([status, body.code, body.message]).toEqual([400, 'malformed', 'A request may hold 250,000 values, nested 64 deep.']);
  });
  it('lists only the people of one’s own organisation and below', async () => {
    const names = async (who: string, query = '') =>
      (await as(who).json<{ data: { primary_entity: { slug: string } }[]; meta: { total: number } }>('GET', `/users?per_page=100${query}`)).body;
    expect(new Set((await names('sibling')).data.map((u) => u.primary_entity.slug))).toEqual(new Set(['willowbrook-home-care']));
    expect(new Set((await names('parent')).data.map((u) => u.primary_entity.slug))).toEqual(
      new Set(['willowbrook', 'willowbrook-house', 'willowbrook-home-care']),
    );
    expect((await names('unrelatedAdmin')).meta.total).toBe(1);
    expect(new Set((await names('parent', '&actingAs=willowbrook-house')).data.map((u) => u.primary_entity.slug))).toEqual(
      new Set(['willowbrook-house']),
    );
  });

  it('refuses alike to act for an unrelated, a forged and a forbidden organisation', async () => {
    for (const [who, slug] of [
      ['parent', 'harbour-view'],
      ['parent', 'no-such-organisation'],
      ['sibling', 'willowbrook-house'],
      ['unrelatedAdmin', 'willowbrook'],
    ] as const) {
      expect((await as(who).json('GET', `/users?actingAs=${slug}`)).status).toBe(403);
    }
  });

  it('gives a certificate to its owner and to those who may, and to nobody else', async () => {
    const result = await server.database.db.one<{ id: string }>(sql`select id from results where user_id = ${amara} limit 1`);
    const path = `/results/${result?.id}/certificate`;
    for (const [who, status] of [
      ['own', 200],
      ['parent', 200],
      ['superAdmin', 200],
      ['unrelated', 404],
      ['sibling', 404],
    ] as const)
      expect([who, (await as(who).send('GET', path)).statusCode]).toEqual([who, status]);
    expect((await as('own').send('GET', path)).rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('ends all access of a person who is disabled', async () => {
    const client = server.client();
    await client.signIn('liam.murphy@willowbrook.test');
    await server.database.db.run(sql`update users set disabled_at = now() where email = 'liam.murphy@willowbrook.test'`);
    server.clock.now = new Date(Date.now() + 5000);
    expect((await client.json('GET', '/auth/user')).status).toBe(401);
  });

  it('answers GraphQL by the same rules', async () => {
    const ask = async (client: TestClient, query: string) =>
      (
        await client.json<{ data: Record<string, { data: { email: string }[] }>; errors?: { extensions: { code: string } }[] }>('POST', '/graphql', {
          query,
        })
      ).body;
    const anonymous = server.client();
    await anonymous.send('GET', '/sanctum/csrf-cookie');
    for (const field of [
      'eventCounts { current }',
      'activeEvents { data { id } }',
      'completedEvents { data { id } }',
      'courses { data { id } }',
      'users { data { uuid } }',
      'helpArticles { data { id } }',
      'entities { data { id } }',
      'roles { data { id } }',
      'types { data { id } }',
      'contents { data { id } }',
    ]) {
      expect((await ask(anonymous, `{ ${field} }`)).errors?.[0]?.extensions.code, field).toBe('unauthenticated');
    }
    expect((await ask(as('own'), '{ users { data { uuid } } }')).errors?.[0]?.extensions.code).toBe('forbidden');
    const seen = await ask(as('sibling'), '{ users(first: 100) { data { email } } }');
    expect(seen.data.users?.data.some((u) => u.email === 'learner@willowbrook.test')).toBe(false);
    const deep = await ask(
      as('own'),
      `{ ${'a: eventCounts { current } '.replace('a:', 'a0:')} ${Array.from({ length: 20 }, (_, i) => `a${i + 1}: eventCounts { current }`).join(' ')} }`,
    );
    expect(deep.errors?.[0]?.extensions.code).toBe('malformed');
  });
});
