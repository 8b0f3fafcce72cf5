import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Result, ResultProblem, ResultVersion } from '#contract/entities/result.ts';
import { addDays, dayIn, dayWords, instantOf } from '#contract/rules/days.ts';
import { endOfValidity } from '#contract/rules/result-dates.ts';
import { readConfig } from '#server/config.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { brandOfAddress } from '#server/features/branding/branding.rows.ts';
import { sendDigests } from '#server/features/results/decisions.service.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Whole = { result: Result; history: ResultVersion[] };
type Errors = { code: string; errors?: Record<string, string[]>; current?: Whole };
const zone = 'Europe/London';
const today = dayIn(new Date(), zone);
const day = (ago: number) => addDays(today, -ago);

describe('training records', () => {
  let server: TestApp;
  let admin: TestClient;
  let learner: TestClient;
  let elsewhere: TestClient;
  const amara = demoId('user:learner@willowbrook.test');
  const megan = demoId('user:megan.davies@willowbrook.test');
  const [fire, dementia] = [demoId('course:Fire safety'), demoId('course:Dementia awareness')];
  const entry = { completed_on: day(10), expiry: 'rule', expires_on: null, score: null, note: '', evidence_id: null, minutes: null, cpd_hours: null };
  const create = (client: TestClient, body: object) =>
    client.json<{ data: { ids: string[]; problems: ResultProblem[] } } & Errors>('POST', '/results', {
      ...{ id: randomUUID(), type: 'historical', user_ids: [amara], course_ids: [fire] },
      ...entry,
      ...body,
    });
  const record = async (client: TestClient, id = amara) => (await client.json<{ data: Result[] }>('GET', `/users/${id}/training-records`)).body.data;
  const one = async (id: string) => (await admin.json<{ data: Whole }>('GET', `/results/${id}`)).body.data;
  const correct = (client: TestClient, { rev }: Result, id: string, change: object) =>
    client.json<{ data: Whole } & Errors>('PATCH', `/results/${id}`, {
      ...{ ...entry, rev, certificate_suppressed: false, reason: 'The date was misread' },
      ...change,
    });
  const added = async (body: object = {}) => {
    const { body: answer } = await create(admin, body);
    expect(answer.data.problems).toEqual([]);
    return answer.data.ids[0] as string;
  };
  beforeAll(async () => {
    server = await startTestApp();
    [admin, learner, elsewhere] = [server.client(), server.client(), server.client()];
    await admin.signIn('admin@willowbrook.test');
    await learner.signIn('learner@willowbrook.test');
    await elsewhere.signIn('admin@brightpath.test');
  });
  afterAll(() => server.close());

  it('take the same result for several people and courses, say what could not be recorded, and nothing twice', async () => {
    const body = { id: randomUUID(), user_ids: [amara, megan], course_ids: [fire, dementia], completed_on: day(3000), cpd_hours: 1.5, minutes: 90 };
    const first = await create(admin, body);
    expect([first.status, first.body.data.ids.length, first.body.data.problems]).toEqual([201, 4, []]);
    const again = await create(admin, body);
    expect(again.body.data.ids.toSorted()).toEqual(first.body.data.ids.toSorted());
    // A result deleted since is not reported as recorded when the same call is repeated.
    const once = { id: randomUUID(), completed_on: day(3001) };
    const [recorded] = (await create(admin, once)).body.data.ids;
    await admin.json('POST', `/results/${recorded}/delete`, { reason: 'Recorded twice' });
    const repeated = (await create(admin, once)).body.data;
    expect([repeated.ids, repeated.problems.map((p) => p.problem)]).toEqual([[], ['This was recorded before, and deleted since.']]);
    const other = await create(admin, { ...body, id: randomUUID(), course_ids: [fire] });
    expect(other.body.data.problems.map((p) => p.problem)).toEqual(Array(2).fill('This course is recorded for them on that day already.'));
    const lines = (await record(admin)).filter((r) => dayIn(r.completed_at, zone) === day(3000));
    expect(lines.map((r) => r.course_title).toSorted()).toEqual(['Dementia awareness', 'Fire safety']);
    expect(lines[0]).toMatchObject({
      type: 'historical',
      origin: 'manual',
      cpd_hours: 1.5,
      minutes: 90,
      counts: false,
      recorded_by: { id: expect.any(String) },
    });
  });
  it('refuse what cannot be true, at its field', async () => {
    for (const [field, message, change] of [
      ['completed_on', 'This day has not come yet.', { completed_on: addDays(today, 2) }],
      ['expires_on', 'This has to be later than the date of completion.', { expiry: 'day', expires_on: day(10) }],
      ['expires_on', 'Enter the date until which it is valid.', { expiry: 'day' }],
      ['note', 'Enter the reason for the exemption.', { type: 'exempt' }],
      ['evidence_id', 'Choose the file again.', { evidence_id: randomUUID() }],
      ['user_ids', 'Choose people that you can see.', { user_ids: [randomUUID()] }],
      ['course_ids', 'Choose courses that your organisation has.', { course_ids: [randomUUID()] }],
    ] as const) {
      const { status, body } = await create(admin, change);
      expect([status, body.errors]).toEqual([422, { [field]: [message] }]);
    }
    expect((await create(learner, {})).status).toBe(403);
    expect((await create(elsewhere, {})).body.errors).toHaveProperty('user_ids');
  });
  it('keep an exemption with its reason and its end, without a certificate', async () => {
    const id = await added({ type: 'exempt', note: 'On maternity leave', expiry: 'day', expires_on: addDays(today, 60), completed_on: day(1) });
    const { result } = await one(id);
    expect(result).toMatchObject({
      type: 'exempt',
      certificate: false,
      note: 'On maternity leave',
      expires_at: endOfValidity(addDays(today, 60), zone),
    });
    expect((await learner.json('GET', `/results/${id}/certificate`)).status).toBe(404);
    expect((await one(await added({ type: 'exempt', note: 'Registered nurse', completed_on: day(2) }))).result.expires_at).toBeNull();
  });
  it('are corrected with a reason; every version stays, and of two at once the second sees both', async () => {
    const id = await added({ completed_on: day(30) });
    const { result } = await one(id);
    const after = await correct(admin, result, id, { completed_on: day(31), score: 80, note: 'Riverside College', minutes: 90, cpd_hours: 1.5 });
    expect([after.status, after.body.data.result.score]).toEqual([200, 80]);
    const late = await correct(admin, result, id, { completed_on: day(32) });
    expect([late.status, late.body.code, late.body.current?.result.score]).toEqual([409, 'rev_mismatch', 80]);
    const { history } = await one(id);
    expect(history.map((v) => [v.rev, v.change, dayIn(v.completed_at, zone), v.reason])).toEqual([
      [2, 'corrected', day(31), 'The date was misread'],
      [1, 'recorded', day(30), ''],
    ]);
    expect(history.map((v) => [v.minutes, v.cpd_hours, v.evidence])).toEqual([
      [90, 1.5, null],
      [null, null, null],
    ]);
    expect((await correct(admin, after.body.data.result, id, { reason: '' })).body.errors).toEqual({ reason: ['Enter the reason.'] });
    expect((await correct(learner, after.body.data.result, id, {})).status).toBe(403);
    expect((await correct(elsewhere, after.body.data.result, id, {})).status).toBe(404);
  });
  it('lose their evidence in a correction, with a reason; the version before keeps it, and nobody does where it is asked for', async () => {
    const { db } = server.database;
    const file = randomUUID();
    await db.run(sql`insert into evidence (id, hash, name, type, bytes, entity_id, uploaded_by, created_at)
      select ${file}, ${'a'.repeat(64)}, 'wrong-person.pdf', 'application/pdf', 10, primary_entity_id, id, now() from users where email = 'admin@willowbrook.test'`);
    const id = await added({ completed_on: day(41) });
    const proved = await correct(admin, (await one(id)).result, id, { completed_on: day(41), evidence_id: file });
    expect(proved.body.data.result.evidence).toBe('wrong-person.pdf');
    const kept = await correct(admin, proved.body.data.result, id, { completed_on: day(41), score: 70 });
    expect(kept.body.data.result.evidence).toBe('wrong-person.pdf');
    const remove = { completed_on: day(41), remove_evidence: true, reason: 'It is of somebody else' };
    await db.run(sql`update entities set require_training_record_evidence = true where slug = 'willowbrook'`);
    const refused = await correct(admin, kept.body.data.result, id, remove);
    expect(refused.body.errors).toMatchObject({ remove_evidence: [expect.stringMatching(/^Evidence is asked for by /)] });
    await db.run(sql`update entities set require_training_record_evidence = false where slug = 'willowbrook'`);
    const removed = await correct(admin, kept.body.data.result, id, remove);
    expect(removed.body.data.result.evidence).toBeNull();
    expect((await one(id)).history.map((v) => [v.evidence, v.reason])).toEqual([
      [null, 'It is of somebody else'],
      ['wrong-person.pdf', 'The date was misread'],
      ['wrong-person.pdf', 'The date was misread'],
      [null, ''],
    ]);
    expect((await admin.json('GET', `/results/${id}/evidence`)).status).toBe(404);
  });
  it('withhold a certificate where somebody may do so', async () => {
    const id = await added({ completed_on: day(33) });
    expect((await learner.send('GET', `/results/${id}/certificate`)).statusCode).toBe(200);
    const { result } = await one(id);
    expect((await correct(admin, result, id, { completed_on: day(33), certificate_suppressed: true })).body.data.result.certificate).toBe(false);
    expect((await learner.json('GET', `/results/${id}/certificate`)).status).toBe(404);
  });
  it('are deleted with a reason and restored; what was deleted counts for nobody and is seen by who may delete', async () => {
    const id = await added({ completed_on: day(0), course_ids: [dementia] });
    expect((await one(id)).result.counts).toBe(true);
    const gone = await admin.json<{ data: Whole } & Errors>('POST', `/results/${id}/delete`, { reason: 'Wrong person' });
    expect(gone.body.data.result).toMatchObject({ status: 'deleted', counts: false, change_reason: 'Wrong person' });
    expect((await record(learner)).map((r) => r.id)).not.toContain(id);
    for (const path of ['', '/evidence']) expect((await learner.json('GET', `/results/${id}${path}`)).status).toBe(404);
    expect((await record(admin)).find((r) => r.id === id)?.status).toBe('deleted');
    expect((await admin.json('POST', `/results/${id}/delete`, { reason: 'Again' })).status).toBe(404);
    const back = await admin.json<{ data: Whole }>('POST', `/results/${id}/restore`, { reason: 'It was right' });
    expect([back.body.data.result.status, back.body.data.history.length]).toEqual(['approved', 3]);
    expect((await learner.json('POST', `/results/${id}/delete`, { reason: 'Not mine' })).status).toBe(403);
    // Not even the database allows deleting one.
    await expect(server.database.db.run(sql`delete from results where id = ${id}`)).rejects.toThrow();
    await expect(server.database.db.run(sql`delete from result_versions where result_id = ${id}`)).rejects.toThrow();
  });
  it('that were submitted wait for a decision: several at once, not on one’s own, and not twice', async () => {
    const { db } = server.database;
    const submit = (user_id: string, completed: string) =>
      recordResults(
        db,
        [{ user_id, course_id: dementia, type: 'historical', origin: 'manual', status: 'pending', completed, recorded_by: user_id }],
        new Date(),
      );
    const [[a], [b], [own]] = await Promise.all([
      submit(amara, day(50)),
      submit(megan, day(51)),
      submit(demoId('user:admin@willowbrook.test'), day(52)),
    ]);
    const decide = (ids: (string | undefined)[], decision: string, reason = '') =>
      admin.json<{ data: { decided: string[]; problems: ResultProblem[] } } & Errors>('POST', '/results/decide', { ids, decision, reason });
    const pending = await admin.json<{ data: Result[] }>('GET', '/results?status=pending&type=historical');
    expect(pending.body.data.map((r) => r.id)).toEqual(expect.arrayContaining([a, b, own]));
    expect((await elsewhere.json<{ data: Result[] }>('GET', '/results?status=pending')).body.data.map((r) => r.id)).not.toContain(a);
    expect((await learner.json('GET', '/results?status=pending')).status).toBe(403);
    expect((await decide([a], 'reject')).body.errors).toEqual({ reason: ['Enter the reason.'] });
    expect((await decide([own], 'approve')).body.errors).toEqual({ ids: ['Somebody else has to decide on what you submitted yourself.'] });
    const chosen = (await decide([b, own], 'reject', 'The name is not theirs')).body.data;
    expect([chosen.decided, chosen.problems.map((p) => p.problem)]).toEqual([[b], ['Somebody else has to decide on what you submitted yourself.']]);
    const both = (await decide([a, b], 'approve')).body.data;
    expect([both.decided, both.problems.map((p) => p.problem)]).toEqual([[a], ['This is rejected already.']]);
    expect((await one(a as string)).result).toMatchObject({ status: 'approved', origin: 'approval', certificate: true });
    // Deleting and restoring does not approve it.
    for (const what of ['delete', 'restore']) await admin.json('POST', `/results/${b}/${what}`, { reason: 'The name is not theirs' });
    expect((await one(b as string)).result).toMatchObject({ status: 'rejected', change_reason: 'The name is not theirs', certificate: false });
    const graph = await admin.json<{ data: { pendingResults: { data: { id: string }[]; paginatorInfo: { total: number } } } }>('POST', '/graphql', {
      query:
        '{ pendingResults(type: historical) { data { id course_title user { name } } paginatorInfo { total lastPage } } results(first: 1) { data { id } } }',
    });
    expect(graph.body.data.pendingResults.data.map((r) => r.id)).toContain(own);
    const approve = await admin.json<{ errors: { extensions: { code: string } }[] }>('POST', '/graphql', {
      ...{ query: 'mutation ($id: ID!) { approvePendingResult(id: $id) { id status } }', variables: { id: a } },
    });
    expect(approve.body.errors[0]?.extensions.code).toBe('rev_mismatch');
  });
  it('that were decided on notify the people who submitted them: one message with the reason, and one e-mail', async () => {
    const { db } = server.database;
    const lines = [60, 61].map((ago) => ({ user_id: amara, completed: day(ago), recorded_by: amara }));
    const left = { user_id: demoId('user:rhys.evans@willowbrook.test'), completed: day(60), recorded_by: null };
    const ids = await recordResults(
      db,
      [...lines, left].map((line) => ({
        ...line,
        course_id: fire,
        type: 'historical' as const,
        origin: 'manual' as const,
        status: 'pending' as const,
      })),
      new Date(),
    );
    await db.run(sql`update users set disabled_at = now() where id = ${left.user_id}`);
    await db.run(sql`delete from outgoing_mail`);
    const rejected = await admin.json('POST', '/results/decide', { ids, decision: 'reject', reason: 'The name is not theirs' });
    expect(rejected.status, JSON.stringify(rejected.body)).toBe(200);
    await db.run(sql`update users set disabled_at = null where id = ${left.user_id}`);
    type Received = { message: string; sender: { name: string }; read_at: string | null };
    const received = async () => (await learner.json<{ data: Received[] }>('GET', `/users/${amara}/received/messages`)).body.data;
    const rejection = (await received()).find((m) => m.message.includes('rejected'));
    expect(rejection?.message.split('\n')).toEqual([
      ...[60, 61].map((ago) => `“Fire safety”, completed on ${dayWords(day(ago))}: rejected. It does not count.`),
      'Reason: The name is not theirs',
    ]);
    expect(await db.all(sql`select recipient from outgoing_mail`)).toEqual([{ recipient: 'learner@willowbrook.test' }]);
    // Deciding on hundreds does not open as many conversations; earlier decisions are not reported.
    const sent = async () =>
      (await admin.json<{ data: Received[] }>('GET', `/users/${demoId('user:admin@willowbrook.test')}/sent/messages`)).body.data;
    expect((await sent()).filter((m) => m.message.includes('rejected'))).toEqual([]);
    const before = (await received()).length;
    await admin.json('POST', '/results/decide', { ids, decision: 'approve' });
    expect((await received()).length).toBe(before);
  });
  it('are listed in every order, a page at a time, and found by person or course', async () => {
    type Listed = { data: Result[]; meta: { total: number } };
    const list = async (query: string) => (await admin.json<Listed>('GET', `/results?status=approved&${query}`)).body;
    const seen = await server.database.db.all<{
      id: string;
      recorded_at: string;
      completed_at: string;
      expires_at: string;
      name: string;
      course: string;
    }>(
      sql`select r.id, r.created_at as recorded_at, r.completed_at, r.expires_at, u.name, c.title as course
        from results r join users u on u.id = r.user_id join courses c on c.id = r.course_id join entities e on e.id = u.primary_entity_id
        where r.status = 'approved' and (e.slug = 'willowbrook' or e.parent_id = (select id from entities where slug = 'willowbrook'))`,
    );
    for (const sort of ['recorded_at', 'completed_at', 'expires_at', 'name', 'course'] as const)
      for (const down of [false, true]) {
        const key = sql`${{ text: { recorded_at: 'r.created_at', completed_at: 'r.completed_at', expires_at: 'r.expires_at', name: 'u.name', course: 'c.title' }[sort], values: [] }}`;
        const way = sql`${{ text: down ? 'desc' : 'asc', values: [] }}`;
        const expected = await server.database.db.all<{ id: string }>(
          sql`select r.id from results r join users u on u.id = r.user_id join courses c on c.id = r.course_id
            where r.id = any(${seen.map((r) => r.id)}::uuid[]) order by ${key} ${way}, r.id ${way} limit 10 offset 10`,
        );
        const { data, meta } = await list(`sort=${down ? '-' : ''}${sort}&per_page=10&page=2`);
        expect(
          data.map((r) => r.id),
          `${sort} ${down}`,
        ).toEqual(expected.map((r) => r.id));
        expect(meta.total).toBe(seen.length);
      }
    for (const search of ['amara', 'moving and']) {
      const { data, meta } = await list(`search=${search}&per_page=100`);
      const expected = seen.filter((r) => `${r.name}\n${r.course}`.toLowerCase().includes(search));
      expect(expected.length).toBeGreaterThan(0);
      expect([
        meta.total,
        data
          .map((r) => r.id)
          .sort()
          .slice(0, 100),
      ]).toEqual([
        expected.length,
        expected
          .map((r) => r.id)
          .sort()
          .slice(0, 100),
      ]);
    }
    expect((await list('page=1000')).data).toEqual([]);
  });

  it('that wait are announced once a day to approvers, if there is something new that is not theirs', async () => {
    const { db } = server.database;
    const config = readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', DATA_DIR: server.folder });
    const at = (ahead: number, time: string) => new Date(instantOf(addDays(today, ahead), time, zone));
    const send = async (now: Date) => {
      await db.run(sql`delete from outgoing_mail`);
      await sendDigests({ db, config, mail: createMailer(config, db, brandOfAddress), now: () => now, log: server.app.log });
      return db.all<{ recipient: string; body: string }>(sql`select recipient, body from outgoing_mail order by recipient`);
    };
    const submit = (user: string, now: Date) =>
      recordResults(
        db,
        [
          {
            user_id: demoId(`user:${user}@willowbrook.test`),
            course_id: dementia,
            type: 'historical',
            origin: 'manual',
            status: 'pending',
            completed: day(70),
          },
        ],
        now,
      );
    await submit('megan.davies', at(1, '05:00'));
    expect(await send(at(1, '06:59'))).toEqual([]);
    const first = await send(at(1, '07:10'));
    const to = first.map((m) => m.recipient);
    expect(to).toContain('admin@willowbrook.test');
    expect(to).not.toContain('learner@willowbrook.test');
    expect(to.some((address) => address.endsWith('@brightpath.test'))).toBe(false);
    expect(await send(at(2, '07:10'))).toEqual([]);
    await submit('admin', at(2, '08:00'));
    expect((await send(at(3, '07:10'))).map((m) => m.recipient)).not.toContain('admin@willowbrook.test');
    await submit('megan.davies', at(3, '08:00'));
    const mine = (await send(at(4, '07:10'))).filter((m) => m.recipient === 'admin@willowbrook.test');
    expect(mine).toHaveLength(1);
    expect(mine[0]?.body).toMatch(/^\d+ results wait for somebody to approve or reject them, 1 of them new:\n\S+\/results\/pending\/all$/m);
    const waiting = await admin.json<{ data: { results: number } }>('GET', '/dashboards/waiting');
    const listed = await admin.json<{ meta: { total: number } }>('GET', '/results?status=pending');
    expect(mine[0]?.body).toContain(`${waiting.body.data.results} results wait`);
    expect(listed.body.meta.total).toBeGreaterThan(waiting.body.data.results);
  });
});
