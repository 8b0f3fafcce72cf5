import { beforeAll, describe, expect, it } from 'vitest';
import type { CertificateRow } from '#contract/entities/care-certificate.ts';
import type { HistoricalCertificate } from '#contract/entities/historical-certificate.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('care certificates from elsewhere, and the report of all', () => {
  let server: TestApp;
  let manager: TestClient;
  let outsider: TestClient;
  const allow = (account: string, ...ids: number[]) =>
    server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select ${demoId(`user:${account}`)}, unnest(${ids}::int[]) on conflict do nothing`,
    );
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    await allow('manager@willowbrook.test', 87, 92);
    await allow('admin@brightpath.test', 87, 92);
    [manager, outsider] = await Promise.all([as('manager@willowbrook.test'), as('admin@brightpath.test')]);
  });

  const all = { includeApproved: true, includeAwaitingApproval: true, includeOutstanding: true, includeWorkingTowards: true };
  const none = { includeApproved: false, includeAwaitingApproval: false, includeOutstanding: false, includeWorkingTowards: false };
  type Report = { data: CertificateRow[]; meta: { total: number }; links: { next: string | null } };
  const names = async (filter: object, query = '', who = manager) =>
    (await who.json<Report>('POST', `/reports/care-certificate${query}`, filter)).body.data.map((r) => r.user.name);

  it('reports who is approved, waits, works towards it and has nothing yet, as it is asked', async () => {
    await manager.json('POST', '/care-certificates', { user_id: demoId('user:grace.adeyemi@willowbrook.test') });
    expect(await names(all)).toEqual(['Daniel Osei', 'Grace Adeyemi', 'Megan Davies', 'Rhys Evans', 'Sophie Turner']);
    expect(await names({ ...none, includeApproved: true })).toEqual(['Sophie Turner']);
    expect(await names({ ...none, includeAwaitingApproval: true })).toEqual(['Rhys Evans']);
    expect(await names({ ...none, includeOutstanding: true })).toEqual(['Grace Adeyemi']);
    expect(await names({ ...none, includeWorkingTowards: true })).toEqual(['Daniel Osei', 'Megan Davies']);
    expect(await names(none)).toEqual([]);
    const page = (await manager.json<Report>('POST', '/reports/care-certificate?page=2&per_page=2', all)).body;
    expect([page.data.map((r) => r.user.name), page.meta.total, page.links.next]).toEqual([
      ['Megan Davies', 'Rhys Evans'],
      5,
      '/api/reports/care-certificate?page=3&per_page=2',
    ]);
    expect(await names(all, '?search=sophie')).toEqual(['Sophie Turner']);
    expect(await names(all, '', outsider)).toEqual([]);
    expect((await manager.send('POST', '/reports/care-certificate', { includeApproved: true })).statusCode).toBe(422);
  });

  it('is a table for spreadsheets, too', async () => {
    const file = await manager.send('POST', '/reports/care-certificate/file', { ...none, includeApproved: true, includeAwaitingApproval: true });
    expect(file.headers['content-type']).toMatch('text/csv');
    const lines = file.body.split('\r\n').slice(0, -1);
    expect(lines[0]).toBe('\uFEFF"Name","Job role","Service","Assigned","Standards met","of","Criteria met","of","Last observed","State","Approved"');
    expect(lines.slice(1).map((l) => l.split(',').filter((_, i) => [0, 4, 9].includes(i)))).toEqual([
      ['"Rhys Evans"', '16', '"Waits for approval"'],
      ['"Sophie Turner"', '16', '"Approved"'],
    ]);
  });

  it('keeps what somebody brought with them: one for each person, of no day to come, nobody else’s', async () => {
    const person = demoId('user:liam.murphy@willowbrook.test');
    const fields = { achieved_on: '2024-05-01', issuer: 'Oak Lodge', note: 'Saw the original.' };
    type One = { data: HistoricalCertificate; errors?: Record<string, string[]> };
    const add = (who: TestClient, more: object = {}) =>
      who.json<One>('POST', '/historical-care-certificates', { ...fields, user_id: person, ...more });
    expect((await add(outsider)).status).toBe(404);
    expect((await add(manager, { achieved_on: '2999-01-01' })).body.errors).toEqual({ achieved_on: ['Give a day that is not in the future.'] });
    const made = await add(manager);
    expect([made.status, made.body.data]).toMatchObject([201, { ...fields, user: { name: 'Liam Murphy' }, added_by: { name: 'Helen Marsh' } }]);
    expect((await add(manager)).body.errors).toEqual({ user_id: ['Liam Murphy has one already: change that one.'] });
    const path = `/historical-care-certificates/${made.body.data.id}`;
    expect((await manager.json<One>('PATCH', path, { ...fields, issuer: 'Oak Lodge, Mrs Bell' })).body.data.issuer).toBe('Oak Lodge, Mrs Bell');
    const list = async (who: TestClient) =>
      (await who.json<{ data: HistoricalCertificate[] }>('GET', '/historical-care-certificates?search=liam')).body.data;
    expect((await list(manager)).map((h) => h.user.name)).toEqual(['Liam Murphy']);
    expect(await list(outsider)).toEqual([]);
    for (const method of ['GET', 'PATCH', 'DELETE'])
      expect((await outsider.send(method, path, method === 'PATCH' ? fields : undefined)).statusCode).toBe(404);
    expect((await manager.send('DELETE', path)).statusCode).toBe(204);
    expect(await list(manager)).toEqual([]);
    const log = await server.database.db.all<{ action: string }>(
      sql`select action from audit_log where subject_id = ${made.body.data.id} order by at, case action when 'created' then 0 when 'updated' then 1 else 2 end`,
    );
    expect(log.map((l) => l.action)).toEqual(['created', 'updated', 'deleted']);
  });
});
