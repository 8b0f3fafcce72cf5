import { createHash, randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partsOf } from '#contract/commands/evidence-commands.ts';
import type { Result, ResultVersion } from '#contract/entities/result.ts';
import type { Submission } from '#contract/entities/submission.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { forgetOldAnswers } from '#server/jobs/retention.ts';
import { checkDatabase } from '#server/operator/check-database.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const learnerEmail = 'grace.adeyemi@willowbrook.test';
const learnerId = demoId(`user:${learnerEmail}`);
const fireSafety = demoId('course:Fire safety');
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const pdf = (more: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(more)]);
type Answer = { data: Submission; meta: { outcomes: { outcome: string }[] }; code?: string; message?: string; errors?: Record<string, string[]> };

describe('a certificate from elsewhere', () => {
  let server: TestApp;
  let learner: TestClient;
  let manager: TestClient;
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const pieceOf = (bytes: Buffer, i: number) => bytes.subarray(i * evidenceLimits.pieceBytes, (i + 1) * evidenceLimits.pieceBytes);
  const putPiece = (who: TestClient, id: string, bytes: Buffer, i: number, data = pieceOf(bytes, i)) =>
    who.json<Answer>('POST', `/submissions/${id}/pieces/${i}`, { bytes: bytes.length, data: data.toString('base64') });
  const today = () => dayIn(server.clock.now.toISOString(), 'Europe/London');
  const submission = (bytes: Buffer, more: object = {}) => ({
    ...{ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command: 'submission.add' },
    args: {
      ...{ course_id: fireSafety, completed_on: addDays(today(), -3), expires_on: null, note: 'From my second employer' },
      file: { name: 'My certificate.PDF', type: 'application/pdf', bytes: bytes.length, hash: hashOf(bytes) },
      ...more,
    },
  });
  type Change = ReturnType<typeof submission>;
  const send = (who: TestClient, change: Record<string, unknown> & { id: string }, id = change.id, headers?: Record<string, string>) =>
    who.json<Answer>('PATCH', `/submissions/${id}`, { changes: [change] }, headers);
  const bring = async (bytes: Buffer, change: Change) => {
    for (let i = 0; i < partsOf(bytes.length); i++) await putPiece(learner, change.id, bytes, i);
    return send(learner, change);
  };
  const withdrawal = () => ({
    ...{ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command: 'submission.withdraw', args: {} },
  });
  const resultOf = async (who: TestClient, id: string) => {
    const { status, body } = await who.json<{ data: { result: Result; history: ResultVersion[] } }>('GET', `/results/${id}`);
    return { status, ...body.data };
  };
  const decide = (id: string, decision: 'approve' | 'reject', reason = 'Checked with them') =>
    manager.json<{ data: { decided: string[] } }>('POST', '/results/decide', { ids: [id], decision, reason });
  const listed = async () =>
    (await manager.json<{ data: Result[] }>('GET', '/results?status=pending&type=historical&per_page=100')).body.data.map((r) => r.id);
  const pieces = (id: string) => server.database.db.all(sql`select 1 as one from submission_parts where submission_id = ${id}`);

  beforeAll(async () => {
    server = await startTestApp();
    [learner, manager] = (await Promise.all([as(learnerEmail), as('admin@willowbrook.test')])) as [TestClient, TestClient];
  });
  afterAll(() => server.close());

  it('is one pending result, however often it comes, and is decided by somebody else', async () => {
    const bytes = pdf(2.4 * evidenceLimits.pieceBytes);
    const change = submission(bytes, { expires_on: addDays(today(), 200) });
    const { id } = change;
    expect((await send(learner, change)).body).toMatchObject({ data: { missing: [0, 1, 2], status: null, rev: 0 }, meta: { outcomes: [] } });
    await putPiece(learner, id, bytes, 2);
    await putPiece(learner, id, bytes, 0);
    expect((await putPiece(learner, id, bytes, 2)).body.data.missing).toEqual([1]);
    expect((await send(learner, change)).body).toMatchObject({ data: { missing: [1] }, meta: { outcomes: [] } });
    await putPiece(learner, id, bytes, 1);
    for (const answer of [...(await Promise.all([send(learner, change), send(learner, change)])), await send(learner, change)])
      expect(answer.body).toMatchObject({ data: { missing: [], status: 'pending' }, meta: { outcomes: [{ outcome: 'applied' }] } });
    expect((await putPiece(learner, id, bytes, 1)).body.data.status).toBe('pending');
    expect(await pieces(id)).toEqual([]);
    expect((await server.database.db.all(sql`select id from results where note = 'From my second employer'`)).length).toBe(1);
    const { result, history } = await resultOf(learner, id);
    expect(result).toMatchObject({
      ...{ type: 'historical', status: 'pending', origin: 'manual', change: 'submitted', counts: false, expiry: 'day', certificate: false },
      ...{ evidence: 'My certificate.pdf', user: { id: learnerId }, recorded_by: { id: learnerId }, course_id: fireSafety },
    });
    expect([dayIn(result.completed_at, result.zone), dayIn(result.expires_at as string, result.zone)]).toEqual([
      change.args.completed_on,
      change.args.expires_on,
    ]);
    expect(history.map((v) => v.change)).toEqual(['submitted']);
    expect(hashOf((await manager.send('GET', `/results/${id}/evidence`)).rawPayload)).toBe(hashOf(bytes));
    expect(await listed()).toContain(id);
    expect((await decide(id, 'approve')).body.data.decided).toEqual([id]);
    expect((await resultOf(learner, id)).result).toMatchObject({ status: 'approved', origin: 'approval' });
    const { findings } = await checkDatabase(server.database.db, createFileStore(`${server.folder}/files`));
    expect(findings.filter((f) => /evidence|result/.test(f.problem))).toEqual([]);
  });

  it('is the same one where it came whole, as in a sealed copy, and its device sends it after all', async () => {
    const bytes = pdf(1.2 * evidenceLimits.pieceBytes);
    const change = submission(bytes);
    const whole = { ...change, args: { ...change.args, data: bytes.toString('base64') } };
    await putPiece(learner, change.id, bytes, 0);
    for (const sent of [whole, change, whole])
      expect((await send(learner, sent)).body).toMatchObject({
        data: { missing: [], status: 'pending' },
        meta: { outcomes: [{ outcome: 'applied' }] },
      });
    expect(await pieces(change.id)).toEqual([]);
  });

  it('can be submitted again after it was rejected, and the person sees why', async () => {
    const first = submission(pdf(50));
    await bring(pdf(50), first);
    const bytes = pdf(60);
    const change = submission(bytes);
    await bring(bytes, change);
    await decide(change.id, 'reject', 'The name cannot be read');
    expect((await resultOf(learner, change.id)).result).toMatchObject({ status: 'rejected', change_reason: 'The name cannot be read' });
    const again = submission(bytes);
    expect((await bring(bytes, again)).body.data.status).toBe('pending');
  });

  it('is withdrawn while nobody has decided on it, and not after', async () => {
    const bytes = pdf(70);
    const change = submission(bytes);
    await bring(bytes, change);
    const goes = withdrawal();
    for (let i = 0; i < 2; i++)
      expect((await send(learner, goes, change.id)).body).toMatchObject({
        data: { status: 'deleted' },
        meta: { outcomes: [{ outcome: 'applied' }] },
      });
    expect((await resultOf(learner, change.id)).status).toBe(404);
    expect((await resultOf(manager, change.id)).history.map((v) => v.change)).toEqual(['withdrawn', 'submitted']);
    expect(await listed()).not.toContain(change.id);
    const other = submission(bytes);
    await bring(bytes, other);
    await decide(other.id, 'approve');
    const late = await send(learner, withdrawal(), other.id);
    expect([late.status, late.body.code]).toEqual([409, 'already_decided']);
    expect((await resultOf(learner, other.id)).result.status).toBe('approved');
    expect((await send(learner, withdrawal(), randomUUID())).status).toBe(404);
  });

  it('is refused with what is wrong where it cannot be, before its file is sent', async () => {
    const bytes = pdf(80);
    for (const [more, status, code] of [
      [{ completed_on: addDays(today(), 1) }, 422, 'invalid_input'],
      [{ completed_on: '2026-01-05', expires_on: '2026-01-05' }, 422, 'invalid_input'],
      [{ completed_on: '2026-01-05', expires_on: '2025-12-31' }, 422, 'invalid_input'],
      [{ course_id: randomUUID() }, 404, 'not_found'],
    ] as const) {
      const change = submission(bytes, more);
      const answer = await send(learner, change);
      expect([answer.status, answer.body.code], JSON.stringify(more)).toEqual([status, code]);
      expect((await send(learner, change)).status).toBe(status);
      expect((await resultOf(learner, change.id)).status).toBe(404);
    }
    const own = (await learner.json<{ data: { id: string }[] }>('GET', '/submissions/courses')).body.data.map((c) => c.id);
    expect(own).toContain(fireSafety);
    const elsewhere = randomUUID();
    await server.database.db.run(sql`insert into courses (id, entity_id, title, short_title)
      select ${elsewhere}, id, 'Of another organisation', 'Other' from entities where slug = 'brightpath'`);
    expect(own).not.toContain(elsewhere);
    expect((await send(learner, submission(bytes, { course_id: elsewhere }))).status).toBe(404);
  });

  it('is refused where its file is not what it is said to be, and keeps nothing of a camera where it is', async () => {
    const marked = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#287' } })
      .withExif({ IFD0: { Model: 'Pocket' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLongitude: '0/1 7/1 0/1' } })
      .jpeg()
      .toBuffer();
    const picture = (bytes: Buffer) => submission(bytes, { file: { name: 'a.jpg', type: 'image/jpeg', bytes: bytes.length, hash: hashOf(bytes) } });
    for (const [bytes, change] of [
      [pdf(90), picture(pdf(90))],
      [marked, submission(marked)],
      [Buffer.from('\xff\xd8\xff\xe0 torn', 'latin1'), null],
      [Buffer.from('<html><script>alert(1)</script></html>'), null],
      [Buffer.from('MZ, a program'), null],
    ] as const) {
      const asked = change
        ? { ...change, args: { ...change.args, file: { ...change.args.file, bytes: bytes.length, hash: hashOf(bytes) } } }
        : picture(bytes);
      for (const answer of [await bring(bytes, asked), await send(learner, asked)])
        expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media']);
      expect([await pieces(asked.id), (await resultOf(learner, asked.id)).status]).toEqual([[], 404]);
    }
    const change = picture(marked);
    expect((await bring(marked, change)).body.data.status).toBe('pending');
    const kept = (await manager.send('GET', `/results/${change.id}/evidence`)).rawPayload;
    expect((await sharp(kept).metadata()).exif).toBeUndefined();
    expect((await putPiece(learner, randomUUID(), pdf(90), 0, Buffer.from('short'))).body.errors).toHaveProperty('data');
    const tooLarge = submission(pdf(1), { file: { name: 'a.pdf', type: 'application/pdf', bytes: evidenceLimits.bytes + 1, hash: hashOf(marked) } });
    expect((await send(learner, tooLarge)).status).toBe(422);
  });

  it('that did not arrive as it left is asked for again, and one that is never completed is forgotten', async () => {
    const bytes = pdf(1000);
    const change = submission(bytes);
    await putPiece(learner, change.id, bytes, 0, Buffer.concat([bytes.subarray(0, 1000), Buffer.from('not this!')]));
    expect((await send(learner, change)).body).toMatchObject({ data: { missing: [0] }, meta: { outcomes: [] } });
    await putPiece(learner, change.id, bytes, 0);
    const inDays = (days: number) => new Date(server.clock.now.getTime() + days * 86_400_000);
    expect((await forgetOldAnswers(server.database.db, inDays(31))).pieces).toBe(1);
    expect((await bring(bytes, change)).body.data.status).toBe('pending');
  });

  it('is nobody’s but its person’s: not under another session, and not with somebody’s id', async () => {
    const bytes = pdf(100);
    const change = submission(bytes);
    const colleague = await as('megan.davies@willowbrook.test');
    const mine = { 'x-lantern-actor': learnerId };
    await putPiece(learner, change.id, bytes, 0);
    for (const answer of [await send(colleague, change), await putPiece(colleague, change.id, bytes, 0), await send(manager, change)])
      expect(answer.status).toBe(404);
    const other = await send(colleague, submission(bytes), undefined, mine);
    expect([other.status, other.body.code]).toEqual([409, 'actor_mismatch']);
    expect((await send(learner, change)).body.data.status).toBe('pending');
    expect((await send(colleague, withdrawal(), change.id)).status).toBe(404);
    expect((await send(manager, withdrawal(), change.id)).status).toBe(404);
    expect((await resultOf(colleague, change.id)).status).toBe(404);
    const recorded = (await server.database.db.one<{ id: string }>(sql`select id from results where user_id <> ${learnerId} limit 1`))?.id as string;
    const taken = await send(learner, { ...submission(bytes), id: recorded }, recorded);
    expect(taken.status).toBe(404);
    const unlike = await send(learner, { ...change, args: { ...change.args, note: 'Something else' } });
    expect([unlike.status, unlike.body.code]).toEqual([422, 'idempotency_mismatch']);
  });
});
