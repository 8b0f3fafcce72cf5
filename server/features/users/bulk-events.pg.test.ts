import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import type { Result as TrainingRecord } from '#contract/entities/result.ts';
import type { BulkEvent, BulkPerson, Evidence } from '#contract/entities/bulk-event.ts';
import { addDays, dayIn } from '#contract/rules/days.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Answer = { data: { event: BulkEvent; people: BulkPerson[] }; code: string; errors: Record<string, string[]> };
const person = (email: string) => demoId(`user:${email}`);
const [amara, liam, manager] = [person('learner@willowbrook.test'), person('liam.murphy@willowbrook.test'), person('manager@willowbrook.test')];
const course = demoId('course:Fire safety');

describe('an event for many people', () => {
  let server: TestApp;
  let admin: TestClient;
  const day = (back: number) => addDays(dayIn(server.clock.now, 'Europe/London'), -back);
  beforeAll(async () => {
    server = await startTestApp();
    admin = server.client();
    await admin.signIn('admin@willowbrook.test');
  });
  afterAll(() => server.close());
  const record = (more: object, client = admin) =>
    client.json<Answer>('POST', '/users/bulk-add-events', { course_id: course, type: 'face2face', completed_on: day(3), ...more });
  const results = async () =>
    (
      await server.database.db.one<{ n: number }>(
        sql`select count(*)::int as n from current_results where course_id = ${course} and (completed_at at time zone 'UTC')::date = ${day(3)}`,
      )
    )?.n;

  it('is recorded for those for whom it can be, says why not for the others, and lasts as long as the job role says', async () => {
    await server.database.db.run(sql`update users set disabled_at = ${new Date(server.clock.now.getTime() - 10 * 86_400_000)} where id = ${liam}`);
    const id = randomUUID();
    const first = await record({ id, user_ids: [amara, liam] });
    expect(first.status).toBe(201);
    expect(first.body.data.event).toMatchObject({ course: { title: 'Fire safety' }, recorded: 1, refused: 1 });
    expect(first.body.data.people).toMatchObject([
      { id: liam, problem: 'They had left by then.' },
      { id: amara, problem: null },
    ]);
    const made = await server.database.db.one<{ days: number; type: string }>(
      sql`select type, (expires_at::date - completed_at::date) as days from results where user_id = ${amara} and course_id = ${course} order by completed_at desc limit 1`,
    );
    expect(made).toMatchObject({ type: 'face2face', days: expect.toSatisfy((n: number) => n === 365 || n === 366) });
    // Repeated with one more person: nobody is recorded twice.
    const again = await record({ id, user_ids: [amara, liam, manager] });
    expect(again.body.data.event).toMatchObject({ recorded: 2, refused: 1 });
    expect(await results()).toBe(2);
    const other = await record({ id: randomUUID(), user_ids: [amara] });
    expect(other.body.data.people[0]?.problem).toBe('This course is recorded for them on that day already.');

    const undone = await admin.json<Answer>('POST', `/users/bulk-add-events/${id}/undo`);
    expect(undone.body.data.event.undone_at).not.toBeNull();
    expect(await results()).toBe(0);
    expect((await record({ id, user_ids: [amara] })).body.code).toBe('rev_mismatch');
    expect((await admin.json('POST', `/users/bulk-add-events/${id}/undo`)).status).toBe(200);
    const history = (await admin.json<{ data: BulkEvent[] }>('GET', '/users/bulk-add-events')).body.data;
    expect(history.map((e) => [e.recorded, e.refused, e.undone_at !== null])).toEqual(
      expect.arrayContaining([
        [2, 1, true],
        [0, 1, false],
      ]),
    );
    expect(await server.database.db.all(sql`select action from audit_log where subject_kind = 'event' and subject_id = ${id} order by no`)).toEqual(
      ['created', 'created', 'deleted'].map((action) => ({ action })),
    );
  });

  it.each<[string, object, string, RegExp]>([
    ['a day that has not come', { completed_on: '2099-01-01' }, 'completed_on', /not come yet/],
    ['no day', { completed_on: '2026-02-31x' }, 'completed_on', /date/],
    ['a course that is not there', { course_id: demoId('nothing') }, 'course_id', /organisation has/],
    ['nobody', { user_ids: [] }, 'user_ids', /at least one/],
    ['somebody elsewhere', { user_ids: [amara, person('learner@harbourview.test')] }, 'user_ids', /you can see/],
  ])('is refused for %s, and nothing is recorded', async (_what, more, field, words) => {
    const before = await server.database.db.one(sql`select count(*) from results`);
    const { status, body } = await record({ id: randomUUID(), user_ids: [amara], ...more });
    expect([status, body.errors[field]?.[0]]).toEqual([422, expect.stringMatching(words)]);
    expect(await server.database.db.one(sql`select count(*) from results`)).toEqual(before);
  });

  it('is seen, and taken back, only by those who see the organisation', async () => {
    const id = randomUUID();
    await record({ id, user_ids: [manager] });
    const outsider = server.client();
    await outsider.signIn('admin@brightpath.test');
    await server.database.db.run(
      sql`insert into user_permissions (user_id, permission_id) values (${person('admin@brightpath.test')}, 111) on conflict do nothing`,
    );
    server.clock.now = new Date(server.clock.now.getTime() + 5000);
    expect((await outsider.json('GET', `/users/bulk-add-events/${id}`)).status).toBe(404);
    expect((await outsider.json('POST', `/users/bulk-add-events/${id}/undo`)).status).toBe(404);
  });

  it('finds its people by place, job role and tag', async () => {
    const count = async (query: string) => (await admin.json<{ meta: { total: number } }>('GET', `/users?per_page=1&${query}`)).body.meta.total;
    const [all, house] = [await count(''), await count('entity=willowbrook-house')];
    expect(house).toBeGreaterThan(0);
    expect(house).toBeLessThan(all);
    expect(await count('entity=harbour-view')).toBe(0);
    expect(await count(`role_id=${demoId('role:group:care')}`)).toBeGreaterThan(0);
    const tag = (await admin.json<{ data: { id: string } }>('POST', '/entities/willowbrook/tags', { name: 'North' })).body.data.id;
    await admin.json('PATCH', `/entities/willowbrook/tags/${tag}`, { entity_ids: [demoId('entity:home')] });
    expect(await count(`tag_id=${tag}`)).toBe(house);
    const stranger = person('learner@harbourview.test');
    expect(await count(`ids=${amara},${stranger}`)).toBe(1);
    expect((await admin.json('GET', '/users?ids=amara')).status).toBe(422);
  });

  it('is proved by a file where an organisation asks for that, and the file goes with the record', async () => {
    const upload = async (file: Buffer, name: string, client = admin) => {
      const answer = await client.send('POST', `/users/evidence?file_name=${encodeURIComponent(name)}`, file, {
        'content-type': 'application/octet-stream',
      });
      return { status: answer.statusCode, body: answer.json() as { data: Evidence; errors: Record<string, string[]> } };
    };
    await admin.json('PATCH', '/entities/willowbrook', { require_training_record_evidence: true });
    const id = randomUUID();
    const event = { id, completed_on: day(20), user_ids: [amara, manager] };
    const asked = await record(event);
    expect([asked.status, asked.body.errors]).toEqual([422, { evidence_id: ['Evidence is asked for by Willowbrook House: add a file.'] }]);

    for (const file of [Buffer.from('no picture'), Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), Buffer.from([0xff, 0xd8, 0xff, 0xe0])])
      expect(await upload(file, 'a.jpg')).toMatchObject({
        status: 422,
        body: { errors: { evidence: [expect.stringContaining('This file cannot be used.')] } },
      });
    expect(await upload(Buffer.alloc(0), 'empty.jpg')).toMatchObject({
      status: 422,
      body: { errors: { evidence: [expect.stringContaining('empty')] } },
    });
    const photograph = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0a7' } })
      .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitude: '53/1 0/1 0/1' } })
      .png()
      .toBuffer();
    const made = await upload(photograph, 'Régister of May.png');
    expect([made.status, made.body.data]).toMatchObject([201, { name: 'Régister of May.jpg', type: 'image/jpeg' }]);
    const theirs = server.client();
    await theirs.signIn('admin@brightpath.test');
    const notOurs = await upload(photograph, 'x.png', theirs);
    expect((await record({ ...event, evidence_id: notOurs.body.data.id })).body.errors).toEqual({ evidence_id: ['Choose the file again.'] });

    const recorded = await record({ ...event, evidence_id: made.body.data.id });
    expect([recorded.status, recorded.body.data.event]).toMatchObject([201, { recorded: 2, evidence: { name: 'Régister of May.jpg' } }]);
    const learner = server.client();
    await learner.signIn('learner@willowbrook.test');
    const records = (await learner.json<{ data: TrainingRecord[] }>('GET', `/users/${amara}/training-records`)).body.data;
    const proved = records.filter((r) => r.evidence);
    expect(proved.map((r) => [r.course_title, r.evidence])).toEqual([['Fire safety', 'Régister of May.jpg']]);
    for (const [client, path, status] of [
      [learner, `/results/${proved[0]?.id}/evidence`, 200],
      [admin, `/users/bulk-add-events/${id}/evidence`, 200],
      [theirs, `/results/${proved[0]?.id}/evidence`, 404],
      [theirs, `/users/bulk-add-events/${id}/evidence`, 404],
      [learner, `/results/${records.find((r) => !r.evidence)?.id}/evidence`, 404],
    ] as const) {
      const answer = await client.send('GET', path);
      expect([path, answer.statusCode]).toEqual([path, status]);
      if (status !== 200) continue;
      expect(answer.headers['content-disposition']).toContain("filename*=UTF-8''R%C3%A9gister%20of%20May.jpg");
      const { exif, format, width } = await sharp(answer.rawPayload).metadata();
      expect([exif, format, width]).toEqual([undefined, 'jpeg', 60]);
    }
    // Part of the people were recorded before one whose organisation requires evidence: the file counts for all of them.
    const lee = await server.database.db.one<{ id: string }>(
      sql`select u.id from users u join entities e on e.id = u.primary_entity_id where e.slug = 'willowbrook-home-care' order by u.id limit 1`,
    );
    await admin.json('PATCH', '/entities/willowbrook', { require_training_record_evidence: false });
    await admin.json('PATCH', '/entities/willowbrook-house', { require_training_record_evidence: true });
    const parts = { id: randomUUID(), completed_on: day(30) };
    expect((await record({ ...parts, user_ids: [lee?.id] })).status).toBe(201);
    expect((await record({ ...parts, user_ids: [amara] })).status).toBe(422);
    expect((await record({ ...parts, user_ids: [amara], evidence_id: made.body.data.id })).body.data.event).toMatchObject({ recorded: 2 });
    const unproved = await server.database.db.all(
      sql`select 1 as one from results r join bulk_event_people p on p.result_id = r.id where p.bulk_id = ${parts.id} and r.evidence_id is null`,
    );
    expect(unproved).toEqual([]);
    // An exemption is a decision, and needs no evidence.
    expect((await record({ ...event, id: randomUUID(), type: 'exempt', completed_on: day(21) })).status).toBe(201);
    const pdf = await upload(Buffer.from('%PDF-1.7\n%%EOF'), 'Certificate.PDF');
    expect(pdf.body.data).toMatchObject({ name: 'Certificate.pdf', type: 'application/pdf' });
  });
  it('and any other training record is removed by who may, with what it said in the audit log; one of a register is changed there', async () => {
    const { db } = server.database;
    const [event] = (await admin.json<{ data: TrainingRecord[] }>('GET', `/users/${amara}/training-records`)).body.data.filter(
      (r) => r.attempt_id === null && r.status === 'approved',
    );
    const remove = (client: TestClient, id: string | undefined) =>
      client.json<{ message: string }>('POST', `/results/${id}/delete`, { reason: 'Recorded twice' });
    const helen = server.client();
    await helen.signIn('manager@willowbrook.test');
    expect((await remove(helen, event?.id)).status).toBe(403);
    const elsewhere = server.client();
    await elsewhere.signIn('admin@brightpath.test');
    expect((await remove(elsewhere, event?.id)).status).toBe(404);
    expect((await remove(admin, event?.id)).status).toBe(200);
    expect((await remove(admin, event?.id)).status).toBe(404);
    expect(
      await db.one(sql`select before -> 'training_record' ->> 'course' as course from audit_log where action = 'deleted' and subject_id = ${amara}`),
    ).toEqual({
      course: event?.course_title,
    });
    const held = await db.one<{ id: string }>(sql`select id from results where delegate_id is not null limit 1`);
    const refused = await remove(admin, held?.id);
    expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('Change it in the register.')]);
  });
});
