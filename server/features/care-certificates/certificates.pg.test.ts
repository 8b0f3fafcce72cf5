import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CareCertificate, CertificateRow, ObservationRecord } from '#contract/entities/care-certificate.ts';
import type { CertificateReview } from '#contract/entities/care-overview.ts';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { careStandards2025 } from '#server/features/care-certificates/standards/seed-standards.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const all = careStandards2025.standards.flatMap((s) => s.outcomes.flatMap((o) => o.criteria));

describe('the standards', () => {
  it('are 16, with codes of their own, each with criteria, and distinguish knowledge from practice', () => {
    expect(careStandards2025.standards.map((s) => s.code)).toEqual(Array.from({ length: 16 }, (_, i) => String(i + 1)));
    expect(new Set(all.map((c) => c.code)).size).toBe(all.length);
    expect(careStandards2025.standards.every((s) => s.outcomes.length > 0 && s.outcomes.every((o) => o.criteria.length > 0))).toBe(true);
    expect(all.filter((c) => c.simulation).every((c) => c.kind === 'practice' && c.code.startsWith('12.'))).toBe(true);
  });
  it('have activities that can be evidence of every practice', () => {
    const named = new Set(careStandards2025.activities.flatMap((a) => a.criteria));
    expect(all.filter((c) => c.kind === 'practice' && !named.has(c.code)).map((c) => c.code)).toEqual([]);
  });
});

describe('care certificates', () => {
  let server: TestApp;
  let trainer: TestClient;
  let manager: TestClient;
  let learner: TestClient;
  let certificate: CareCertificate;
  const person = demoId('user:grace.adeyemi@willowbrook.test');
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const record = (more: Partial<ObservationRecord>): ObservationRecord => ({
    ...{ done_at: server.clock.now.toISOString(), method: 'observation', setting: 'Dining room', seen: 'Seen.', feedback: '', criteria: [] },
    ...more,
  });
  const met = (codes: readonly string[]): ObservationRecord['criteria'] =>
    codes.map((criterion) => ({ criterion, outcome: 'met', action: null, due: null }));
  const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command, args });
  const send = (changes: object[]) =>
    trainer.json<{ data: CareCertificate; code?: string; message?: string }>('PATCH', `/care-certificates/${certificate.id}`, { changes });
  const observe = async (codes: readonly string[], method: ObservationRecord['method']) => {
    const seen = change('observation.record', record({ method, criteria: met(codes) }));
    const decided = codes.map((criterion) => change('observation.decide', { criterion, outcome: 'met', observation_id: seen.id, instead_of: null }));
    const answer = await send([seen, ...decided]);
    return { ...answer, id: seen.id };
  };
  const rows = async (who: TestClient, query = '') => (await who.json<{ data: CertificateRow[] }>('GET', `/care-certificates${query}`)).body.data;
  const mine = async (who = trainer) => (await rows(who, '?search=Grace'))[0] as CertificateRow;
  /** The messages that somebody got, and whether each was mailed. */
  const told = async (who: string) =>
    (
      await server.database.db.all<{ message: string }>(
        sql`select m.message from messages m join users u on u.id = m.recipient_id where u.email = ${`${who}@willowbrook.test`} and m.by_product order by m.sent_at`,
      )
    ).map((m) => m.message);
  const approve = (who: TestClient, body: object) =>
    who.json<{ data: CareCertificate; errors?: Record<string, string[]>; message?: string }>(
      'POST',
      `/care-certificates/${certificate.id}/approval`,
      body,
    );
  beforeAll(async () => {
    server = await startTestApp();
    [trainer, manager, learner] = [await as('trainer@willowbrook.test'), await as('manager@willowbrook.test'), await as('learner@willowbrook.test')];
    const { db } = server.database;
    await db.run(
      sql`insert into user_permissions (user_id, permission_id) select ${demoId('user:manager@willowbrook.test')}, unnest(array[86, 93]) on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    const assigned = await manager.json<{ data: CareCertificate }>('POST', '/care-certificates', { user_id: person });
    expect(assigned.status).toBe(201);
    expect((await told('grace.adeyemi')).at(-1)).toMatch(/^The Care Certificate has been assigned to you\./);
    expect(
      await db.all(sql`select 1 from outgoing_mail where recipient = 'grace.adeyemi@willowbrook.test' and subject like 'New message from %'`),
    ).not.toEqual([]);
    certificate = assigned.body.data;
  });
  afterAll(() => server.close());

  it('stand on a version of the standards that everybody can read and nobody can change', async () => {
    expect(certificate).toMatchObject({ standards_id: 'england-2025', approved_at: null, approvals: [] });
    const { body } = await learner.json<{ data: CareStandards }>('GET', `/care-standards/${certificate.standards_id}`);
    expect(body.data).toEqual(careStandards2025);
    await expect(server.database.db.run(sql`update care_standards set name = 'Mine'`)).rejects.toThrow('only ever added');
  });

  it('do not take a workbook for practice: the record is kept, the decision refused and explained', async () => {
    const { status, body, id } = await observe(['13.3c'], 'workbook');
    expect([status, body.code]).toEqual([422, 'method_unfit']);
    expect(body.message).toContain('observed in practice');
    expect(
      (await trainer.json<{ data: CareCertificate }>('GET', `/care-certificates/${certificate.id}`)).body.data.observations.map((o) => o.id),
    ).toContain(id);
    expect((await mine()).met).toBe(0);
  });

  it('are in progress, wait for approval when all is met, and are complete when the manager has approved them', async () => {
    expect((await approve(manager, { approved: true })).body.errors?.approved?.[0]).toMatch(
      /^Not every criterion is met yet: 0 of \d+, 0 standards of 16\.$/,
    );
    const codes = (kind: string, simulation = false) => all.filter((c) => c.kind === kind && c.simulation === simulation).map((c) => c.code);
    const knowledge = codes('knowledge');
    for (let from = 0; from < knowledge.length; from += 100)
      expect((await observe(knowledge.slice(from, from + 100), 'questioning')).status).toBe(200);
    const partly = await mine();
    expect(partly).toMatchObject({ met: knowledge.length, of: all.length, waiting: false, place: 'Willowbrook House' });
    expect(partly.standards_met).toBeGreaterThan(0);
    expect((await observe(codes('practice'), 'observation')).status).toBe(200);
    const { db } = server.database;
    await db.run(sql`delete from outgoing_mail`);
    // Configured at the group: the approver in the house is notified, not the office above.
    await db.run(sql`update entities set notify_all_standards_selected = true where slug = 'willowbrook'`);
    const simulated = await observe(codes('practice', true), 'simulation');
    expect(simulated.status).toBe(200);
    expect(await db.all(sql`select recipient, subject from outgoing_mail`)).toEqual([
      { recipient: 'manager@willowbrook.test', subject: 'Grace Adeyemi has met every standard' },
    ]);
    expect(await mine()).toMatchObject({ met: all.length, standards_met: 16, waiting: true });
    expect((await approve(learner, { approved: true })).status).toBe(403);
    expect((await approve(manager, { approved: false })).body.errors).toEqual({ reason: ['Say what is missing.'] });
    // Of sending back and approving what was looked at before, at the same moment, one is refused.
    const looked = (await manager.json<{ data: CareCertificate }>('GET', `/care-certificates/${certificate.id}`)).body.data.rev;
    const stale = await approve(manager, { approved: false, reason: 'Not this one.', rev: looked - 1 });
    expect(stale.status).toBe(409);
    expect((await approve(manager, { approved: false, reason: 'The hoist was not seen.', rev: looked })).body.data.approvals).toMatchObject([
      { approved: false, reason: 'The hoist was not seen.' },
    ]);
    const late = { method: 'pin', drawing: null, rev: looked };
    expect((await approve(manager, { approved: true, reason: 'Seen.', signature: late })).status).toBe(409);
    expect(await told('grace.adeyemi')).toContain('Your Care Certificate was looked at, and is not approved yet: The hoist was not seen.');
    expect(await told('trainer')).toContain('The Care Certificate of Grace Adeyemi, whom you assessed, was sent back: The hoist was not seen.');
    // What was reviewed is approved, with a signature, and explicitly if not everybody has signed.
    const { body: review } = await manager.json<{ data: CertificateReview }>('GET', `/care-certificates/${certificate.id}/review`);
    expect(review.data).toMatchObject({ complete: true, samples: [] });
    expect(review.data.standards).toHaveLength(16);
    expect(review.data.standards.every((s) => s.met === s.of && s.assessors.length > 0 && s.last_met_at !== null)).toBe(true);
    expect(review.data.doubtful).toHaveLength(review.data.records);
    expect(review.data.doubtful[0]).toMatchObject({ doubts: ['assessor_unsigned', 'learner_unsigned'] });
    expect((await trainer.json('GET', `/care-certificates/${certificate.id}/review`)).status).toBe(403);
    const signature = { method: 'pin', drawing: null, rev: review.data.rev };
    expect((await approve(manager, { approved: true })).body.errors).toEqual({ signature: ['Sign what you approve.'] });
    expect((await approve(manager, { approved: true, signature: { ...signature, method: 'drawn' } })).status).toBe(422);
    expect((await approve(manager, { approved: true, signature: { ...signature, rev: signature.rev - 1 } })).status).toBe(409);
    expect((await approve(manager, { approved: true, signature })).body.errors?.reason?.[0]).toContain('Not everybody has signed every record.');
    const signed = await approve(manager, { approved: true, reason: 'I have seen him work.', signature });
    expect(signed.body.data).toMatchObject({
      approved_at: expect.any(String),
      approvals: [{}, { approved: true, method: 'pin', doubtful: review.data.doubtful.length, withdraws: null }],
    });
    expect((await approve(manager, { approved: true, reason: 'Again.', signature: { ...signature, rev: signed.body.data.rev } })).status).toBe(422);
    expect((await approve(manager, { approved: false, reason: 'After all not.' })).status).toBe(409);
    expect(await told('grace.adeyemi')).toContain('Your Care Certificate is approved.');
    expect(await told('trainer')).toContain('The Care Certificate of Grace Adeyemi, whom you assessed, is approved.');
    const found = async (state: string) => (await rows(trainer, `?state=${state}`)).some((r) => r.user.id === person);
    expect([await found('complete'), await found('in_progress'), await found('either')]).toEqual([true, false, true]);

    // An approval is withdrawn by an entry of its own, with a reason, once; then it can be approved again.
    const approval_id = signed.body.data.approvals.at(-1)?.id;
    const withdraw = (who: TestClient, body: object) =>
      who.json<{ data: CareCertificate; errors?: Record<string, string[]> }>(
        'POST',
        `/care-certificates/${certificate.id}/approval/withdrawal`,
        body,
      );
    expect((await withdraw(trainer, { approval_id, reason: 'Wrong person.' })).status).toBe(403);
    expect((await withdraw(manager, { approval_id, reason: ' ' })).body.errors).toEqual({ reason: ['Enter a reason.'] });
    const withdrawn = await withdraw(manager, { approval_id, reason: 'The wrong person.' });
    expect([withdrawn.status, withdrawn.body.data]).toMatchObject([
      201,
      { approved_at: null, approvals: [{}, { approved: true }, { approved: false, withdraws: approval_id, reason: 'The wrong person.' }] },
    ]);
    expect((await withdraw(manager, { approval_id, reason: 'Again.' })).status).toBe(409);
    expect(await mine()).toMatchObject({ waiting: true, approved_at: null });
    expect(await db.all(sql`select entry from certificate_chain where certificate_id = ${certificate.id} order by seq desc limit 2`)).toEqual([
      { entry: 'certificate_approvals' },
      { entry: 'certificate_approvals' },
    ]);
    const again = { approved: true, reason: 'Now the right one.', signature: { ...signature, rev: withdrawn.body.data.rev } };
    expect((await approve(manager, again)).body.data.approved_at).not.toBeNull();

    // Withdrawing needs its own permission; with it, a colleague's record can be withdrawn too.
    const taken = sql`type_id = ${demoId('type:group:trainer')} and permission_id = 90`;
    await db.run(sql`delete from type_permissions where ${taken}`);
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    const refused = await send([change('observation.withdraw', { about: simulated.id, reason: 'Wrong person' })]);
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden']);
    const [known] = signed.body.data.observations.filter((o) => o.record?.criteria.some((c) => c.criterion === '13.3c'));
    const byColleague = await manager.json<{ data: CareCertificate }>('PATCH', `/care-certificates/${certificate.id}`, {
      changes: [change('observation.withdraw', { about: known?.id, reason: 'A workbook is no proof of this.' })],
    });
    expect(byColleague.status).toBe(200);
    expect(
      (await told('trainer')).some((m) => /^I have withdrawn your record of .* about Grace Adeyemi: A workbook is no proof of this\.$/.test(m)),
    ).toBe(true);
    expect(byColleague.body.data.observations.at(-1)).toMatchObject({
      kind: 'withdrawal',
      assessor: { id: demoId('user:manager@willowbrook.test') },
    });
    await db.run(sql`insert into type_permissions (type_id, permission_id) values (${demoId('type:group:trainer')}, 90)`);
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);

    // Withdrawn records no longer count, nor does their approval.
    expect((await send([change('observation.withdraw', { about: simulated.id, reason: 'Wrong person' })])).status).toBe(200);
    expect(await mine()).toMatchObject({ standards_met: 15, approved_at: null, waiting: false, approval_ended: true });
    expect(await told('grace.adeyemi')).toContain('Your Care Certificate is not approved any more: a criterion that was met is open again.');
    expect(
      (await told('manager')).some((m) => m.startsWith('The Care Certificate of Grace Adeyemi, which you approved, is not approved any more')),
    ).toBe(true);
    expect((await manager.json<{ data: CareCertificate }>('GET', `/care-certificates/${certificate.id}`)).body.data).toMatchObject({
      approved_at: null,
      approvals: [{ approved: false }, { approved: true }, { approved: false }, { approved: true }],
    });
  });

  it('are downloaded as PDF by whose they are and by who may, and say what they are', async () => {
    const pdf = (who: TestClient) => who.send('GET', `/care-certificates/${certificate.id}/pdf`);
    const own = await pdf(await as('grace.adeyemi@willowbrook.test'));
    expect([own.statusCode, own.headers['content-type'], own.rawPayload.subarray(0, 5).toString()]).toEqual([200, 'application/pdf', '%PDF-']);
    expect(own.headers['content-disposition']).toContain('Grace%20Adeyemi%20care%20certificate');
    expect((await pdf(trainer)).statusCode).toBe(200);
    expect((await pdf(learner)).statusCode).toBe(404);
    await server.database.db.run(sql`delete from type_permissions where permission_id = 88 and type_id = ${demoId('type:group:trainer')}`);
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    expect((await pdf(trainer)).statusCode).toBe(403);
  });

  it('are not written by whose they are', async () => {
    const grace = await as('grace.adeyemi@willowbrook.test');
    await server.database.db.run(sql`insert into user_permissions (user_id, permission_id) values (${person}, 89) on conflict do nothing`);
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    const changes = [change('observation.record', record({ criteria: met(['8.2a']) }))];
    const answer = await grace.json<{ message: string }>('PATCH', `/care-certificates/${certificate.id}`, { changes });
    expect([answer.status, answer.body.message]).toEqual([403, 'Nobody observes themselves for their own certificate.']);
  });

  it('are seen by whose they are and by who looks after them, and by nobody else', async () => {
    expect(await rows(learner, '?search=Grace')).toEqual([]);
    expect((await rows(await as('grace.adeyemi@willowbrook.test'))).map((r) => r.user.id)).toEqual([person]);
    expect(await rows(await as('admin@brightpath.test'), '?search=Grace')).toEqual([]);
    const own = await manager.json<{ data: CareCertificate }>('POST', '/care-certificates', { user_id: demoId('user:manager@willowbrook.test') });
    expect((await manager.json('POST', `/care-certificates/${own.body.data.id}/approval`, { approved: true })).body).toMatchObject({
      message: 'Nobody approves their own care certificate.',
    });
  });

  it('are chained: what is changed or removed afterwards, past every guard, is found', async () => {
    const { db } = server.database;
    const broken = () => db.all<{ certificate_id: string; problem: string }>(sql`select certificate_id, problem from broken_chains()`);
    expect(await broken()).toEqual([]);
    for (const table of ['observations', 'certificate_approvals', 'certificate_chain'])
      await expect(db.run({ text: `delete from ${table}`, values: [] })).rejects.toThrow('only ever added');
    const tamper = async (statement: string) => {
      await db
        .tx(async (tx) => {
          await tx.run(sql`alter table observations disable trigger all`);
          await tx.run(sql`alter table criterion_decisions disable trigger all`);
          await tx.run(sql`alter table certificate_chain disable trigger all`);
          await tx.run({ text: statement, values: [] });
          const found = await tx.all<{ certificate_id: string; problem: string }>(sql`select certificate_id, problem from broken_chains()`);
          expect(found.map((f) => f.certificate_id)).toEqual([certificate.id]);
          throw new Error(found[0]?.problem);
        })
        .catch((error: Error) => problems.push(error.message));
    };
    const problems: string[] = [];
    await tamper(
      `update observations set record = jsonb_set(record, '{seen}', '"Something else"') where id = (select id from observations where kind = 'observation' and certificate_id = '${certificate.id}' order by id limit 1)`,
    );
    await tamper(
      `delete from criterion_decisions where id = (select id from criterion_decisions where certificate_id = '${certificate.id}' order by id limit 1)`,
    );
    await tamper(`delete from certificate_chain where seq = 2 and certificate_id = '${certificate.id}'`);
    await tamper(`update certificate_chain set content = content || ' ' where seq = 3 and certificate_id = '${certificate.id}'`);
    expect(problems).toEqual(['it was changed', 'it was removed', 'an entry before it is missing', 'its place in the chain was changed']);
    expect(await broken()).toEqual([]);
  });
});
