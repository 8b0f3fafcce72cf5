import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Result } from '#contract/entities/result.ts';
import { certificateNumberWords, readCertificateNumber } from '#contract/rules/certificate-number.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Whole = { result: Result };
const today = dayIn(new Date(), 'Europe/London');
const day = (ago: number) => addDays(today, -ago);
/** A number that checks and that no certificate has. */
const noNumber = '0000-0000-0000';

describe('the number of a certificate', () => {
  let server: TestApp;
  let admin: TestClient;
  let anonymous: TestClient;
  const amara = demoId('user:learner@willowbrook.test');
  const course = demoId('course:Dementia awareness');
  beforeAll(async () => {
    server = await startTestApp({ TRUST_PROXY: '1' });
    [admin, anonymous] = [server.client(), server.client()];
    await admin.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    await server.database.db.run(sql`delete from sign_in_failures`);
    server.clock.now = new Date();
  });

  const verify = async (number: string | null | undefined, client = anonymous) => {
    const { status, body } = await client.json<{ data?: object; code?: string; message?: string }>('GET', `/certificates/${number}`);
    return { status, ...(status === 200 ? body.data : { code: body.code, message: body.message }) };
  };
  const notFound = async () => verify(noNumber);
  const one = async (id: string) => (await admin.json<{ data: Whole }>('GET', `/results/${id}`)).body.data.result;
  const added = async (completed_on: string, change: object = {}) => {
    const { body } = await admin.json<{ data: { ids: string[] } }>('POST', '/results', {
      ...{ id: randomUUID(), type: 'historical', user_ids: [amara], course_ids: [course], completed_on, expiry: 'never', expires_on: null },
      ...{ score: null, note: '', evidence_id: null, minutes: null, cpd_hours: null },
      ...change,
    });
    return one(body.data.ids[0] as string);
  };
  const correct = (of: Result, change: object) =>
    admin.json<{ data: Whole }>('PATCH', `/results/${of.id}`, {
      ...{
        completed_on: dayIn(of.completed_at, of.zone),
        expiry: of.expiry,
        expires_on: null,
        score: null,
        note: '',
        evidence_id: null,
        minutes: null,
      },
      ...{ cpd_hours: null, rev: of.rev, certificate_suppressed: false, reason: 'It was misread' },
      ...change,
    });

  it('is there for every result, one of its own, and checks', async () => {
    const { db } = server.database;
    const rows = await db.all<{ certificate_number: string }>(sql`select certificate_number from results`);
    expect(rows.length).toBeGreaterThan(10);
    expect(new Set(rows.map((r) => r.certificate_number)).size).toBe(rows.length);
    const made = await db.all<{ number: string }>(sql`select new_certificate_number() as number from generate_series(1, 500)`);
    for (const number of [...rows.map((r) => r.certificate_number), ...made.map((r) => r.number)]) expect(readCertificateNumber(number)).toBe(number);
    // Every place takes every letter: as many numbers as they look.
    for (let place = 0; place < 12; place++) expect(new Set(made.map((r) => r.number[place])).size).toBe(32);
    await expect(db.run(sql`update results set certificate_number = '000000000000'`)).rejects.toThrow();
  });
  it('says to anybody whether it is valid and until when, and nothing else', async () => {
    const never = await added(day(2400));
    const until = await added(day(2300), { expiry: 'day', expires_on: addDays(today, 30) });
    const last = await added(day(2200));
    const [first, second, third] = await Promise.all([never, until, last].map((r) => verify(r.certificate_number)));
    expect(first).toEqual({ status: 'valid', valid_until: null, expired_on: null, replaced: true });
    expect(second).toEqual({ status: 'valid', valid_until: addDays(today, 30), expired_on: null, replaced: true });
    expect(third).toMatchObject({ status: 'valid', valid_until: null });
    // Typed as it is printed, and by somebody of another organisation.
    const elsewhere = server.client();
    await elsewhere.signIn('admin@brightpath.test');
    const typed = certificateNumberWords(until.certificate_number as string).toLowerCase();
    expect(await verify(typed, elsewhere)).toEqual(second);
  });
  it('says that it has expired, from the first moment on, and on which day', async () => {
    const result = await added(day(190), { expiry: 'day', expires_on: addDays(today, 3) });
    const end = new Date(result.expires_at as string);
    // The whole of the day that it names.
    server.clock.now = new Date(end.getTime() + 999);
    expect(await verify(result.certificate_number)).toMatchObject({ status: 'valid', valid_until: addDays(today, 3), expired_on: null });
    server.clock.now = new Date(end.getTime() + 1000);
    expect(await verify(result.certificate_number)).toMatchObject({
      ...{ status: 'expired', valid_until: addDays(today, 3), expired_on: addDays(today, 3) },
    });
  });
  it('says that a newer one has replaced it only while that one stands', async () => {
    const old = await added(day(6));
    expect(await verify(old.certificate_number)).toMatchObject({ replaced: false });
    const exempt = await added(day(5), { type: 'exempt', note: 'On leave', expiry: 'day', expires_on: addDays(today, 60) });
    expect([exempt.certificate_number, await verify(old.certificate_number)]).toEqual([null, expect.objectContaining({ replaced: false })]);
    const newer = await added(day(4));
    expect(await verify(old.certificate_number)).toMatchObject({ status: 'valid', replaced: true });
    expect(await verify(newer.certificate_number)).toMatchObject({ replaced: false });
    await admin.json('POST', `/results/${newer.id}/delete`, { reason: 'Wrong person' });
    expect(await verify(old.certificate_number)).toMatchObject({ replaced: false });
  });
  it('stays through corrections; withheld, deleted, pending, exempt and unknown are not found alike', async () => {
    const result = await added(day(50));
    const number = result.certificate_number;
    const corrected = (await correct(result, { completed_on: day(51) })).body.data.result;
    expect(corrected.certificate_number).toBe(number);
    const withheld = (await correct(corrected, { certificate_suppressed: true })).body.data.result;
    expect([withheld.certificate_number, await verify(number)]).toEqual([null, await notFound()]);
    expect(await notFound()).toMatchObject({ status: 404, code: 'not_found' });
    await correct(withheld, {});
    expect((await verify(number)).status).toBe('valid');
    await admin.json('POST', `/results/${result.id}/delete`, { reason: 'Wrong person' });
    expect(await verify(number)).toEqual(await notFound());
    const { db } = server.database;
    const [pending] = await recordResults(
      db,
      [{ user_id: amara, course_id: course, type: 'historical', origin: 'manual', status: 'pending', completed: day(60), recorded_by: amara }],
      new Date(),
    );
    const exempt = await added(day(61), { type: 'exempt', note: 'On leave' });
    const hidden = await db.all<{ certificate_number: string }>(
      sql`select certificate_number from results where id = any(${[pending as string, exempt.id]}::uuid[])`,
    );
    expect(hidden).toHaveLength(2);
    for (const { certificate_number } of hidden) expect(await verify(certificate_number)).toEqual(await notFound());
    for (const impossible of ['ABC', '0000-0000-0001', 'x'.repeat(90), '%00', '☃'.repeat(12)])
      expect(await verify(encodeURIComponent(impossible))).toEqual(await notFound());
  });
  it('cannot be searched for: who asks for many that do not exist has to wait, and who has right ones does not', async () => {
    const result = await added(day(70));
    const from = async (ip: string, number: string | null) =>
      (await anonymous.send('GET', `/certificates/${number}`, undefined, { 'x-forwarded-for': ip })).statusCode;
    const hammer = async (ip: string, number: string | null) => {
      const answers = new Set<number>();
      for (let i = 0; i < 130; i++) answers.add(await from(ip, number));
      return [...answers];
    };
    expect(await hammer('10.1.0.1', noNumber)).toEqual([404, 429]);
    expect(await from('10.1.0.1', result.certificate_number)).toBe(429);
    expect(await hammer('10.1.0.2', result.certificate_number)).toEqual([200]);
  });
});
