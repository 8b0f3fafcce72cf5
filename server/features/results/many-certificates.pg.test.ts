import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Result } from '#contract/entities/result.ts';
import { addDays, dayIn, dayWords } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { readPdf } from '#tests/support/read-pdf.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

const path = '/results/certificate/download-multiple';
const today = dayIn(new Date(), 'Europe/London');
const fileDay = (day: string) => dayWords(day).replaceAll('/', '-');
/** The files of a ZIP, with their text where it is text. */
const filesOf = (zip: Buffer) => unzipSync(zip);
const leftOut = (zip: Buffer) => (parse(Buffer.from(filesOf(zip)['left-out.csv'] ?? ''), { bom: true }) as string[][]).slice(1);

describe('certificates of many', () => {
  let server: TestApp;
  let admin: TestClient;
  let manager: TestClient;
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
  const fire = demoId('course:Fire safety');
  const dementia = demoId('course:Dementia awareness');
  const as = async (email: string) => {
    const client = server.client();
    await client.signIn(email);
    return client;
  };
  const ask = (client: TestClient, body: object) => client.send('POST', path, body);
  const added = async (user: string, course: string, more: object = {}): Promise<Result> => {
    const { body } = await admin.json<{ data: { ids: string[] } }>('POST', '/results', {
      ...{ id: randomUUID(), type: 'historical', user_ids: [user], course_ids: [course], completed_on: addDays(today, -40), expiry: 'never' },
      ...{ expires_on: null, score: null, note: '', evidence_id: null, minutes: null, cpd_hours: null },
      ...more,
    });
    return (await admin.json<{ data: { result: Result } }>('GET', `/results/${body.data.ids[0]}`)).body.data.result;
  };
  const correct = (of: Result, change: object) =>
    admin.json<{ data: { result: Result } }>('PATCH', `/results/${of.id}`, {
      ...{
        completed_on: dayIn(of.completed_at, of.zone),
        expiry: 'never',
        expires_on: null,
        score: null,
        note: '',
        evidence_id: null,
        minutes: null,
      },
      ...{ cpd_hours: null, rev: of.rev, certificate_suppressed: false, reason: 'It was misread', ...change },
    });
  beforeAll(async () => {
    server = await startTestApp();
    admin = await as('admin@willowbrook.test');
    manager = await as('manager@willowbrook.test');
    for (const [id, name] of [
      [first, 'Zofia Wiśniewska'],
      [second, 'Seán "Jack" O’Neill/Byrne'],
      [third, 'Nobody Yet'],
    ] as const)
      await server.database.db.run(
        sql`insert into users (id, name, email, primary_entity_id) values (${id}, ${name}, ${`${id}@willowbrook.test`}, ${demoId('entity:home')})`,
      );
  });
  afterAll(() => server.close());

  it('are a ZIP with a file each, of people the newest of each course, and say what is left out and why', async () => {
    await added(first, fire, { completed_on: addDays(today, -400) });
    const newest = await added(first, fire, { expiry: 'day', expires_on: addDays(today, 300) });
    const withheld = await added(first, dementia);
    await correct(withheld, { certificate_suppressed: true });
    await added(second, fire);
    await added(second, dementia, { type: 'exempt', note: 'On leave' });
    await recordResults(
      server.database.db,
      [
        {
          user_id: second,
          course_id: demoId('course:Oral health'),
          type: 'historical',
          origin: 'manual',
          status: 'pending',
          completed: today,
          recorded_by: second,
        },
      ],
      new Date(),
    );
    const answer = await ask(manager, { user_ids: [first, second, third] });
    expect([answer.statusCode, answer.headers['content-type'], answer.headers['x-left-out']]).toEqual([200, 'application/zip', '4']);
    expect(answer.headers['content-disposition']).toContain(`certificates Helen Marsh ${fileDay(today)}.zip`);
    const files = filesOf(answer.rawPayload);
    const day = fileDay(addDays(today, -40));
    expect(Object.keys(files)).toEqual([
      `Seán Jack O’Neill Byrne - Fire safety - ${day}.pdf`,
      `Zofia Wiśniewska - Fire safety - ${day}.pdf`,
      'left-out.csv',
    ]);
    expect(leftOut(answer.rawPayload).map(([name, course, , why]) => [name, course, why])).toEqual([
      ['Seán "Jack" O’Neill/Byrne', 'Dementia awareness', 'An exemption has no certificate.'],
      ['Seán "Jack" O’Neill/Byrne', 'Oral health', 'Not approved yet.'],
      ['Zofia Wiśniewska', 'Dementia awareness', 'The certificate is suppressed.'],
      ['Nobody Yet', '', 'Nothing recorded yet.'],
    ]);
    const { lines, title } = await readPdf(files[`Zofia Wiśniewska - Fire safety - ${day}.pdf`] as Uint8Array);
    expect(title).toBe('Fire safety – Zofia Wiśniewska');
    expect(lines).toContain(`Completed on ${dayWords(addDays(today, -40))} · Renew by ${dayWords(addDays(today, 300))}`);
    expect(lines).toContain(`Certificate number ${newest.certificate_number?.replace(/(.{4})(?=.)/g, '$1-')}`);
  });

  it('of two with one name are two files', async () => {
    const [a, b] = [randomUUID(), randomUUID()];
    for (const id of [a, b])
      await server.database.db.run(sql`insert into results (id, user_id, course_id, type, completed_at)
        values (${id}, ${second}, ${fire}, 'elearning', ${new Date(Date.now() - 90 * 86_400_000)})`);
    const answer = await ask(manager, { result_ids: [a, b] });
    expect(Object.keys(filesOf(answer.rawPayload)).map((n) => n.replace(/^.*-20\d\d/, ''))).toEqual(['.pdf', ' (2).pdf']);
  });

  it('carry the dates of the current version, and never come from what is suppressed, deleted, pending or rejected', async () => {
    const result = await added(first, fire, { completed_on: addDays(today, -20) });
    const text = async () => {
      const answer = await manager.send('GET', `/results/${result.id}/certificate`);
      return answer.statusCode === 200 ? (await readPdf(answer.rawPayload)).lines.join(' ') : answer.statusCode;
    };
    const transcript = async () => (await readPdf((await manager.send('GET', `/users/${first}/training-certificate`)).rawPayload)).lines.join(' ');
    expect(await text()).toContain(`Completed on ${dayWords(addDays(today, -20))} · Does not expire`);
    const corrected = (await correct(result, { completed_on: addDays(today, -21), expiry: 'day', expires_on: addDays(today, 44) })).body.data.result;
    expect(await text()).toContain(`Completed on ${dayWords(addDays(today, -21))} · Renew by ${dayWords(addDays(today, 44))}`);
    expect(await transcript()).toContain(dayWords(addDays(today, -21)));
    const many = async () => (await ask(manager, { result_ids: [result.id] })).statusCode;
    expect(await many()).toBe(200);
    await correct(corrected, { completed_on: addDays(today, -21), certificate_suppressed: true });
    expect([await text(), await many()]).toEqual([404, 204]);
    expect(await transcript()).not.toContain(dayWords(addDays(today, -21)));
    const other = await added(first, fire, { completed_on: addDays(today, -19) });
    for (const status of ['pending', 'rejected', 'deleted']) {
      await server.database.db.run(sql`update results set status = ${status} where id = ${other.id}`);
      expect([status, (await manager.send('GET', `/results/${other.id}/certificate`)).statusCode]).toEqual([status, 404]);
      expect([status, (await ask(manager, { result_ids: [other.id] })).statusCode]).toEqual([status, 204]);
      expect(await transcript()).not.toContain(dayWords(addDays(today, -19)));
    }
  });

  it('need permission to download: 403 otherwise, and nothing of people one does not see', async () => {
    expect((await ask(await as('admin@brightpath.test'), { user_ids: [first] })).statusCode).toBe(204);
    expect((await ask(await as('learner@willowbrook.test'), { user_ids: [first] })).statusCode).toBe(204);
    expect((await ask(manager, { user_ids: [third] })).statusCode).toBe(204);
    expect((await ask(manager, {})).statusCode).toBe(422);
    const { db } = server.database;
    const types = await db.all<{ type_id: string }>(sql`delete from type_permissions where permission_id = 7 returning type_id`);
    const without = await as('manager@willowbrook.test');
    expect((await ask(without, { user_ids: [first] })).statusCode).toBe(403);
    expect((await without.send('GET', `/users/${first}/wallet-card`)).statusCode).toBe(403);
    expect((await without.send('POST', '/users/wallet-cards', { user_ids: [first] })).statusCode).toBe(403);
    expect((await without.send('GET', `/users/${first}/training-certificate`)).statusCode).toBe(403);
    await db.run(sql`delete from type_permissions where permission_id = 6`);
    expect((await ask(await as('manager@willowbrook.test'), { user_ids: [first] })).statusCode).toBe(403);
    for (const { type_id } of types)
      await db.run(sql`insert into type_permissions (type_id, permission_id) values (${type_id}, 6), (${type_id}, 7) on conflict do nothing`);
  });

  it('are on a wallet card while they are in date, with permission to download', async () => {
    const [person, empty] = [randomUUID(), randomUUID()];
    for (const [id, name] of [
      [person, 'Card Holder'],
      [empty, 'Without Card'],
    ] as const)
      await server.database.db.run(
        sql`insert into users (id, name, email, primary_entity_id) values (${id}, ${name}, ${`${id}@willowbrook.test`}, ${demoId('entity:home')})`,
      );
    await added(person, fire, { expiry: 'day', expires_on: addDays(today, 90) });
    const past = await added(person, dementia, { completed_on: addDays(today, -300), expiry: 'day', expires_on: addDays(today, -1) });
    const withheld = await added(person, demoId('course:Oral health'));
    await correct(withheld, { certificate_suppressed: true });
    const card = (client: TestClient, id: string) => client.send('GET', `/users/${id}/wallet-card`);
    const own = await card(manager, person);
    expect(own.headers['content-disposition']).toContain(`Card Holder wallet card ${fileDay(today)}.pdf`);
    const { lines } = await readPdf(own.rawPayload);
    expect(lines.slice(0, 3)).toEqual(['Card Holder', expect.any(String), 'Fire safety']);
    expect(lines[3]).toContain(`Renew by ${dayWords(addDays(today, 90))} · `);
    for (const course of [past.course_title, withheld.course_title]) expect(lines).not.toContain(course);
    expect((await card(manager, empty)).statusCode).toBe(204);
    expect((await card(await as('learner@willowbrook.test'), person)).statusCode).toBe(404);
    expect((await card(await as('admin@brightpath.test'), person)).statusCode).toBe(404);
    const sheet = await manager.send('POST', '/users/wallet-cards', { user_ids: [empty, person] });
    expect([sheet.statusCode, sheet.headers['x-left-out']]).toEqual([200, '1']);
    expect((await readPdf(sheet.rawPayload)).lines).toContain('Card Holder');
    expect((await manager.send('POST', '/users/wallet-cards', { user_ids: [empty] })).statusCode).toBe(204);
    expect((await (await as('admin@brightpath.test')).send('POST', '/users/wallet-cards', { user_ids: [person] })).statusCode).toBe(204);
    expect((await manager.send('POST', '/users/wallet-cards', { user_ids: [] })).statusCode).toBe(422);
  });

  it('are made by a job where they are many, and kept for the person who asked', { timeout: 90_000 }, async () => {
    const { db } = server.database;
    await db.run(sql`insert into users (id, name, email, primary_entity_id)
      select md5('bulk' || n)::uuid, 'Bulk ' || lpad(n::text, 4, '0'), 'bulk' || n || '@willowbrook.test', ${demoId('entity:home')} from generate_series(1, 450) n`);
    await db.run(sql`insert into results (id, user_id, course_id, type, completed_at)
      select gen_random_uuid(), md5('bulk' || n)::uuid, ${fire}, 'elearning', now() from generate_series(1, 440) n`);
    const ids = await db.all<{ id: string }>(sql`select id from users where email like 'bulk%'`);
    const chosen = { user_ids: ids.map((u) => u.id) };
    const client = await as('manager@willowbrook.test');
    const begun = await ask(client, chosen);
    expect([begun.statusCode, begun.json()]).toEqual([202, { data: { progress: 0, rows: 0, total: 440 } }]);
    const answer = await vi.waitFor(
      async () => {
        const asked = await ask(client, { user_ids: [...chosen.user_ids].reverse() });
        expect(asked.statusCode).toBe(200);
        return asked;
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(answer.headers['x-left-out']).toBe('10');
    const files = filesOf(answer.rawPayload);
    expect(Object.keys(files)).toHaveLength(441);
    const last = Object.entries(files).find(([name]) => name.startsWith('Bulk 0440'));
    expect((await readPdf(last?.[1] as Uint8Array)).lines).toContain('Bulk 0440');
    expect(leftOut(answer.rawPayload)).toHaveLength(10);
    // Somebody else must request their own.
    expect((await ask(admin, chosen)).statusCode).toBe(202);
  });
});
