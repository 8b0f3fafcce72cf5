import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Job, jobKinds } from '#contract/entities/job.ts';
import { permissions } from '#contract/permissions.ts';
import { protocol } from '#contract/protocol.ts';
import { reports } from '#contract/reports/reports.ts';
import { needOf } from '#contract/site-map.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('tasks in progress', () => {
  let server: TestApp;
  let url: string;
  const people: Record<string, TestClient> = {};
  const ids = { own: randomUUID(), theirs: randomUUID(), servers: randomUUID() };
  const manager = demoId('user:manager@willowbrook.test');
  beforeAll(async () => {
    server = await startTestApp();
    url = await server.app.listen({ host: '127.0.0.1', port: 0 });
    const { db } = server.database;
    await db.run(sql`insert into jobs (id, kind, key, subject, entity_id, owner_id, state, done, total, problem, next_at, asked_at, changed_at, ended_at) values
      (${ids.own}, 'import', ${randomUUID()}, 'staff.csv', ${demoId('entity:home')}, ${manager}, 'stopped', 340, 1200, null, now(), now(), now(), now()),
      (${ids.theirs}, 'import', ${randomUUID()}, 'other.csv', (select id from entities where slug = 'brightpath'), null, 'failed', 0, null, 'The disk is full.', now(), now(), now(), now()),
      (${ids.servers}, 'retention', 'one', '', null, null, 'done', 0, null, null, now(), now(), now(), now())`);
    for (const who of ['super@lantern', 'admin@willowbrook', 'manager@willowbrook', 'learner@willowbrook', 'admin@brightpath']) {
      const client = server.client();
      await client.signIn(`${who}.test`);
      people[who] = client;
    }
  });
  afterAll(() => server.close());
  const as = (who: string) => people[who] as TestClient;
  const listed = async (who: string) => (await as(who).json<{ data: Job[] }>('GET', '/jobs')).body.data;

  it('are seen by their owner, by those who may for their organisations, and all by a super administrator', async () => {
    const seen = async (who: string) => (await listed(who)).map((j) => j.id).filter((id) => Object.values<string>(ids).includes(id));
    expect((await seen('super@lantern')).sort()).toEqual(Object.values(ids).sort());
    expect(await seen('admin@willowbrook')).toEqual([ids.own]);
    expect(await seen('manager@willowbrook')).toEqual([ids.own]);
    expect(await seen('learner@willowbrook')).toEqual([]);
    expect(await seen('admin@brightpath')).toEqual([ids.theirs]);
    expect((await listed('admin@willowbrook')).find((j) => j.id === ids.own)).toMatchObject({
      ...{ title: 'Import of staff.csv', state: 'stopped', done: 340, total: 1200, unit: 'rows', can_retry: true, can_cancel: false },
      started_by: { id: manager },
    });
  });

  it('are on a page that opens for everybody who sees some of them, or has a report e-mailed', async () => {
    const kinds = jobKinds.map((kind) => [kind, randomUUID()] as const);
    for (const [kind, id] of kinds)
      await server.database.db.run(sql`insert into jobs (id, kind, key, subject, entity_id, owner_id, state, done, next_at, asked_at, changed_at, ended_at)
        values (${id}, ${kind}, ${randomUUID()}, '', ${demoId('entity:home')}, null, 'done', 0, now(), now(), now(), now())`);
    const opens = new Set<string>(needOf('tasks-in-progress'));
    const user = demoId('user:learner@willowbrook.test');
    // Permissions of a session are cached for a moment: each check uses a new one.
    const seen = async () => {
      const learner = server.client();
      await learner.signIn('learner@willowbrook.test');
      return (await learner.json<{ data: Job[] }>('GET', '/jobs')).body.data.filter((j) => kinds.some(([, id]) => id === j.id));
    };
    expect(await seen()).toEqual([]);
    const grant = async (of: readonly (typeof permissions)[number][]) => {
      for (const { id } of of)
        await server.database.db.run(sql`insert into user_permissions (user_id, permission_id) values (${user}, ${id}) on conflict do nothing`);
    };
    await grant(permissions.filter(({ slug }) => !opens.has(slug)));
    expect(await seen(), 'with every permission that does not open the page').toEqual([]);
    await grant(permissions.filter(({ slug }) => opens.has(slug)));
    expect(new Set((await seen()).map((j) => j.kind))).toEqual(new Set(['delivery', 'import', 'inspection', 'redate', 'welcomes']));
    for (const report of reports) for (const slug of report.access) expect(opens, `${report.id} can be e-mailed`).toContain(slug);
  });

  it('can be cancelled and tried again by them alone', async () => {
    for (const what of ['cancel', 'retry'])
      for (const [who, id] of [
        ['learner@willowbrook', ids.own],
        ['admin@brightpath', ids.own],
        ['admin@willowbrook', ids.servers],
      ] as const)
        expect([(await as(who).json('POST', `/jobs/${id}/${what}`)).status, what, who]).toEqual([404, what, who]);
    // The server's own jobs cannot be cancelled, nor can ended ones.
    expect((await as('super@lantern').json('POST', `/jobs/${ids.servers}/cancel`)).status).toBe(403);
    expect((await as('admin@brightpath').json<{ data: Job }>('POST', `/jobs/${ids.theirs}/cancel`)).body.data.state).toBe('failed');
  });

  it('that are imports stop when they are cancelled, and go on when they are tried again', async () => {
    const { db } = server.database;
    const admin = as('admin@willowbrook');
    const table = ['email,name', ...Array.from({ length: 30 }, (_, i) => `again${i}@example.org,Again ${i}`)].join('\n');
    const { body } = await admin.json<{ data: { id: string } }>(
      ...(['POST', '/importer/imports?kind=people&organisation=willowbrook-house&file_name=again.csv', table] as const),
      { 'content-type': 'application/octet-stream' },
    );
    const job = randomUUID();
    await db.run(sql`update imports set state = 'running' where id = ${body.data.id}`);
    // It is not due yet, so that nobody starts it before it is cancelled.
    const later = new Date(Date.now() + 3_600_000);
    await db.run(sql`insert into jobs (id, kind, key, subject, entity_id, owner_id, state, next_at, asked_at, changed_at)
      values (${job}, 'import', ${body.data.id}, 'again.csv', ${demoId('entity:home')}, ${manager}, 'waiting', ${later}, now(), now())`);
    expect((await admin.json<{ data: Job }>('POST', `/jobs/${job}/cancel`)).body.data).toMatchObject({ state: 'stopped', can_retry: true });
    expect(await db.one(sql`select state from imports where id = ${body.data.id}`)).toEqual({ state: 'stopped' });
    const again = await admin.json<{ data: Job }>('POST', `/jobs/${job}/retry`);
    expect([again.status, again.body.data.started_by?.id]).toEqual([200, demoId('user:admin@willowbrook.test')]);
    await expect.poll(async () => (await listed('admin@willowbrook')).find((j) => j.id === job)?.state, { timeout: 45_000 }).toBe('done');
    expect(await db.one(sql`select count(*)::int as n from users where email like 'again%@example.org'`)).toEqual({ n: 30 });
  });

  it('are streamed, until the session ends', async () => {
    const { db } = server.database;
    const client = server.client();
    await client.signIn('admin@willowbrook.test');
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${url}/api/jobs/events`, { headers: { cookie, 'accept-encoding': 'br, gzip' } });
    expect([response.status, response.headers.get('content-type'), response.headers.get('content-encoding')]).toEqual([
      ...[200, 'text/event-stream; charset=utf-8', null],
    ]);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    let ended = false;
    const reading = (async () => {
      for (;;) {
        const { value, done } = await reader.read();
        text += new TextDecoder().decode(value);
        if (done) break;
      }
      ended = true;
    })();
    await expect.poll(() => text, { timeout: 45_000 }).toContain('"Import of staff.csv"');
    expect(text).toMatch(/^event: jobs\ndata: \[/);
    expect(text).not.toContain('other.csv');
    await db.run(sql`update jobs set subject = 'live.csv' where id = ${ids.own}`);
    await expect.poll(() => text, { timeout: 45_000 }).toContain('"Import of live.csv"');
    await client.send('POST', '/logout');
    await expect.poll(() => ended, { timeout: 45_000 }).toBe(true);
    await reading;
    expect(text).toMatch(/event: end\ndata: null\n\n$/);
    expect((await fetch(`${url}/api/jobs/events`, { headers: { cookie } })).status).toBe(401);
  });

  it('cannot be followed for an organisation that one may not act for', async () => {
    const elsewhere = (await server.database.db.one<{ id: string }>(sql`select id from entities where slug = 'brightpath'`))?.id as string;
    const { status } = await as('manager@willowbrook').json('GET', '/jobs/events', undefined, { [protocol.actingAsHeader]: elsewhere });
    expect(status).toBe(403);
  });
});
