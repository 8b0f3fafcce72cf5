import { parse } from 'csv-parse/sync';
import readSheets from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type MatrixLine, MatrixPart } from '#contract/reports/matrix.ts';
import { type ComplianceStatus, complianceStatuses } from '#contract/rules/compliance-status.ts';
import { statusWords } from '#contract/matrix/words.ts';
import { permissionIdOf } from '#contract/permissions.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('the training matrix as a report', () => {
  let server: TestApp;
  let admin: TestClient;
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  beforeAll(async () => {
    server = await startTestApp();
    admin = await as('admin@willowbrook.test');
  });
  afterAll(() => server.close());

  type Page = { data: MatrixLine[]; meta: MatrixPart & { total: number; courses: { id: string; title: string }[] }; links: { next: string | null } };
  const all = { compliance_type: 'all' };

  it('answers people with the specification’s cells, a page at a time, and every file says the same', async () => {
    const lines: MatrixLine[] = [];
    let courses: Page['meta']['courses'] = [];
    const parts: MatrixPart[] = [];
    for (let next: string | null = '/reports/matrix?per_page=20'; next; ) {
      const { status, body }: { status: number; body: Page } = await admin.json<Page>('POST', next, all);
      expect(status).toBe(200);
      lines.push(...body.data);
      courses = body.meta.courses;
      expect(MatrixPart.safeParse(body.meta).error).toBeUndefined();
      parts.push(body.meta);
      next = body.links.next?.replace('/api', '') ?? null;
      expect(body.meta.total).toBeGreaterThanOrEqual(lines.length);
    }
    expect(lines.length).toBeGreaterThan(20);
    for (const line of lines) expect(line.cells.map((c) => [c.course_id, c.user_id])).toEqual(courses.map((c) => [c.id, line.id]));

    // What the result says beside its cells is about the same people, courses and results.
    expect(parts.flatMap((p) => p.users.map((u) => u.id))).toEqual(lines.map((l) => l.id));
    const named = new Set(lines.flatMap((l) => l.cells.flatMap((c) => c.latest_result_id ?? [])));
    expect(new Set(parts.flatMap((p) => p.results.map((r) => r.id)))).toEqual(named);
    for (const [i, course] of courses.entries()) {
      const counted = (status: string) => lines.filter((l) => l.cells[i]?.status === status).length;
      const reported = (status: ComplianceStatus) =>
        parts.reduce((n, p) => n + (p.breakdown.find((b) => b.course_id === course.id)?.[status] ?? 0), 0);
      for (const status of complianceStatuses) expect([course.title, status, reported(status)]).toEqual([course.title, status, counted(status)]);
    }
    for (const [i, score] of parts.flatMap((p) => p.primary_scores).entries()) {
      const due = lines[i]?.cells.filter((c) => c.type === 1 && c.status !== 'starter' && c.status !== 'lapsed') ?? [];
      expect([score.user_id, score.required, score.in_date]).toEqual([lines[i]?.id, due.length, due.filter((c) => c.in_date_passed === 1).length]);
    }
    const roles = new Set(lines.flatMap((l) => l.cells[0]?.role_id ?? []));
    const allocations = parts[0]?.pathway_allocations ?? [];
    expect(allocations.map((a) => a.pathway_name)).toContain('The first twelve weeks');
    expect(allocations.every((a) => a.role_id !== null && roles.has(a.role_id))).toBe(true);

    const said = (cell: MatrixLine['cells'][number]): string | null => {
      if (cell.status === 'not_required') return null;
      return cell.exempt && cell.status === 'in_date' ? 'Exempt' : statusWords[cell.status];
    };
    const csv = await admin.send('POST', '/reports/matrix', { ...all, directFormat: 'csv' });
    expect(csv.headers['content-disposition']).toMatch(/training matrix .+ \d\d-\d\d-\d{4}\.csv/);
    const rows = parse(csv.rawPayload.toString(), { bom: true }) as string[][];
    expect(rows[0]?.slice(4)).toEqual(courses.map((c) => c.title));
    lines.forEach((line, i) => {
      const row = rows[i + 1] as string[];
      expect([row[0], row[3]]).toEqual([line.name, line.score === null ? '' : String(line.score)]);
      line.cells.forEach((cell, column) => {
        const text = row[column + 4] as string;
        const words = said(cell);
        if (words === null) expect(text).toBe('');
        else expect(text.startsWith(words) || text.startsWith('Exempt')).toBe(true);
        expect(/\d{4}-\d\d-\d\d$/.exec(text)?.[0] ?? null).toBe(words === null ? null : cell.latest_result_expires);
      });
    });
    const [matrix, people, each, about] = await readSheets(
      (await admin.send('POST', '/reports/matrix', { ...all, directFormat: 'xlsx' })).rawPayload,
    );
    const plain = (cell: unknown) => (cell instanceof Date ? cell.toISOString().slice(0, 10) : cell);
    expect(matrix?.data.slice(1).map((r) => r.slice(4).map(plain))).toEqual(
      rows.slice(1).map((r) => r.slice(4).map((text) => (text === '' ? null : (/\d{4}-\d\d-\d\d$/.exec(text)?.[0] ?? text)))),
    );
    expect(people?.data.slice(1).map((r) => [r[0], r[3], r[4]])).toEqual(lines.map((l) => [l.name, l.required, l.in_date]));
    expect(each?.data.slice(1).map((r) => r[0])).toEqual(courses.map((c) => c.title));
    expect(about?.data).toContainEqual(['Chosen', 'All requirements; Everybody']);
    const pdf = await readPdf((await admin.send('POST', '/reports/matrix', { ...all, directFormat: 'pdf' })).rawPayload);
    // A long name is cut.
    for (const { name } of lines)
      expect(pdf.pieces.some((p) => p.text === name || (p.text.endsWith('…') && name.startsWith(p.text.slice(0, -1))))).toBe(true);
  });

  it('is for those who may: 403 for a kind of file without its permission, 204 where nobody is, nothing of other organisations, 422 for what is no filter', async () => {
    const outsider = await as('admin@brightpath.test');
    const person = demoId('user:learner@willowbrook.test');
    expect((await outsider.json<Page>('POST', '/reports/matrix', { users: [person] })).body.data).toEqual([]);
    const empty = await outsider.send('POST', '/reports/matrix/file?format=xlsx', { users: [person] });
    expect([empty.statusCode, empty.rawPayload.length]).toEqual([204, 0]);
    const learner = await as('learner@willowbrook.test');
    expect((await learner.send('POST', '/reports/matrix', {})).statusCode).toBe(403);
    const { db } = server.database;
    await db.run(sql`delete from type_permissions where permission_id = ${permissionIdOf('report.matrix_pdf')}`);
    await db.run(sql`delete from user_permissions where permission_id = ${permissionIdOf('report.matrix_pdf')}`);
    const again = await as('admin@willowbrook.test');
    expect((await again.send('POST', '/reports/matrix', { directFormat: 'pdf' })).statusCode).toBe(403);
    expect((await again.send('POST', '/reports/matrix/file?format=pdf', {})).statusCode).toBe(403);
    expect((await again.send('POST', '/reports/matrix', { directFormat: 'csv' })).statusCode).toBe(200);
    expect((await again.send('POST', '/reports/matrix', { directFormat: 'exe' })).statusCode).toBe(422);
    expect((await again.send('POST', '/reports/matrix', { users: ['nobody'] })).statusCode).toBe(422);
  });

  it('is made beside the request where it is large', { timeout: 60_000 }, async () => {
    const { db } = server.database;
    await db.run(sql`insert into users (id, name, email, primary_entity_id, role_id)
      select gen_random_uuid(), '=Many ' || n, 'many' || n || '@willowbrook.test', u.primary_entity_id, u.role_id
      from users u cross join generate_series(1, 2500) n where u.id = ${demoId('user:learner@willowbrook.test')}`);
    const ask = () => admin.send('POST', '/reports/matrix/file?format=xlsx&search=many', all);
    expect((await ask()).statusCode).toBe(202);
    await vi.waitFor(async () => expect((await ask()).statusCode).toBe(200), 50_000);
    const [matrix, , , about] = await readSheets((await ask()).rawPayload);
    expect(matrix?.data).toHaveLength(2501);
    expect(matrix?.data[1]?.[0]).toBe('=Many 1');
    expect(about?.data).toContainEqual(['Rows', '2500']);
  });
});
