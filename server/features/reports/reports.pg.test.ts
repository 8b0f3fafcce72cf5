import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result } from '#contract/entities/result.ts';
import { MatrixFilter } from '#contract/matrix/filter.ts';
import { scoreOf } from '#contract/matrix/scores.ts';
import { cellAt } from '#contract/matrix/sheet.ts';
import { permissionIdOf } from '#contract/permissions.ts';
import { certificateReport, type ReportedCertificate } from '#contract/reports/certificate.ts';
import { plainFilter, reportedTypes, starterFilters } from '#contract/reports/filter.ts';
import { type ReportedResult, resultsReport } from '#contract/reports/results.ts';
import { type RoleStanding, roleReport } from '#contract/reports/role.ts';
import { type StaffStanding, staffReport } from '#contract/reports/staff.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { matrixOf } from '#server/features/matrix/matrix.service.ts';
import { forgetOldAnswers } from '#server/jobs/retention.ts';
import { cellsOf } from '#server/reports/cells.ts';
import { createSessions } from '#server/security/sessions.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Page<Row> = { data: Row[]; meta: { total: number; last_page: number }; links: { next: string | null }; message?: string; errors?: object };
const [group, house, cook, care] = [demoId('entity:group'), demoId('entity:home'), demoId('role:group:cook'), demoId('role:group:care')];
const amara = demoId('user:learner@willowbrook.test');
const zone = 'Europe/London';

describe('the reports of results, job roles, staff and certificates', () => {
  let server: TestApp;
  let admin: TestClient;
  let rival: TestClient;
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    const { db } = server.database;
    // Access is tested by revoking it again.
    const slugs = [
      'report.matrix',
      'report.compliance',
      'report.results',
      'report.matrix_excel',
      'report.matrix_pdf',
      'certificate.user',
      'user.search',
    ] as const;
    for (const email of ['admin@willowbrook.test', 'admin@brightpath.test'])
      await db.run(
        sql`insert into user_permissions (user_id, permission_id) select ${demoId(`user:${email}`)}, unnest(${slugs.map(permissionIdOf)}::int[]) on conflict do nothing`,
      );
    [admin, rival] = [await as('admin@willowbrook.test'), await as('admin@brightpath.test')];
  });
  afterAll(() => server.close());

  const ask = <Row>(path: string, body: object = {}, query = '', by = admin) => by.json<Page<Row>>('POST', `/reports/${path}${query}`, body);
  const all = async <Row>(path: string, body: object = {}, query = ''): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let page = 1, last = 1; page <= last; page++) {
      const { body: answer } = await ask<Row>(path, body, `?per_page=100&page=${page}${query}`);
      rows.push(...answer.data);
      last = answer.meta.last_page;
    }
    return rows;
  };
  const staff = (filter: object = {}) => all<StaffStanding>('staff', { ...filter, type: 'json' });
  const results = (filter: object = {}, query = '') => all<ReportedResult>('results', { period: 'all_time', ...filter }, query);
  const actorOf = async (email: string) => {
    const config = readConfig({ DATA_DIR: server.folder });
    const actor = await createSessions(server.database.db, config, () => server.clock.now).actorOf(demoId(`user:${email}`), '', 'token');
    if (!actor) throw new Error('nobody');
    return { actor, services: { db: server.database.db, now: () => server.clock.now, config } };
  };

  it('are made by turns: those asked for at once are all answered, after refused ones too, and hold up nothing else', async () => {
    const ended: string[] = [];
    const asked = Array.from({ length: 9 }, async (_, n) => {
      // Every third is refused while it is read: it ends its turn as well.
      const { status } = await ask('staff', { type: 'json', ...(n % 3 === 0 ? { grade: 'much' } : {}) });
      ended.push(n % 3 === 0 ? 'refused' : 'report');
      return status;
    });
    await admin.json('GET', '/auth/user');
    ended.push('other');
    expect(await Promise.all(asked)).toEqual([422, 200, 200, 422, 200, 200, 422, 200, 200]);
    expect(ended.indexOf('other')).toBeLessThan(ended.length - 1);
  });

  it('count by job role and by person what the matrix shows for the same filter', { timeout: 60_000 }, async () => {
    const { actor, services } = await actorOf('admin@willowbrook.test');
    const { db } = server.database;
    // Some hold several job roles.
    await db.run(sql`insert into user_roles (user_id, role_id) select u.id, ${care} from users u where u.role_id = ${cook} on conflict do nothing`);
    const some = (ids: readonly string[]) => fc.subarray([...ids]);
    const filters = fc.record({
      ...{
        entities: some([group, house]),
        roles: some([cook, care]),
        users: fc.constantFrom([], [amara]),
        courses: some([demoId('course:Fire safety')]),
      },
      ...{ compliance_type: fc.constantFrom(...reportedTypes), new_starters_filter: fc.constantFrom(...starterFilters) },
    });
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const matrix = await matrixOf(services).openWith(actor, MatrixFilter.parse(filter));
        const { top } = await matrix.aggregates(() => undefined);
        const of = (rows: readonly { required: number; in_date: number }[]) => ({
          required: rows.reduce((sum, r) => sum + r.required, 0),
          in_date: rows.reduce((sum, r) => sum + r.in_date, 0),
        });
        const byRole = await all<RoleStanding>('role', filter);
        const byPerson = await staff(filter);
        const whole = { required: top.required, in_date: top.in_date };
        // Each person once: all job roles together, where there are several.
        const together = byRole.filter((r) => r.whole);
        expect([of(together.length > 0 ? together : byRole), of(byPerson)]).toEqual([whole, whole]);
        expect(byPerson.map((p) => p.id).sort()).toEqual(matrix.head.people.map((p) => p.id).sort());
        // People with several job roles count in each, as when the people of that job role are selected.
        const roles = new Map(byRole.flatMap((r) => (r.role ? [[r.role.id, r.role.name] as const] : [])));
        for (const role of [...roles.keys()].filter((id) => filter.roles.length === 0 || filter.roles.includes(id)).slice(0, 4))
          expect(of(byRole.filter((r) => r.role?.id === role))).toEqual(of(await staff({ ...filter, roles: [role] })));
        if (filter.roles.length > 0) for (const id of roles.keys()) expect(filter.roles).toContain(id);
        for (const row of [...byRole, ...byPerson]) {
          expect(row.required).toBe(row.in_date + row.overdue + row.missing);
          expect(row.score).toBe(scoreOf(row));
        }
        for (const row of byRole) expect(row.people).toBe(row.required + row.starters);
        const { body } = await admin.json<{ data: { people: number; courses: number } }>('POST', '/reports/selection', filter);
        expect(body.data).toMatchObject({ people: matrix.head.people.length, courses: matrix.head.columns.length });
      }),
      { numRuns: 8 },
    );
    const cooks = await staff({ roles: [cook], compliance_type: 'all' });
    const people = (rows: readonly RoleStanding[], role: string) => rows.filter((r) => r.role?.id === role).reduce((sum, r) => sum + r.people, 0);
    const both = await all<RoleStanding>('role', { roles: [cook, care], compliance_type: 'all' });
    const once = both.filter((r) => r.whole).reduce((sum, r) => sum + r.people, 0);
    expect(cooks.length).toBeGreaterThan(0);
    expect(people(both, cook) + people(both, care)).toBe(once + people(both, cook));
    expect((await all<RoleStanding>('role', { roles: [cook], compliance_type: 'all' })).some((r) => r.whole)).toBe(false);
    await db.run(sql`delete from user_roles where role_id = ${care} and user_id in (select id from users where role_id = ${cook})`);
  });

  it('list as certificates what records have, and as outstanding what the matrix shows as not done', async () => {
    const { actor, services } = await actorOf('admin@willowbrook.test');
    const rows = await all<ReportedCertificate>('certificate');
    const matrix = await matrixOf(services).openWith(actor, MatrixFilter.parse({ compliance_type: 'all' }));
    const sheet = await matrix.cells(0, matrix.head.people.length);
    const open = new Set(
      rows.filter((r) => ['includeAwaitingApproval', 'includeWorkingTowards'].includes(r.state)).map((r) => `${r.user.id} ${r.course.id}`),
    );
    const outstanding = matrix.head.people.flatMap((person, row) =>
      matrix.head.columns.flatMap((course, column) => {
        const cell = cellAt(sheet, row, column);
        const key = `${person.id} ${course.id}`;
        return ['missing', 'starter'].includes(cell.status) && !cell.done && cell.type !== 'none' && !open.has(key) ? [key] : [];
      }),
    );
    expect(
      rows
        .filter((r) => r.state === 'includeOutstanding')
        .map((r) => `${r.user.id} ${r.course.id}`)
        .sort(),
    ).toEqual(outstanding.sort());
    expect(outstanding.length).toBeGreaterThan(0);
    for (const person of [amara, demoId('user:grace.adeyemi@willowbrook.test')]) {
      const record = (await admin.json<{ data: Result[] }>('GET', `/users/${person}/training-records`)).body.data;
      const newest = new Map(
        record
          .filter((r) => r.certificate)
          .map((r) => [r.course_id, r])
          .reverse() as [string, Result][],
      );
      const approved = rows.filter((r) => r.user.id === person && r.state === 'includeApproved');
      expect(approved.map((r) => [r.course.id, r.certificate_number]).sort()).toEqual(
        [...newest].map(([id, r]) => [id, r.certificate_number]).sort(),
      );
    }
    const only = await all<ReportedCertificate>('certificate', {
      includeOutstanding: false,
      includeWorkingTowards: false,
      includeAwaitingApproval: false,
    });
    expect(only).toEqual(rows.filter((r) => r.state === 'includeApproved'));
    const fire = demoId('course:Fire safety');
    expect(await all<ReportedCertificate>('certificate', { certificates: [fire] })).toEqual(rows.filter((r) => r.course.id === fire));
  });

  it('list every result that records have, and those of a period, kind, score and status', async () => {
    const rows = await results();
    const people = (await staff({ compliance_type: 'all' })).map((p) => p.id);
    const records: Result[] = [];
    for (const id of people) records.push(...(await admin.json<{ data: Result[] }>('GET', `/users/${id}/training-records`)).body.data);
    const lines = records.filter((r) => r.status !== 'deleted');
    expect(rows.map((r) => r.id).sort()).toEqual(lines.map((r) => r.id).sort());
    const { now } = server.clock;
    const stateOf = (r: Result) =>
      r.status !== 'approved' ? r.status : !r.counts ? 'replaced' : r.expires_at && Date.parse(r.expires_at) <= now.getTime() ? 'expired' : 'in_date';
    expect(new Map(rows.map((r) => [r.id, r.state]))).toEqual(new Map(lines.map((r) => [r.id, stateOf(r)])));
    expect(rows.map((r) => r.completed_at)).toEqual(
      rows
        .map((r) => r.completed_at)
        .toSorted()
        .toReversed(),
    );
    const meant = async (filter: object, keep: (r: ReportedResult) => boolean) => {
      const found = (await results(filter)).map((r) => r.id);
      expect({ filter, found }).toEqual({ filter, found: rows.filter(keep).map((r) => r.id) });
      return found.length;
    };
    const today = dayIn(now, zone);
    const completed = (r: ReportedResult) => dayIn(r.completed_at, zone);
    await meant({ period: 'last_week' }, (r) => completed(r) > addDays(today, -7) && completed(r) <= today);
    const [from, to] = [addDays(today, -200), addDays(today, -100)];
    expect(await meant({ from_date: from, to_date: to }, (r) => completed(r) >= from && completed(r) <= to)).toBeGreaterThan(0);
    await meant({ from_date: today, date_by: 'expires' }, (r) => r.expires_at !== null && dayIn(r.expires_at, zone) >= today);
    expect(await meant({ grade: 80 }, (r) => (r.score ?? 0) >= 80)).toBeGreaterThan(0);
    await meant({ course_type: 'exempt' }, (r) => r.type === 'exempt');
    await meant({ assessment_filter: 'exclude_assessments' }, (r) => r.type !== 'assessment');
    expect(await meant({ includeStatusTypes: ['expired', 'pending'] }, (r) => r.state === 'expired' || r.state === 'pending')).toBeGreaterThan(0);
    const byHand = (await results({ admin_only_filter: 'admin_only_only' })).length;
    expect(byHand + (await results({ admin_only_filter: 'exclude_admin_only' })).length).toBe(rows.length);
    expect((await results({}, '&search=amara')).every((r) => r.user.name === 'Amara Okafor')).toBe(true);
  });

  it('are sorted by their columns, both ways round and over pages, and go on at the link', { timeout: 60_000 }, async () => {
    const bodies = { results: { period: 'all_time' }, role: {}, staff: { type: 'json' }, certificate: {} };
    for (const report of [resultsReport, roleReport, staffReport, certificateReport]) {
      const body = bodies[report.id];
      for (const { sort } of report.columns) {
        if (!sort) continue;
        const down = (await ask<{ id: string }>(report.id, body, `?per_page=5&sort=-${sort}`)).body;
        expect([sort, down.data.length]).toEqual([sort, 5]);
        expect(down.links.next).toContain(`/api${report.path}?page=2&per_page=5`);
      }
      expect((await ask(report.id, body, '?sort=password')).status).toBe(422);
    }
    const names = (await all<StaffStanding>('staff', { type: 'json' }, '&sort=-name')).map((r) => r.user.name);
    expect(names).toEqual(names.toSorted(new Intl.Collator('en-GB', { numeric: true }).compare).toReversed());
  });

  it('say the same in their files as on the page, with dates and numbers', async () => {
    const rows = await all<RoleStanding>('role', { compliance_type: 'all' });
    const heads = roleReport.columns.map((c) => c.head);
    const shown = rows.map((row) => cellsOf(roleReport.columns, row, zone).map((cell) => cell ?? ''));
    const file = async (path: string, body: object) => (await admin.send('POST', `/reports/${path}`, body)).rawPayload;
    expect(parse((await file('role/file', { compliance_type: 'all' })).toString(), { bom: true })).toEqual([
      heads,
      ...shown.map((r) => r.map(String)),
    ]);
    const [sheet, about] = await readSheets(await file('role/file?format=xlsx', { compliance_type: 'all', entities: [house] }));
    expect(sheet?.data[0]).toEqual(heads);
    expect(about?.data).toContainEqual(['Chosen', 'Organisations: Willowbrook House; Requirements: both']);
    // As the specification has it: the workbook by the call itself.
    const [people] = await readSheets(await file('staff', {}));
    expect(people?.data).toHaveLength((await staff()).length + 1);
    const workbook = await admin.send('POST', '/reports/results', { type: 'xlsx', users: [amara], period: 'all_time' });
    expect(workbook.headers['content-disposition']).toMatch(/filename="results .* \d\d-\d\d-\d{4}\.xlsx"/);
    const [own] = await readSheets(workbook.rawPayload);
    const completed = own?.data[1]?.[resultsReport.columns.findIndex((c) => c.head === 'Completed')];
    expect(completed).toBeInstanceOf(Date);
    expect(
      (await admin.send('POST', '/reports/results', { type: 'xlsx', users: [amara], from_date: '2001-01-01', to_date: '2001-01-02' })).statusCode,
    ).toBe(204);
    const pdf = await admin.send('POST', '/reports/certificate/file?format=pdf&search=amara', {});
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('refuse what is not there, a period that ends before it begins, and a kind of file that one may not take', async () => {
    const strange = demoId('entity:brightpath');
    for (const path of ['results', 'role', 'staff', 'certificate', 'staff/file', 'results/file?format=xlsx']) {
      const { status, body } = await ask(path, { entities: [strange] });
      expect([path, status, body.message]).toEqual([
        path,
        422,
        expect.stringContaining('Some of the chosen organisations do not exist any more, or you may not see them.'),
      ]);
    }
    const { status, body } = await ask('results', { from_date: '2026-02-01', to_date: '2026-01-01' });
    expect([status, body.errors]).toEqual([422, { to_date: ['The last day of the period must not be before the first.'] }]);
    expect((await ask('role', { organisation: house })).status).toBe(422);
    expect((await ask('role', {}, '?page=0')).status).toBe(422);
    const late = await ask('role', {}, '?page=9999');
    expect([late.status, late.body.data, late.body.meta.total > 0]).toEqual([200, [], true]);
    const { db } = server.database;
    const excel = ['report.matrix_excel', 'report.compliance_excel'].map((slug) => permissionIdOf(slug as 'report.matrix_excel'));
    await db.run(sql`delete from user_permissions where permission_id = any(${excel}::int[])`);
    await db.run(sql`delete from type_permissions where permission_id = any(${excel}::int[])`);
    await db.run(sql`delete from entity_permissions where permission_id = any(${excel}::int[])`);
    server.clock.now = new Date(server.clock.now.getTime() + 60_000);
    admin = await as('admin@willowbrook.test');
    for (const path of ['staff', 'staff/file?format=csv', 'role/file?format=xlsx']) expect([path, (await ask(path)).status]).toEqual([path, 403]);
    expect((await ask('role')).status).toBe(200);
  });

  it('are nothing to another organisation', async () => {
    const canaries = ['Amara Okafor', 'Willowbrook'];
    for (const path of ['results', 'role', 'staff', 'certificate', 'selection']) {
      const { status, body } = await ask(
        path,
        path === 'staff' || path === 'results' ? { type: 'json', ...(path === 'results' && { period: 'all_time' }) } : {},
        '',
        rival,
      );
      expect([path, status]).toEqual([path, 200]);
      for (const canary of canaries) expect(JSON.stringify(body)).not.toContain(canary);
      expect((await ask(path, { users: [amara], ...(path === 'staff' && { type: 'json' }) }, '', rival)).status).toBe(
        path === 'selection' ? 200 : 422,
      );
    }
  });

  it('come by the general call under the name of the report, with its permissions', async () => {
    const general = (body: object, by = admin) => by.json<Page<{ id: string }>>('POST', '/report?per_page=5', body);
    for (const [report_type, path, more] of [
      ['certificate', 'certificate', {}],
      ['matrix', 'staff', { type: 'json' }],
      ['role', 'role', {}],
      ['results', 'results', {}],
    ] as const) {
      const { body } = await general({ report_type });
      expect([report_type, body.data]).toEqual([report_type, (await ask(path, more, '?per_page=5')).body.data]);
      if (body.links.next) expect(body.links.next).toBe('/api/report?page=2&per_page=5');
    }
    expect((await general({ report_type: 'compliance' })).status).toBe(422);
    const { db } = server.database;
    for (const table of ['user_permissions', 'type_permissions', 'entity_permissions'] as const)
      await db.run(sql`delete from ${{ text: table, values: [] }} where permission_id = ${permissionIdOf('report.results')}`);
    server.clock.now = new Date(server.clock.now.getTime() + 60_000);
    expect((await general({ report_type: 'results' }, await as('admin@willowbrook.test'))).status).toBe(403);
  });

  it('know who has never signed in, however long ago it was', async () => {
    const { db } = server.database;
    const long = new Date(server.clock.now.getTime() - 500 * 86_400_000);
    const [old, never] = [demoId('user:grace.adeyemi@willowbrook.test'), demoId('user:liam.murphy@willowbrook.test')];
    await db.run(sql`delete from auth_events where user_id in (${old}, ${never})`);
    await db.run(
      sql`insert into auth_events (user_id, at, kind, way, address) values (${old}, ${long}, 'signed_in', 'password', ''), (${never}, ${long}, 'refused', 'password', '')`,
    );
    await forgetOldAnswers(db, server.clock.now);
    const unsigned = (await staff({ never_logged_in_only: true })).map((p) => p.id);
    expect([unsigned.includes(never), unsigned.includes(old)]).toEqual([true, false]);
    expect((await staff({ users: [old] }))[0]?.last_signed_in_at).toBe(long.toISOString());
    expect(plainFilter.never_logged_in_only).toBe(false);
  });
});
