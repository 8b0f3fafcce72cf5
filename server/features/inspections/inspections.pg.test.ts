import { createHash, randomUUID } from 'node:crypto';
import { strFromU8, unzipSync, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type Inspection,
  type InspectionCopy,
  InspectionDocument,
  inspectionLimits,
  type InspectionFound,
  InspectionManifest,
  InspectionSignature,
} from '#contract/entities/inspection.ts';
import type { PersonCompliance } from '#contract/entities/compliance.ts';
import { checkInspection, inspectionFiles } from '#contract/rules/inspection-check.ts';
import { designFrom } from '#contract/design-templates.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { signatureWords } from '#contract/rules/policy-signature.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { checkInspectionFile } from '#server/operator/check-inspection.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { change, startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const asked = (name: string, filter: object = {}) => ({
  ...{ name, filter, certificates: true, care_certificates: true, policies: true },
});
const learner = demoId('user:learner@willowbrook.test');

describe('an inspection pack', () => {
  let server: TestApp;
  let admin: TestClient;
  let pack: Inspection;
  let zip: Record<string, Uint8Array>;
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const freeze = async (name: string, filter: object = {}): Promise<Inspection> => {
    const { status, body } = await admin.json<{ data: Inspection }>('POST', '/inspections', asked(name, filter));
    expect([status, body.data.state]).toEqual([202, 'waiting']);
    return vi.waitFor(
      async () => {
        const { data } = (await admin.json<{ data: Inspection }>('GET', `/inspections/${body.data.id}`)).body;
        expect([data.state, data.problem]).toEqual(['ready', null]);
        return data;
      },
      { timeout: 60_000, interval: 200 },
    );
  };
  const files = (of: Record<string, Uint8Array>) =>
    new Map(Object.entries(of).filter(([name]) => name !== inspectionFiles.manifest && name !== inspectionFiles.signature));
  const textOf = (name: string) => strFromU8(zip[name] as Uint8Array);
  const signature = () => InspectionSignature.parse(JSON.parse(textOf(inspectionFiles.signature)));
  const copyOf = async (id: string) => (await admin.json<{ data: InspectionCopy }>('GET', `/inspections/${id}/copy`)).body.data;

  beforeAll(async () => {
    server = await startTestApp();
    admin = await as('admin@willowbrook.test');
    pack = await freeze('Inspection of November', { users: [learner, demoId('user:manager@willowbrook.test')] });
    zip = unzipSync((await admin.send('GET', `/inspections/${pack.id}/file?format=zip`)).rawPayload);
  }, 120_000);
  afterAll(() => server.close());

  it('holds each person with every required course, their certificates, and a list of its files that is signed', async () => {
    const document = InspectionDocument.parse(JSON.parse(textOf(inspectionFiles.data)));
    const amara = document.people.find((p) => p.name === 'Amara Okafor');
    const { data } = (await admin.json<{ data: PersonCompliance[] }>('GET', `/users/${learner}/compliant-courses`)).body;
    const required = data.filter((c) => c.type === 'primary').map((c) => [c.course_title, c.status]);
    expect(required.length).toBeGreaterThan(5);
    expect(
      amara?.lines
        .filter((l) => l.type === 'primary')
        .map((l) => [document.courses[l.c]?.title, l.status])
        .sort(),
    ).toEqual(required.sort());
    expect([document.people.length, pack.people, document.score]).toEqual([2, 2, pack.score]);
    const numbers = document.people.flatMap((p) => p.lines.flatMap((l) => l.certificate ?? []));
    expect(Object.keys(zip).filter((name) => name.startsWith('certificates/')).length).toBe(pack.certificates);
    expect(numbers.length).toBe(pack.certificates);
    const text = (await readPdf(zip[inspectionFiles.document] as Uint8Array)).lines.join(' ');
    expect(text).toContain('Amara Okafor');
    for (const number of numbers) expect(text).toContain(number);
    expect(await checkInspection(textOf(inspectionFiles.manifest), signature(), files(zip), true)).toMatchObject({ kind: 'unchanged' });
  });

  it('is found out wherever something of it was changed, left out or put in', async () => {
    const manifest = textOf(inspectionFiles.manifest);
    const check = (of: Map<string, Uint8Array>, text = manifest, by = signature()) => checkInspection(text, by, of, true);
    const other = files(zip);
    const data = Uint8Array.from(other.get(inspectionFiles.data) as Uint8Array);
    data[100] = (data[100] as number) ^ 1;
    expect(await check(other.set(inspectionFiles.data, data))).toEqual({ kind: 'changed', what: 'data.json was changed.' });
    const less = files(zip);
    less.delete(inspectionFiles.document);
    expect(await check(less)).toEqual({ kind: 'changed', what: 'pack.pdf is missing.' });
    expect(await check(files(zip).set('more.pdf', data))).toEqual({ kind: 'changed', what: 'more.pdf is not one of its files.' });
    const listed = InspectionManifest.parse(JSON.parse(manifest));
    const said = JSON.stringify({ ...listed, frozen_by: 'Somebody Else' });
    const unsigned = { kind: 'changed', what: 'The list of its files does not have the signature.' };
    expect(await check(files(zip), said)).toEqual(unsigned);
    expect(await check(files(zip), manifest, { ...signature(), signature: Buffer.alloc(64).toString('base64') })).toEqual(unsigned);
    expect(await check(files(zip), manifest, { ...signature(), public_key: 'x' })).toEqual(unsigned);
  });

  it('is checked by a command that needs nothing but the file', async () => {
    const bytes = (await admin.send('GET', `/inspections/${pack.id}/file?format=zip`)).rawPayload;
    expect(await checkInspectionFile(bytes)).toMatchObject({
      verdict: { kind: 'unchanged', manifest: { id: pack.id } },
      key: signature().public_key,
    });
    const turned = Uint8Array.from(bytes);
    turned[2000] = (turned[2000] as number) ^ 1;
    expect((await checkInspectionFile(turned)).verdict.kind).toBe('changed');
    for (const [wrong, what] of [
      [Buffer.from('no zip'), 'It cannot be read as a ZIP.'],
      [zipSync({ 'a.txt': new Uint8Array(1) }), 'It has no manifest.json.'],
      [zipSync({ 'manifest.json': new Uint8Array(1), 'signature.json': new Uint8Array(1) }), 'Its signature.json cannot be read.'],
    ] as const)
      expect((await checkInspectionFile(wrong)).verdict).toEqual({ kind: 'changed', what });
  });

  it('stays as it was, whatever is recorded later, and follows the one before it', async () => {
    const before = await copyOf(pack.id);
    const done = await admin.json('POST', '/results', {
      ...{ id: randomUUID(), type: 'historical', user_ids: [learner], course_ids: [demoId('course:Infection prevention and control')] },
      ...{
        completed_on: '2026-01-02',
        expiry: 'never',
        expires_on: null,
        score: null,
        note: 'Riverside College',
        evidence_id: null,
        minutes: null,
        cpd_hours: null,
      },
    });
    expect(done.status).toBe(201);
    const later = await freeze('After it', { users: [learner] });
    expect(await copyOf(pack.id)).toEqual(before);
    expect(InspectionManifest.parse(JSON.parse((await copyOf(later.id)).manifest)).previous).toBe(pack.hash);
    const { db } = server.database;
    await expect(db.run(sql`update inspections set people = 99 where id = ${pack.id}`)).rejects.toThrow('never changed');
    await expect(db.run(sql`delete from inspections where id = ${pack.id}`)).rejects.toThrow('never changed');
  });

  it('is identified for anyone with the fingerprint of one of its files, and for nobody else', async () => {
    const anybody = server.client();
    const ask = async (bytes: Uint8Array | string) => {
      const hash = typeof bytes === 'string' ? bytes : createHash('sha256').update(bytes).digest('hex');
      return (await anybody.json<{ data?: InspectionFound }>('GET', `/inspections/verify/${hash}`)).body.data ?? null;
    };
    const certificate = Object.keys(zip).find((name) => name.startsWith('certificates/')) as string;
    const said = { organisation: 'Willowbrook Care Group', name: 'Inspection of November', frozen_at: pack.frozen_at, frozen_by: pack.asked_by.name };
    expect(await ask(zip[certificate] as Uint8Array)).toEqual({ ...said, file: certificate });
    expect(await ask((await admin.send('GET', `/inspections/${pack.id}/file?format=pdf`)).rawPayload)).toMatchObject(said);
    expect(await ask((await admin.send('GET', `/inspections/${pack.id}/file?format=zip`)).rawPayload)).toEqual({ ...said, file: null });
    expect(await ask('0'.repeat(64))).toBeNull();
  });

  it('says who has read and signed which policy, in which version, and who has to and has not', async () => {
    const courseId = demoId('course:Fire safety');
    const design = designFrom('policy');
    const made = await admin.json<{ data: { id: string } }>('POST', '/designed-contents', { course_id: courseId, title: 'Gifts', design });
    const content = made.body.data.id;
    const publish = async () => expect((await admin.json('POST', `/content/${content}/publish`, {})).status).toBeLessThan(300);
    await publish();
    const person = await as('learner@willowbrook.test');
    const page = design.pages.find((p) => p.rows.some((r) => r.blocks.some((b) => b.kind === 'acknowledgement')));
    const block = page?.rows.flatMap((r) => r.blocks).find((b) => b.kind === 'acknowledgement');
    if (!page || block?.kind !== 'acknowledgement') throw new Error('The template of a policy has nothing to sign.');
    const changes = [
      change('attempt.start', { content_id: content, content_version: 1 }),
      change('attempt.answer', { quiz_id: page.id, try_no: 0, question_id: block.id, answer: { kind: 'free_text', text: 'Amara O.' } }),
      change('attempt.progress', { topic_id: block.id, state: 'completed', percent: 100, seconds: { tablet: 4 } }),
    ];
    const signed = await person.json('PATCH', `/attempts/${await attemptIdOf(learner, content, 1)}`, { changes });
    expect(signed.status).toBe(200);
    const frozenOf = async (name: string) =>
      InspectionDocument.parse(JSON.parse((await copyOf((await freeze(name, { courses: [courseId] })).id)).document));
    const [policy] = (await frozenOf('With policies')).policies ?? [];
    expect(policy).toMatchObject({ title: 'Gifts', course: 'Fire safety', text: block.text, version: 1 });
    expect(policy?.people.find((p) => p.person === 'Amara Okafor')).toMatchObject({ signed_as: 'Amara O.', version: 1 });
    const others = policy?.people.filter((p) => p.person !== 'Amara Okafor') ?? [];
    expect(others.length).toBeGreaterThan(1);
    expect(new Set(others.map((p) => p.version))).toEqual(new Set([null]));
    // A signature is kept when it is published again: for the version that was signed.
    await admin.json('PATCH', `/designed-contents/${content}`, { title: 'Gifts and favours' });
    await publish();
    const [later] = (await frozenOf('After it was published again')).policies ?? [];
    expect([later?.title, later?.version]).toEqual(['Gifts and favours', 2]);
    expect(later && signatureWords(later, later.people.find((p) => p.person === 'Amara Okafor') ?? { version: null })).toBe(
      'Signed an earlier version',
    );
    // People who took another content of the course have nothing to sign in this one, until they must do the course again; people who have
    // begun this one have.
    const { db } = server.database;
    const name = others[0]?.person ?? '';
    const somebody = (await db.one<{ id: string }>(sql`select id from users where name = ${name}`))?.id ?? '';
    const isAsked = async (pack: string) => (await frozenOf(pack)).policies?.[0]?.people.some((p) => p.person === name);
    const doneIn = (contentId: string, expires: Date) =>
      db.run(sql`insert into results (id, user_id, course_id, content_id, type, completed_at, expires_at, created_at)
        values (${randomUUID()}, ${somebody}, ${courseId}, ${contentId}, 'elearning', ${server.clock.now}, ${expires}, ${server.clock.now})`);
    const days = (n: number) => new Date(server.clock.now.getTime() + n * 86_400_000);
    await doneIn(demoId('content:fire-safety'), days(-1));
    expect(await isAsked('Another content that ran out')).toBe(true);
    await doneIn(demoId('content:fire-safety'), days(100));
    expect(await isAsked('Another content')).toBe(false);
    await doneIn(content, days(100));
    expect(await isAsked('Both contents')).toBe(true);
    // A content of one house is not required of another; a withdrawn version is not the one to sign; unpublished ones are not required.
    await db.run(sql`update contents set entity_id = ${demoId('entity:branch')} where id = ${content}`);
    const [ofBranch] = (await frozenOf('Of one house')).policies ?? [];
    const unsigned = ofBranch?.people.filter((p) => p.version === null) ?? [];
    expect(unsigned.length).toBeLessThan(others.length);
    expect(new Set(unsigned.map((p) => p.service)).size).toBeLessThan(2);
    expect(ofBranch?.people.some((p) => p.person === 'Amara Okafor')).toBe(true);
    await db.run(sql`update contents set current_version = 1 where id = ${content}`);
    const [back] = (await frozenOf('After the second was withdrawn')).policies ?? [];
    expect([back?.version, back?.people.find((p) => p.person === 'Amara Okafor')?.version]).toEqual([1, 1]);
    await db.run(sql`update contents set published = false where id = ${content}`);
    expect((await frozenOf('After it was taken back')).policies).toEqual([]);
    const without = await admin.json<{ data: Inspection }>('POST', '/inspections', { ...asked('Without', { users: [learner] }), policies: false });
    await vi.waitFor(async () => expect(JSON.parse((await copyOf(without.body.data.id)).document)).toMatchObject({ policies: null }), {
      timeout: 60_000,
    });
  });

  it('is for those who may take the matrix as a document, of their own organisation', async () => {
    const [other, person, root] = [await as('admin@brightpath.test'), await as('learner@willowbrook.test'), await as('super@lantern.test')];
    for (const path of ['', '/copy', '/file'])
      expect([path, (await other.send('GET', `/inspections/${pack.id}${path}`)).statusCode]).toEqual([path, 404]);
    expect((await other.json<{ data: Inspection[] }>('GET', '/inspections')).body.data).toEqual([]);
    expect((await person.send('GET', `/inspections/${pack.id}`)).statusCode).toBe(403);
    expect((await root.json('POST', '/inspections', asked('Everybody'))).body).toMatchObject({
      errors: { filter: ['A pack belongs to an organisation. Choose the one that you act for first.'] },
    });
    const nobody = await admin.json('POST', '/inspections', asked('Nobody', { users: [randomUUID()] }));
    expect([nobody.status, nobody.body]).toMatchObject([422, { errors: { filter: ['Nobody matches these choices.'] } }]);
  });

  it('is frozen so often in a day and no more, and again the next day', async () => {
    const { db } = server.database;
    const place = (await db.one<{ id: string }>(sql`select entity_id as id from inspections where id = ${pack.id}`))?.id ?? null;
    await db.run(sql`insert into inspections (id, entity_id, name, asked, chosen, asked_by, asked_at)
      select gen_random_uuid(), ${place}, 'Many', '{}'::jsonb, '', asked_by, ${server.clock.now} from inspections, generate_series(1, ${inspectionLimits.aDay}::int) where id = ${pack.id}`);
    const refused = await admin.json<{ code: string; message: string }>('POST', '/inspections', asked('One more', { users: [learner] }));
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts']);
    expect(refused.body.message).toMatch(/^Willowbrook.* asked for \d+ inspection packs within 24 hours/);
    await db.run(sql`update inspections set asked_at = asked_at - interval '25 hours' where name = 'Many'`);
    expect((await freeze('The next day', { users: [learner] })).name).toBe('The next day');
  });
});
