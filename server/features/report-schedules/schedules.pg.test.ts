import { randomUUID } from 'node:crypto';
import readSheets from 'read-excel-file/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Delivery, Schedule } from '#contract/api/report-schedules.ts';
import type { Job as SeenJob } from '#contract/entities/job.ts';
import { permissionIdOf, type PermissionSlug } from '#contract/permissions.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { createRecentTotals } from '#server/db/recent-totals.ts';
import { sql } from '#server/db/sql.ts';
import { jobRegistry, reportSources } from '#server/features.ts';
import { brandOf, brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { createFileStore } from '#server/files/file-store.ts';
import type { Job } from '#server/jobs/job.ts';
import { createJobs, type Jobs } from '#server/jobs/runner.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { createReports } from '#server/reports/reports.ts';
import { createSessions } from '#server/security/sessions.ts';
import { attachmentsOf, startSmtpSink } from '#tests/support/smtp-sink.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

describe('reports that are sent', { timeout: 120_000 }, () => {
  let sink: Awaited<ReturnType<typeof startSmtpSink>>;
  let server: TestApp;
  /** The jobs of another server on the same database. */
  let other: Jobs;
  let tick: Job['run'];
  const people: Record<string, TestClient> = {};
  const accounts = {
    manager: 'manager@willowbrook.test',
    colleague: 'daniel.osei@willowbrook.test',
    stranger: 'admin@brightpath.test',
  };
  const person = (email: string) => demoId(`user:${email}`);
  const db = () => server.database.db;
  const allow = (email: string, ...slugs: PermissionSlug[]) =>
    db().run(
      sql`insert into user_permissions (user_id, permission_id) select id, unnest(${slugs.map(permissionIdOf)}::int[]) from users where email = ${email} on conflict do nothing`,
    );
  const refuse = async (email: string, slug: PermissionSlug) => {
    await db().run(sql`delete from user_permissions where permission_id = ${permissionIdOf(slug)} and user_id = ${person(email)}`);
    await db().run(sql`delete from type_permissions where permission_id = ${permissionIdOf(slug)}`);
    await db().run(sql`delete from entity_permissions where permission_id = ${permissionIdOf(slug)}`);
    later(5);
  };
  const later = (seconds: number) => {
    server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000);
  };
  beforeAll(async () => {
    sink = await startSmtpSink();
    // A document is larger than this, a small workbook is not.
    const mail = { SMTP_URL: sink.url, MAIL_PER_MINUTE: '6000', MAIL_ATTACHMENT_MB: '0.012' };
    server = await startTestApp(mail);
    await server.app.ready();
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder, ...mail });
    const now = () => new Date(server.clock.now);
    other = createJobs({ db: db(), now, log: server.app.log });
    const services = {
      ...{ config, db: db(), now, log: server.app.log, jobs: other, secretKey: 'test-key', files: createFileStore(`${server.folder}/files`) },
      ...{ mail: createMailer(config, db(), brandOfAddress, now), sessions: createSessions(db(), config, now), peopleTotals: createRecentTotals() },
    };
    const look = async (place: string) => ({ brand: (await brandOf(db(), place)).whitelabel, logo: null });
    const engine = createReports(services, look, reportSources).jobs;
    tick = engine.schedules.run;
    other.begin(jobRegistry(services, engine));
    await db().run(sql`update entities set email_domains = '{willowbrook.test}' where id = ${demoId('entity:home')}`);
    await allow(accounts.manager, 'report.schedules', 'care_certificate.report');
    await allow(accounts.colleague, 'care_certificate.report');
    await allow(accounts.stranger, 'report.schedules', 'care_certificate.report');
    for (const [name, email] of Object.entries(accounts)) {
      const client = server.client();
      await client.signIn(email);
      people[name] = client;
    }
  }, 60_000);
  afterEach(async () => {
    await settled();
    await db().run(sql`delete from report_schedules`);
    await db().run(sql`delete from outgoing_mail`);
    sink.mails.length = 0;
  });
  afterAll(async () => {
    await other.close();
    await server.close();
    await sink.close();
  });

  type Answer<D> = { data: D; code?: string; message?: string; errors?: Record<string, string[]> };
  const ask = async <D = Schedule>(who: string, method: string, path: string, body?: object) => {
    const { status, body: answer } = await (people[who] as TestClient).json<Answer<D>>(method, `/reports/${path}`, body);
    return { status, ...answer };
  };
  const filter = { includeApproved: true, includeAwaitingApproval: true, includeOutstanding: true, includeWorkingTowards: true };
  const weekly = (more: object = {}) => ({
    ...{ name: 'Weekly', report_type: 'care-certificate', filter, format: 'xlsx', as_link: false, frequency: 'weekly', weekday: 1, send_at: '07:00' },
    ...{ user_ids: [person(accounts.manager)], ...more },
  });
  const add = async (more: object = {}) => (await ask('manager', 'POST', 'schedules', weekly(more))).data;
  const read = async (id: string) => (await ask('manager', 'GET', `schedules/${id}`)).data;
  const ends = async (id: string, count = 1): Promise<Delivery[]> => {
    await vi.waitFor(async () => expect((await read(id)).deliveries.filter((d) => d.state !== 'waiting')).toHaveLength(count), {
      timeout: 45_000,
      interval: 100,
    });
    return (await read(id)).deliveries;
  };
  const send = async (id: string) => {
    later(1);
    return ask('manager', 'POST', `schedules/${id}/send`);
  };
  const received = (count: number) => vi.waitFor(() => expect(sink.mails.map((m) => m.to)).toHaveLength(count), { timeout: 45_000, interval: 100 });
  const settled = () =>
    vi.waitFor(
      async () =>
        expect(await db().all(sql`select kind from jobs where state in ('waiting', 'running') and kind in ('delivery', 'mail')`)).toEqual([]),
      {
        timeout: 45_000,
        interval: 100,
      },
    );
  /** Two servers look for what is due, at the same time. */
  const look = async () => {
    await Promise.all([1, 2].map(() => tick({ key: 'one', progress: async () => {}, signal: new AbortController().signal })));
    other.wake();
    await settled();
  };
  const due = (id: string) => db().run(sql`update report_schedules set next_at = ${new Date(server.clock.now.getTime() - 60_000)} where id = ${id}`);

  it('go to people, job roles and addresses of the organisation alone, and are nobody else’s', async () => {
    const errorsOf = async (more: object) => (await ask('manager', 'POST', 'schedules', weekly(more))).errors;
    expect(await errorsOf({ addresses: ['board@elsewhere.test'] })).toEqual({
      addresses: ['board@elsewhere.test is not within your organisation’s domains: willowbrook.test.'],
    });
    expect(await errorsOf({ addresses: ['board@mail.willowbrook.test'] })).toHaveProperty('addresses');
    expect(await errorsOf({ as_link: true, addresses: ['board@willowbrook.test'] })).toHaveProperty('addresses');
    expect(await errorsOf({ user_ids: [person(accounts.stranger)] })).toHaveProperty('user_ids');
    expect(await errorsOf({ role_ids: [randomUUID()] })).toHaveProperty('role_ids');
    expect(await errorsOf({ user_ids: [] })).toEqual({ user_ids: ['Choose at least one recipient.'] });
    expect(await errorsOf({ weekday: null })).toHaveProperty('weekday');
    expect(await errorsOf({ filter: { includeApproved: 1 } })).toHaveProperty('includeApproved');
    const made = await ask('manager', 'POST', 'schedules', weekly({ addresses: ['Board@willowbrook.test'] }));
    expect(made).toMatchObject({
      status: 201,
      data: { name: 'Weekly', owner: { name: 'Helen Marsh' }, addresses: ['board@willowbrook.test'], time_zone: 'Europe/London' },
    });
    expect(Date.parse(made.data.next_at as string)).toBeGreaterThan(server.clock.now.getTime());
    const { id } = made.data;
    // Two have it open: the second to save sees what the first one saved, and nothing is overwritten. Pausing makes no new version.
    expect(made.data.rev).toBe(1);
    await ask('manager', 'POST', `schedules/${id}/pause`, { paused: true });
    expect((await ask('manager', 'POST', `schedules/${id}/pause`, { paused: false })).data.rev).toBe(1);
    expect((await ask('manager', 'PATCH', `schedules/${id}`, weekly({ name: 'Monday', rev: 1 }))).data).toMatchObject({ name: 'Monday', rev: 2 });
    const late = await (people.manager as TestClient).json<{ code: string; current: Schedule }>(
      'PATCH',
      `/reports/schedules/${id}`,
      weekly({ name: 'Tuesday', rev: 1 }),
    );
    expect([late.status, late.body.code, late.body.current.name, late.body.current.rev]).toEqual([409, 'rev_mismatch', 'Monday', 2]);
    expect((await read(id)).name).toBe('Monday');
    expect((await ask<Schedule[]>('stranger', 'GET', 'schedules')).data).toEqual([]);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', weekly()],
      ['POST', '/send'],
      ['POST', '/pause', { paused: true }],
      ['DELETE', ''],
    ] as const)
      expect([method, path, (await ask('stranger', method, `schedules/${id}${path}`, body)).status]).toEqual([method, path, 404]);
    expect((await ask('colleague', 'GET', 'schedules')).status).toBe(403);
    expect((await ask('manager', 'POST', `schedules/${id}/pause`, { paused: true })).data).toMatchObject({ paused: true, next_at: null });
    await due(id);
    await look();
    expect((await read(id)).deliveries).toEqual([]);
    expect((await ask('manager', 'DELETE', `schedules/${id}`)).status).toBe(204);
  });

  it('are sent now to each recipient once, with the workbook, and stand in the history and the tasks', async () => {
    const role = (await db().one<{ id: string }>(sql`select role_id as id from users where id = ${person(accounts.colleague)}`)) as { id: string };
    const { id } = await add({
      role_ids: [role.id],
      user_ids: [person(accounts.manager), person(accounts.colleague)],
      addresses: ['board@willowbrook.test', accounts.manager],
    });
    expect((await send(id)).data.deliveries).toMatchObject([{ state: 'waiting' }]);
    const [sent] = await ends(id);
    const { n } = (await db().one<{ n: number }>(sql`select count(*)::int as n from held_roles h join users u on u.id = h.user_id
      where h.role_id = ${role.id} and u.disabled_at is null and u.primary_entity_id = ${demoId('entity:home')}`)) as { n: number };
    expect(sent).toMatchObject({ state: 'sent', problem: null, recipients: n + 2, expires_at: null });
    await received(n + 2);
    expect(new Set(sink.mails.map((m) => m.to)).size).toBe(n + 2);
    const [file] = attachmentsOf(sink.mails.find((m) => m.to === 'board@willowbrook.test')?.text ?? '');
    expect([file?.name, file?.type]).toEqual([
      expect.stringMatching(/^care certificates Helen Marsh .*\.xlsx$/),
      expect.stringContaining('spreadsheetml'),
    ]);
    const [sheet] = await readSheets(file?.bytes as Buffer);
    expect(sheet?.data.slice(1).map((r) => r[0])).toContain('Sophie Turner');
    expect((await ask<SeenJob[]>('manager', 'GET', '../jobs')).data.map((j) => j.title)).toContain('Sending Weekly');
    await settled();
    expect(await db().all(sql`select 1 from mail_files`)).toEqual([]);
    expect(await db().all(sql`select 1 from report_delivery_pieces`)).toEqual([]);
  });

  it('are made once when due, by two servers, and after one of them died at it', async () => {
    const { id } = await add();
    await due(id);
    await look();
    const [sent, ...more] = await ends(id);
    expect([sent?.state, more]).toEqual(['sent', []]);
    await look();
    expect(Date.parse((await read(id)).next_at as string)).toBeGreaterThan(server.clock.now.getTime());
    await received(1);
    // Left by a server that was killed while it wrote the file: its beginning, and a job that runs nowhere.
    await send(id);
    await ends(id, 2);
    const { delivery } = (await db().one<{ delivery: string }>(sql`select id as delivery from report_deliveries order by due_at desc limit 1`)) as {
      delivery: string;
    };
    await received(2);
    await db().run(sql`update report_deliveries set state = 'waiting' where id = ${delivery}`);
    await db().run(sql`insert into report_delivery_pieces values (${delivery}, ${randomUUID()}, 0, 'half')`);
    await db().run(
      sql`update jobs set state = 'running', run_id = gen_random_uuid(), tries = 0, ended_at = null where kind = 'delivery' and key = ${delivery}`,
    );
    await look();
    await ends(id, 2);
    await received(3);
    expect(attachmentsOf(sink.mails[2]?.text ?? '')).toHaveLength(1);
    expect(await db().all(sql`select 1 from report_delivery_pieces`)).toEqual([]);
  });

  it('are as their owner may see them then: without the permission they stop, and the owner is notified', async () => {
    const { id } = await add();
    await refuse(accounts.manager, 'care_certificate.report');
    await send(id);
    const [failed] = await ends(id);
    expect(failed).toMatchObject({ state: 'failed', problem: 'Its owner may not see this report any more.' });
    expect(await read(id)).toMatchObject({ stopped_why: 'Its owner may not see this report any more.', next_at: null });
    await settled();
    expect(sink.mails.every((m) => m.to === accounts.manager && attachmentsOf(m.text).length === 0)).toBe(true);
    expect(sink.mails.some((m) => m.text.includes('is not sent any more'))).toBe(true);
    expect((await send(id)).status).toBe(409);
    expect((await ask('manager', 'PATCH', `schedules/${id}`, weekly())).errors).toHaveProperty('report_type');
    await allow(accounts.manager, 'care_certificate.report');
    later(5);
    expect((await ask('manager', 'PATCH', `schedules/${id}`, weekly())).data).toMatchObject({ stopped_why: null, next_at: expect.any(String) });
  });

  it('stop when their owner leaves; a colleague is notified, and takes them over by saving them', async () => {
    const { id } = await add();
    await allow(accounts.colleague, 'report.schedules');
    await db().run(sql`update users set disabled_at = now() where id = ${person(accounts.manager)}`);
    await look();
    await vi.waitFor(() => expect(sink.mails.map((m) => m.to)).toContain(accounts.colleague), 20_000);
    expect(sink.mails.map((m) => m.to)).not.toContain(accounts.manager);
    later(5);
    const taken = await ask('colleague', 'PATCH', `schedules/${id}`, weekly({ user_ids: [person(accounts.colleague)] }));
    expect(taken.data).toMatchObject({ owner: { name: 'Daniel Osei' }, stopped_why: null });
    await db().run(sql`update users set disabled_at = null where id = ${person(accounts.manager)}`);
    await refuse(accounts.colleague, 'report.schedules');
    await allow(accounts.manager, 'report.schedules');
    later(5);
  });

  it('are not widened where all that they were narrowed to is gone', async () => {
    const { id } = await add();
    await db().run(sql`update report_schedules set filter = filter || ${JSON.stringify({ courses: [randomUUID()] })}::jsonb`);
    await send(id);
    const [failed] = await ends(id);
    expect(failed).toMatchObject({ state: 'failed', problem: expect.stringContaining('All courses that it was narrowed to are gone') });
  });

  it('are had by a link until it expires, by recipients who still may', async () => {
    const { id } = await add({ as_link: true, link_days: 3, user_ids: [person(accounts.colleague)] });
    await send(id);
    const [sent] = await ends(id);
    expect(Date.parse(sent?.expires_at as string) - server.clock.now.getTime()).toBeLessThanOrEqual(3 * 86_400_000);
    await received(1);
    expect([attachmentsOf(sink.mails[0]?.text ?? ''), sink.mails[0]?.text.replaceAll('=\r\n', '')]).toEqual([
      [],
      expect.stringContaining(`/reports/deliveries/${sent?.id}`),
    ]);
    const file = (who: string) => (people[who] as TestClient).send('GET', `/reports/deliveries/${sent?.id}/file`);
    const answer = await file('colleague');
    expect([answer.statusCode, (await readSheets(answer.rawPayload))[0]?.data.length]).toEqual([200, expect.any(Number)]);
    expect((await ask<Delivery>('colleague', 'GET', `deliveries/${sent?.id}`)).data).toMatchObject({ id: sent?.id, title: 'Weekly' });
    expect([(await file('stranger')).statusCode, (await file('manager')).statusCode]).toEqual([404, 200]);
    await refuse(accounts.colleague, 'care_certificate.report');
    expect((await file('colleague')).statusCode).toBe(403);
    await allow(accounts.colleague, 'care_certificate.report');
    await allow(accounts.manager, 'care_certificate.report');
    await db().run(sql`update users set primary_entity_id = ${demoId('entity:branch')} where id = ${person(accounts.colleague)}`);
    later(5);
    expect((await file('colleague')).statusCode).toBe(404);
    await db().run(sql`update users set primary_entity_id = ${demoId('entity:home')} where id = ${person(accounts.colleague)}`);
    await db().run(sql`update report_deliveries set expires_at = ${server.clock.now}`);
    later(5);
    expect((await file('colleague')).statusCode).toBe(410);
  });

  it('are sent on request by e-mail: attached, or as a link if too large', async () => {
    for (const emailFormat of ['xlsx', 'pdf'] as const)
      expect(await ask<unknown[]>('manager', 'POST', 'care-certificate', { ...filter, emailFormat })).toEqual({
        status: 200,
        data: [],
        message: 'Report requested. You will receive an email soon.',
      });
    await received(2);
    expect(sink.mails.map((m) => [m.to, attachmentsOf(m.text).length]).sort()).toEqual([
      [accounts.manager, 0],
      [accounts.manager, 1],
    ]);
    const { id } = (await db().one<{ id: string }>(
      sql`select id from report_deliveries where format = 'pdf' and schedule_id is null order by due_at desc`,
    )) as { id: string };
    const file = await (people.manager as TestClient).send('GET', `/reports/deliveries/${id}/file`);
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await ask('manager', 'POST', 'care-certificate', { ...filter, emailFormat: 'exe' })).status).toBe(422);
  });
});
