import { parse } from 'csv-parse/sync';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CertificateRow } from '#contract/entities/care-certificate.ts';
import type { HistoricalCertificate } from '#contract/entities/historical-certificate.ts';
import { careCertificateReport } from '#contract/reports/care-certificate.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { cellsOf } from '#server/reports/cells.ts';
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
  afterAll(() => server.close());

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
    // Absent fields have the specification's default: included.
    expect(await names({ includeApproved: false })).toEqual(['Daniel Osei', 'Grace Adeyemi', 'Megan Davies', 'Rhys Evans']);
    expect((await manager.send('POST', '/reports/care-certificate', { includeApproved: 1 })).statusCode).toBe(422);
  });

  it('is a table for spreadsheets, too', async () => {
    const file = await manager.send('POST', '/reports/care-certificate/file', { ...none, includeApproved: true, includeAwaitingApproval: true });
    expect(file.headers['content-type']).toMatch('text/csv');
    const lines = file.body.split('\r\n').slice(0, -1);
    expect(lines[0]).toBe(
      '\uFEFF"Name","Job role","Service","Assigned","Standards met","Standards in all","Criteria met","Criteria in all","Last observed","State","Approved"',
    );
    expect(lines.slice(1).map((l) => l.split(',').filter((_, i) => [0, 4, 9].includes(i)))).toEqual([
      ['"Rhys Evans"', '16', '"Awaiting approval"'],
      ['"Sophie Turner"', '16', '"Approved"'],
    ]);
  });

  const fileOf = (who: TestClient, query: string, filter: object = all) => who.send('POST', `/reports/care-certificate/file${query}`, filter);
  const bytesOf = async (who: TestClient, query: string) => (await fileOf(who, query)).rawPayload;

  it('says the same on the page and in each file', async () => {
    const { data } = (await manager.json<Report>('POST', '/reports/care-certificate?per_page=100', all)).body;
    const heads = careCertificateReport.columns.map((c) => c.head);
    const page = data.map((row) => cellsOf(careCertificateReport.columns, row, 'Europe/London').map((cell) => cell ?? ''));
    const csv = parse((await bytesOf(manager, '')).toString(), { bom: true }) as string[][];
    expect(csv).toEqual([heads, ...page.map((cells) => cells.map(String))]);
    const [sheet] = await readSheets(await bytesOf(manager, '?format=xlsx'));
    const shown = (cell: unknown) => (cell === null ? '' : cell instanceof Date ? cell.toISOString().slice(0, 10) : cell);
    expect(sheet?.data.map((cells) => cells.map(shown))).toEqual([heads, ...page]);
    const pdf = await fileOf(manager, '?format=pdf&search=sophie');
    expect([pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual(['application/pdf', '%PDF-']);
    expect(pdf.headers['content-disposition']).toContain('filename="care certificates Helen Marsh ');
    expect(parse((await bytesOf(manager, '?search=sophie')).toString(), { bom: true })).toHaveLength(2);
  });

  it('answers 204 where there is nothing, 403 without the permission, 422 where the kind of file is unknown', async () => {
    expect((await fileOf(manager, '', none)).statusCode).toBe(204);
    expect((await fileOf(outsider, '?format=xlsx')).statusCode).toBe(204);
    const learner = await as('learner@willowbrook.test');
    expect((await fileOf(learner, '')).statusCode).toBe(403);
    expect((await learner.send('POST', '/reports/care-certificate', all)).statusCode).toBe(403);
    expect((await fileOf(manager, '?format=exe')).statusCode).toBe(422);
  });

  describe('with many people', () => {
    const many = 2_100;
    type Progress = { data: { progress: number; rows: number; total: number } };
    beforeAll(async () => {
      const { db } = server.database;
      await db.run(sql`insert into users (id, name, email, primary_entity_id)
        select md5('many' || n)::uuid, 'Many ' || lpad(n::text, 5, '0'), 'many' || n || '@willowbrook.test', ${demoId('entity:home')} from generate_series(1, ${many}::int) n`);
      await db.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at, rev, standards_id)
        select md5('certificate' || n)::uuid, md5('many' || n)::uuid, ${demoId('user:manager@willowbrook.test')}, now(), 0, (select standards_id from care_certificates limit 1) from generate_series(1, ${many}::int) n`);
    });
    const files = () =>
      server.database.db.all<{ user_id: string; ready_at: string | null }>(sql`select user_id, ready_at from report_files order by begun_at`);
    const finished = (count: number) => vi.waitFor(async () => expect((await files()).filter((f) => f.ready_at)).toHaveLength(count), 60_000);
    /** The runner finds it like one left by another server. */
    const again = (id: string) => server.database.db.run(sql`update jobs set state = 'waiting', tries = 0, ended_at = null where key = ${id}`);
    const search = '?search=many';

    it('is made beside the request: asked again with the same it is the same file, and nobody else’s', { timeout: 120_000 }, async () => {
      const admin = await as('admin@willowbrook.test');
      const begun = await fileOf(manager, search);
      expect([begun.statusCode, begun.json<Progress>()]).toEqual([202, { data: { progress: 0, rows: 0, total: many } }]);
      expect((await fileOf(manager, search)).statusCode).toBe(202);
      expect(await files()).toHaveLength(1);
      await finished(1);
      const file = await fileOf(manager, search);
      expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
      const lines = parse(file.rawPayload.toString(), { bom: true }) as string[][];
      expect(lines.slice(1).map((l) => l[0])).toEqual(Array.from({ length: many }, (_, n) => `Many ${String(n + 1).padStart(5, '0')}`));
      // The same request by somebody else has a file of its own; another request, too.
      expect((await fileOf(admin, search)).statusCode).toBe(202);
      expect((await fileOf(manager, `${search}&format=xlsx`)).statusCode).toBe(202);
      await finished(3);
      expect(new Set((await files()).map((j) => j.user_id)).size).toBe(2);
      const [sheet] = await readSheets((await fileOf(manager, `${search}&format=xlsx`)).rawPayload);
      expect(sheet?.data).toHaveLength(many + 1);
      // An expired file is made again.
      server.clock.now = new Date(server.clock.now.getTime() + 16 * 60_000);
      manager = await as('manager@willowbrook.test');
      expect((await fileOf(manager, search)).statusCode).toBe(202);
      await finished(1);
    });

    it('is begun again where a server was stopped in the middle, and says once that it failed or was stopped', async () => {
      const { db } = server.database;
      const { id } = (await db.one<{ id: string }>(sql`select id from report_files`)) as { id: string };
      // The beginning of a file, left by another server.
      await db.run(sql`update report_files set ready_at = null`);
      await again(id);
      await finished(1);
      const lines = parse((await fileOf(manager, search)).rawPayload.toString(), { bom: true }) as string[][];
      expect(lines).toHaveLength(many + 1);
      for (const [state, message] of [
        ['failed', 'Failed to fetch report. Please contact support'],
        ['stopped', 'This file was stopped before it was finished.'],
      ] as const) {
        await db.run(sql`update report_files set ready_at = null`);
        await db.run(sql`update jobs set state = ${state} where kind = 'report' and state = 'done'`);
        const failed = await fileOf(manager, search);
        expect([failed.statusCode, failed.json<{ message: string }>().message]).toEqual([500, message]);
        expect((await fileOf(manager, search)).statusCode).toBe(202);
        await finished(1);
      }
    });

    it('is not made for somebody who may not see it any more', async () => {
      const { db } = server.database;
      await db.run(sql`update report_files set ready_at = null`);
      const { id } = (await db.one<{ id: string }>(sql`select id from report_files`)) as { id: string };
      await db.run(sql`delete from report_pieces`);
      await db.run(sql`delete from user_permissions where permission_id = 87 and user_id = ${demoId('user:manager@willowbrook.test')}`);
      await db.run(sql`delete from type_permissions where permission_id = 87`);
      await again(id);
      await vi.waitFor(async () => expect(await db.one(sql`select state from jobs where key = ${id}`)).toEqual({ state: 'stopped' }), 60_000);
      expect(await db.all(sql`select no from report_pieces`)).toEqual([]);
      await db.run(sql`insert into type_permissions (type_id, permission_id) select id, 87 from types`);
    });

    it('says where it is too large for a document', async () => {
      await server.database.db.run(sql`insert into users (id, name, email, primary_entity_id)
        select md5('more' || n)::uuid, 'Many more ' || n, 'more' || n || '@willowbrook.test', ${demoId('entity:home')} from generate_series(1, 3000) n`);
      await server.database.db.run(sql`insert into care_certificates (id, user_id, assigned_by, assigned_at, rev, standards_id)
        select md5('certificate of more' || n)::uuid, md5('more' || n)::uuid, ${demoId('user:manager@willowbrook.test')}, now(), 0, (select standards_id from care_certificates limit 1) from generate_series(1, 3000) n`);
      const answer = await fileOf(manager, '?format=pdf&search=many');
      expect([answer.statusCode, answer.json()]).toMatchObject([300, { code: 'report_too_large', rows: 5100, most: 5000 }]);
    });
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
    expect((await add(manager)).body.errors).toEqual({ user_id: ['This person has one already: change that one.'] });
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
