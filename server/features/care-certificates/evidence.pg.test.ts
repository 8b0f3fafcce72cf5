import { createHash, randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { partsOf } from '#contract/commands/evidence-commands.ts';
import type { CareCertificate, ObservationRecord, SignatureArgs } from '#contract/entities/care-certificate.ts';
import type { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { createFileStore } from '#server/files/file-store.ts';
import { forgetOldAnswers } from '#server/jobs/retention.ts';
import { checkDatabase } from '#server/operator/check-database.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const drawing = 'M10 10L60 90L120 20';

describe('what proves an observation', () => {
  let server: TestApp;
  let trainer: TestClient;
  let manager: TestClient;
  let learner: TestClient;
  let stranger: TestClient;
  let certificate: CareCertificate;
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const change = (command: string, args: object) => ({ id: randomUUID(), version: 1, at: server.clock.now.toISOString(), command, args });
  type Answer = { data: CareCertificate; code?: string };
  const send = (who: TestClient, ...changes: object[]) => who.json<Answer>('PATCH', `/care-certificates/${certificate.id}`, { changes });
  const read = async (who = trainer) => (await who.json<Answer>('GET', `/care-certificates/${certificate.id}`)).body.data;
  const record = (more: Partial<ObservationRecord> = {}): ObservationRecord => ({
    ...{ done_at: server.clock.now.toISOString(), method: 'observation', setting: '', seen: 'Seen.', feedback: 'Well done.' },
    criteria: [{ criterion: '1.1a', outcome: 'met', action: null, due: null }],
    ...more,
  });
  const observe = async (said = record()) => {
    const seen = change('observation.record', said);
    expect((await send(trainer, seen)).status).toBe(200);
    return { id: seen.id, said };
  };
  const sign = async (about: { id: string; said: ObservationRecord }, more: Partial<SignatureArgs> = {}) =>
    change('observation.sign', {
      ...{ about: about.id, signer: 'assessor', method: 'drawn', drawing, content: await contentHash(about.said), agrees: null, comment: '' },
      ...more,
    });
  const pieces = (bytes: Buffer) =>
    Array.from({ length: partsOf(bytes.length) }, (_, i) => bytes.subarray(i * evidenceLimits.pieceBytes, (i + 1) * evidenceLimits.pieceBytes));
  type FileAnswer = { data: EvidenceFile; meta: { outcomes: { outcome: string }[] }; errors?: Record<string, string[]> };
  const putPiece = (who: TestClient, id: string, bytes: Buffer, i: number, data = pieces(bytes)[i] as Buffer) =>
    who.json<FileAnswer>('POST', `/care-evidence/${id}/pieces/${i}`, {
      ...{ certificate_id: certificate.id, bytes: bytes.length, data: data.toString('base64') },
    });
  const add = (who: TestClient, id: string, bytes: Buffer, more: object = {}) =>
    who.json<FileAnswer>('PATCH', `/care-evidence/${id}`, {
      changes: [{ ...change('evidence.add', { certificate_id: certificate.id, bytes: bytes.length, hash: hashOf(bytes) }), id, ...more }],
    });
  const bring = async (bytes: Buffer) => {
    const id = randomUUID();
    for (const i of pieces(bytes).keys()) await putPiece(trainer, id, bytes, i);
    return { id, answer: await add(trainer, id, bytes) };
  };
  const fetchFile = async (who: TestClient, id: string) => {
    const { statusCode: status, rawPayload: bytes } = await who.send('GET', `/care-certificates/${certificate.id}/evidence/${id}`);
    return { status, bytes };
  };

  const broken = async () =>
    (await checkDatabase(server.database.db, createFileStore(`${server.folder}/files`))).findings.filter((f) =>
      /evidence|certificate/.test(f.problem),
    );

  beforeAll(async () => {
    server = await startTestApp();
    [trainer, manager, learner, stranger] = (await Promise.all(
      ['trainer@willowbrook.test', 'manager@willowbrook.test', 'grace.adeyemi@willowbrook.test', 'admin@brightpath.test'].map(as),
    )) as [TestClient, TestClient, TestClient, TestClient];
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) select ${demoId('user:manager@willowbrook.test')}, unnest(array[86, 89]) on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 10_000);
    certificate = (await manager.json<Answer>('POST', '/care-certificates', { user_id: demoId('user:grace.adeyemi@willowbrook.test') })).body.data;
  });
  afterAll(() => server.close());

  it('comes in pieces, in any order and more than once, and is one file in the end', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(2.4 * evidenceLimits.pieceBytes)]);
    const id = randomUUID();
    expect((await add(trainer, id, bytes)).body).toMatchObject({ data: { missing: [0, 1, 2], received_at: null }, meta: { outcomes: [] } });
    expect((await putPiece(trainer, id, bytes, 2)).body).toMatchObject({ data: { missing: [0, 1] } });
    await putPiece(trainer, id, bytes, 0);
    expect((await putPiece(trainer, id, bytes, 2)).body).toMatchObject({ data: { missing: [1] } });
    expect((await add(trainer, id, bytes)).body.data.missing).toEqual([1]);
    expect((await fetchFile(trainer, id)).status).toBe(404);
    await putPiece(trainer, id, bytes, 1);
    expect((await add(trainer, id, bytes)).body).toMatchObject({ data: { missing: [], fit: true }, meta: { outcomes: [{ outcome: 'applied' }] } });
    expect((await add(trainer, id, bytes)).body.meta.outcomes).toMatchObject([{ outcome: 'applied' }]);
    const file = await fetchFile(learner, id);
    expect(file.status).toBe(200);
    expect(hashOf(file.bytes)).toBe(hashOf(bytes));
    expect((await server.database.db.all(sql`select 1 from care_evidence_parts where file_id = ${id}`)).length).toBe(0);
    expect((await read()).evidence).toMatchObject([{ id, fit: true, missing: [] }]);
  });

  it('that is never completed is forgotten after a while, and asked for again where the rest comes after all', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1.4 * evidenceLimits.pieceBytes)]);
    const id = randomUUID();
    await putPiece(trainer, id, bytes, 0);
    const inDays = (days: number) => new Date(server.clock.now.getTime() + days * 86_400_000);
    expect((await forgetOldAnswers(server.database.db, inDays(29))).pieces).toBe(0);
    expect((await add(trainer, id, bytes)).body.data.missing).toEqual([1]);
    expect((await forgetOldAnswers(server.database.db, inDays(31))).pieces).toBe(1);
    expect((await add(trainer, id, bytes)).body.data.missing).toEqual([0, 1]);
    for (const i of [0, 1]) await putPiece(trainer, id, bytes, i);
    expect((await add(trainer, id, bytes)).body).toMatchObject({ data: { missing: [], fit: true }, meta: { outcomes: [{ outcome: 'applied' }] } });
  });

  it('that did not arrive as it left is asked for again', async () => {
    const bytes = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1000)]);
    const id = randomUUID();
    await putPiece(trainer, id, bytes, 0, Buffer.concat([bytes.subarray(0, 1000), Buffer.from('not this!')]));
    expect((await add(trainer, id, bytes)).body).toMatchObject({ data: { missing: [0] }, meta: { outcomes: [] } });
    await putPiece(trainer, id, bytes, 0);
    expect((await add(trainer, id, bytes)).body.data.fit).toBe(true);
    const short = await putPiece(trainer, randomUUID(), bytes, 0, bytes.subarray(0, 9));
    expect([short.status, Object.keys(short.body.errors ?? {})]).toEqual([422, ['data']]);
  });

  it('keeps nothing that a camera has left in a picture, and says of what is no picture that it does not fit', async () => {
    const plain = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#287' } })
      .jpeg()
      .toBuffer();
    const marked = await sharp(plain)
      .withExif({ IFD0: { Model: 'Pocket' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLongitude: '0/1 7/1 0/1' } })
      .toBuffer();
    const { id, answer } = await bring(marked);
    expect(answer.body.data.fit).toBe(true);
    const kept = (await fetchFile(manager, id)).bytes;
    expect((await sharp(kept).metadata()).exif).toBeUndefined();
    expect(kept.includes('Pocket')).toBe(false);
    const torn = await bring(Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), randomBytes(500)]));
    const page = await bring(Buffer.from('<html><script>alert(1)</script></html>'));
    expect([torn.answer.body.data.fit, page.answer.body.data.fit]).toEqual([false, false]);
    expect([(await fetchFile(trainer, torn.id)).status, (await fetchFile(trainer, page.id)).status]).toEqual([404, 404]);
    expect(await broken()).toEqual([]);
  });

  it('is one file where it is added twice while its picture is decoded', async () => {
    const large = await sharp({ create: { width: 6000, height: 6000, channels: 3, background: '#287' } })
      .withExif({ IFD0: { Model: 'Pocket' } })
      .jpeg({ progressive: true })
      .toBuffer();
    const { pieceBytes } = evidenceLimits;
    expect(large.length).toBeGreaterThan(pieceBytes);
    const id = randomUUID();
    for (const i of pieces(large).keys()) await putPiece(trainer, id, large, i);
    const done: string[] = [];
    const added = add(trainer, id, large).then(({ body }) => done.push(`fit: ${body.data.fit}`));
    const again = add(trainer, id, large).then(({ body }) => done.push(`fit: ${body.data.fit}`));
    await Promise.all([added, again]);
    expect(done).toEqual(['fit: true', 'fit: true']);
    expect((await server.database.db.all(sql`select 1 from care_evidence_parts where file_id = ${id}`)).length).toBe(0);
  });

  it('is nobody’s business who may not see the certificate, and is added by nobody to their own', async () => {
    const bytes = Buffer.from('%PDF-1.7 short');
    const { id } = await bring(bytes);
    expect((await fetchFile(stranger, id)).status).toBe(404);
    expect((await putPiece(stranger, randomUUID(), bytes, 0)).status).toBe(404);
    expect((await putPiece(learner, randomUUID(), bytes, 0)).status).toBe(403);
    // Another assessor cannot write into somebody's file.
    expect((await putPiece(manager, id, bytes, 0)).status).toBe(404);
  });

  it('is signed as it stands: by the assessor, by the learner who may disagree, and by nobody for what it does not say', async () => {
    const seen = await observe();
    expect((await send(trainer, await sign(seen))).status).toBe(200);
    const wrong = await send(trainer, await sign({ ...seen, said: { ...seen.said, seen: 'Something else' } }));
    expect([wrong.status, wrong.body.code]).toEqual([422, 'content_mismatch']);
    const disagrees = await sign(seen, { signer: 'learner', agrees: false, comment: 'I was not asked.' });
    expect((await send(trainer, disagrees)).status).toBe(200);
    const confirmed = await sign(seen, { signer: 'learner', method: 'signed_in', drawing: null, agrees: true });
    expect((await send(learner, confirmed)).status).toBe(200);
    expect((await read()).signatures.filter((s) => s.about === seen.id).map((s) => [s.signer, s.method, s.agrees, s.by.name])).toEqual([
      ['assessor', 'drawn', null, 'Tomasz Zielinski'],
      ['learner', 'drawn', false, 'Tomasz Zielinski'],
      ['learner', 'signed_in', true, 'Grace Adeyemi'],
    ]);
    for (const [who, more] of [
      // Not for somebody else, not without a drawing, not as the learner who is signed in elsewhere.
      [learner, { signer: 'assessor', method: 'signed_in', drawing: null }],
      [learner, { signer: 'learner', method: 'drawn', agrees: true }],
      [trainer, { signer: 'learner', method: 'signed_in', drawing: null, agrees: true }],
      [trainer, { signer: 'learner', method: 'drawn', drawing: null, agrees: true }],
      [manager, { signer: 'assessor' }],
      [trainer, { signer: 'witness' }],
    ] as const)
      expect((await send(who, await sign(seen, more as Partial<SignatureArgs>))).status, JSON.stringify(more)).toBe(403);
    await expect(server.database.db.run(sql`update observation_signatures set agrees = true`)).rejects.toThrow('only ever added');
  });

  it('has a witness without an account, who counts as asked when a colleague has done so, and not before', async () => {
    const witness = { name: 'Nurse Bell', role: 'District nurse', relationship: 'Visits weekly', contact: '', statement: 'She washed her hands.' };
    const seen = await observe(record({ method: 'witness_testimony', witness }));
    expect((await send(trainer, await sign(seen, { signer: 'witness' }))).status).toBe(200);
    const asked = { signer: 'verifier', method: 'signed_in', drawing: null, comment: 'Rang her.' } as const;
    expect((await send(trainer, await sign(seen, asked))).status).toBe(403);
    expect((await send(manager, await sign(seen, asked))).status).toBe(200);
  });

  it('lets nobody out of line of sight before a standard is met', async () => {
    const grant = (standard: string, level: string) => change('supervision.grant', { standard, level, note: '' });
    const early = await send(trainer, grant('8', 'indirect'));
    expect([early.status, early.body.code]).toEqual([422, 'standard_open']);
    expect((await send(trainer, grant('8', 'line_of_sight'))).status).toBe(200);
    expect((await send(trainer, grant('17', 'indirect'))).body.code).toBe('not_found');
    expect((await send(learner, grant('8', 'line_of_sight'))).status).toBe(403);
    expect((await read()).supervision).toMatchObject([{ standard: '8', level: 'line_of_sight', by: { name: 'Tomasz Zielinski' } }]);
    expect(await broken()).toEqual([]);
  });
});
