import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRefusals, updateAttempt } from '#contract/api/attempts.ts';
import { contentDocument } from '#contract/api/learning.ts';
import { trainingRecords } from '#contract/api/results.ts';
import { getUser } from '#contract/api/users.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { Answer, AnswerKey, ContentDocument } from '#contract/entities/content.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { decodeText, decodeTexts } from '#contract/rules/holdable-text.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { addMonths, addMonthsToDay, dayIn, endOfDay } from '#contract/rules/days.ts';
import { forgetResults } from '#tests/support/forget-results.ts';
import { change, startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

type Update = {
  data: Attempt;
  meta: { outcomes: { id: string; outcome: string }[] };
  code: string;
  resolution: string[];
  current: Attempt;
  outcomes: { id: string; outcome: string }[];
  errors: Record<string, string[]>;
};
const content = demoId('content:infection-control');

describe('an attempt', () => {
  let server: TestApp;
  let learner: TestClient;
  let userId: string;
  let document: ContentDocument;
  let keys: Record<string, AnswerKey>;
  let person = 0;

  beforeAll(async () => {
    server = await startTestApp();
  });
  afterAll(() => server.close());

  /** Each test has its own learner, so that none depends on another. */
  const newLearner = async () => {
    person++;
    const { db } = server.database;
    const row = await db.one<{ email: string }>(
      sql`select email from users u where role_id = ${demoId('role:group:care')} and email <> 'learner@willowbrook.test' order by email offset ${person} limit 1`,
    );
    learner = server.client();
    userId = (await learner.signIn(row?.email as string)).uuid;
    await forgetResults(db, sql`user_id = ${userId}`);
    document = (await learner.json<{ data: ContentDocument }>('GET', `/content/${content}/document`)).body.data;
    keys =
      (await db.one<{ answer_keys: Record<string, AnswerKey> }>(sql`select answer_keys from content_versions where content_id = ${content}`))
        ?.answer_keys ?? {};
    return attemptIdOf(userId, content, 1);
  };
  const patch = (id: string, changes: unknown[], headers?: Record<string, string>) =>
    learner.json<Update>('PATCH', `/attempts/${id}`, { changes }, headers);
  const start = () => change('attempt.start', { content_id: content, content_version: 1 });
  const topics = () => document.lessons.flatMap((l) => l.topics);
  const complete = (topicId: string, device = 'a', seconds = 10) =>
    change('attempt.progress', { topic_id: topicId, state: 'completed', percent: 100, seconds: { [device]: seconds } });
  const quizId = () => document.quizzes[0]?.id as string;
  const rightAnswers = (attemptId: string, tryNo: number): Record<string, Answer> =>
    Object.fromEntries(
      drawQuestions(document.quizzes[0] as ContentDocument['quizzes'][number], attemptId, tryNo).map((q) => {
        const key = keys[q.id] as AnswerKey;
        const answer: Answer =
          key.kind === 'fill_gap'
            ? { kind: 'fill_gap', gaps: Object.fromEntries(Object.entries(key.gaps).map(([g, a]) => [g, a[0] as string])) }
            : key.kind === 'free_text'
              ? { kind: 'free_text', text: 'one two three four five six seven eight nine' }
              : ((({ feedback: _, ...rest }) => rest)(key) as Answer);
        return [q.id, answer];
      }),
    );
  const submit = (attemptId: string, tryNo = 1, answers = rightAnswers(attemptId, tryNo)) =>
    change('attempt.submit_quiz', { quiz_id: quizId(), try_no: tryNo, content_version: 1, answers });

  it('answers an attempt of many devices whole, compressed or not, and not again to one who has it', async () => {
    const id = await newLearner();
    const topic = topics()[0]?.id as string;
    await patch(id, [start()]);
    for (let i = 0; i < 4; i++)
      await patch(
        id,
        Array.from({ length: 150 }, () => complete(topic, randomUUID(), 1)),
      );
    const plain = await learner.send('GET', `/attempts/${id}`, undefined, { 'accept-encoding': 'identity' });
    for (const encoding of ['br', 'gzip'] as const) {
      const packed = await learner.send('GET', `/attempts/${id}`, undefined, { 'accept-encoding': encoding });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect((encoding === 'br' ? brotliDecompressSync : gunzipSync)(packed.rawPayload).toString()).toBe(plain.body);
    }
    expect(JSON.parse(plain.body).data.progress).toHaveLength(1);
    const known = await learner.send('GET', `/attempts/${id}`, undefined, { 'if-none-match': String(plain.headers.etag) });
    expect([known.statusCode, known.body]).toEqual([304, '']);
  });

  it('arrives whole in one request: start, pages, quiz, result, training record', async () => {
    const id = await newLearner();
    const { status, body } = await patch(id, [start(), ...topics().map((t) => complete(t.id)), submit(id)]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, state: 'graded', percent: 100, score: 100, passed: true });
    expect(body.meta.outcomes.every((o) => o.outcome === 'applied')).toBe(true);
    const records = await learner.json<{ data: { attempt_id: string; course_title: string; expires_at: string; completed_at: string }[] }>(
      'GET',
      `/users/${userId}/training-records`,
    );
    const record = records.body.data.find((r) => r.attempt_id === id);
    expect(record).toMatchObject({ course_title: 'Infection prevention and control' });
    expect(record?.expires_at).toBe(endOfDay(addMonthsToDay(dayIn(record?.completed_at as string, 'Europe/London'), 12), 'Europe/London'));
  });

  it('with a result is removed once its result was deleted, which stays in its history', async () => {
    const id = await newLearner();
    await patch(id, [start(), ...topics().map((t) => complete(t.id)), submit(id)]);
    const admin = server.client();
    await admin.signIn('admin@willowbrook.test');
    expect((await admin.json('DELETE', `/attempts/${id}`)).status).toBe(409);
    const records = () =>
      admin.json<{ data: { id: string; attempt_id: string | null; status: string }[] }>('GET', `/users/${userId}/training-records`);
    const result = (await records()).body.data.find((r) => r.attempt_id === id);
    expect((await admin.json('POST', `/results/${result?.id}/delete`, { reason: 'Done by somebody else' })).status).toBe(200);
    expect((await admin.json('DELETE', `/attempts/${id}`)).status).toBe(204);
    expect((await records()).body.data.find((r) => r.id === result?.id)).toMatchObject({ status: 'deleted', attempt_id: null });
  });

  it('is applied once however often the same changes arrive, also at the same time', async () => {
    const id = await newLearner();
    const changes = [start(), complete(topics()[0]?.id as string), submit(id, 1, {})];
    const answers = await Promise.all(Array.from({ length: 6 }, () => patch(id, changes)));
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200, 200, 200, 200]);
    const again = await patch(id, changes);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data.rev).toBe(answers[0]?.body.data.rev);
    const { db } = server.database;
    expect((await db.one<{ n: number }>(sql`select count(*)::int as n from quiz_submissions where attempt_id = ${id}`))?.n).toBe(1);
    expect((await db.one<{ n: number }>(sql`select count(*)::int as n from attempts where user_id = ${userId}`))?.n).toBe(1);
  });

  it('refuses the same id with other content', async () => {
    const id = await newLearner();
    const first = complete(topics()[0]?.id as string);
    await patch(id, [start(), first]);
    const { status, body } = await patch(id, [{ ...first, args: { ...first.args, percent: 50 } }]);
    expect(status).toBe(422);
    expect(body.code).toBe('idempotency_mismatch');
  });

  it('joins what two devices did, whichever arrives first, and never moves back', async () => {
    const id = await newLearner();
    const topic = topics()[0]?.id as string;
    await patch(id, [start(), complete(topic, 'tablet', 30)]);
    const { body } = await patch(id, [
      start(),
      change('attempt.progress', { topic_id: topic, state: 'started', percent: 20, seconds: { phone: 12, tablet: 10 } }),
    ]);
    expect(body.data.progress.find((p) => p.topic_id === topic)).toMatchObject({
      state: 'completed',
      percent: 100,
      seconds: { tablet: 30, phone: 12 },
    });
  });

  it('keeps the first hand-in of a try and answers the second with a conflict that can be resolved', async () => {
    const id = await newLearner();
    await patch(id, [start(), submit(id, 1, {})]);
    const late = submit(id, 1, rightAnswers(id, 1));
    const after = complete(topics()[0]?.id as string);
    const { status, body } = await patch(id, [after, late, complete(topics()[1]?.id as string)]);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'quiz_try_taken', resolution: ['new_try', 'keep_theirs', 'attach_evidence'] });
    expect(body.current.submissions).toHaveLength(1);
    expect(body.outcomes.map((o) => o.outcome)).toEqual(['applied', 'conflict']);
    const kept = await learner.json<{ data: { id: string; payload: { args: { answers: object } } }[] }>('GET', `/users/${userId}/refusals`);
    expect(kept.body.data.find((r) => r.id === late.id)?.payload.args.answers).toEqual((late.args as { answers: object }).answers);
    const asNewTry = await patch(id, [submit(id, 2)]);
    expect(asNewTry.body.data.submissions.at(-1)).toMatchObject({ try_no: 2, passed: true });
  });

  it('answers a lost conflict again with the same conflict', async () => {
    const id = await newLearner();
    await patch(id, [start(), submit(id, 1, {})]);
    const late = submit(id, 1);
    const [first, second] = [await patch(id, [late]), await patch(id, [late])];
    expect([first.status, second.status]).toEqual([409, 409]);
    expect(second.body.resolution).toEqual(first.body.resolution);
  });

  it('allows no more tries than the quiz has', async () => {
    const id = await newLearner();
    await patch(id, [start(), submit(id, 1, {}), submit(id, 2, {}), submit(id, 3, {})]);
    const { status, body } = await patch(id, [submit(id, 4)]);
    expect(status).toBe(409);
    expect(body.code).toBe('no_tries_left');
  });

  it('takes a page that arrives after a retake as a late fact, and refuses a quiz', async () => {
    const id = await newLearner();
    await patch(id, [start()]);
    const retake = await learner.json<Update>('POST', `/retake_attempt/${id}`);
    expect(retake.status).toBe(201);
    expect(retake.body.data.try_no).toBe(2);
    const late = await patch(id, [complete(topics()[0]?.id as string)]);
    expect(late.body.meta.outcomes[0]?.outcome).toBe('late');
    expect((await patch(id, [submit(id)])).body.code).toBe('attempt_closed');
  });

  it('can be begun again where the newest try was removed: a new one, and never the closed one', async () => {
    const id = await newLearner();
    await patch(id, [start()]);
    const second = (await learner.json<Update>('POST', `/retake_attempt/${id}`)).body.data;
    const manager = server.client();
    await manager.signIn('admin@willowbrook.test');
    expect((await manager.json('DELETE', `/attempts/${second.id}`)).status).toBe(204);
    const third = await learner.json<Update>('POST', `/users/${userId}/attempts`, { content_id: content });
    expect(third.body.data).toMatchObject({ try_no: 3, closed: false, percent: 0 });
    expect((await learner.json<Update>('POST', `/users/${userId}/attempts`, { content_id: content })).body.data.id).toBe(third.body.data.id);
    // Also from a device that queued it without a line.
    expect((await manager.json('DELETE', `/attempts/${third.body.data.id}`)).status).toBe(204);
    const queued = await patch(await attemptIdOf(userId, content, 4), [start(), complete(topics()[0]?.id as string)]);
    expect(queued.body.data).toMatchObject({ try_no: 4, closed: false });
    expect((await patch(await attemptIdOf(userId, content, 6), [start()])).status).toBe(404);
  });

  it('keeps whatever characters a package writes, and refuses at its field what a person could not have meant', async () => {
    const id = await newLearner();
    const odd = `x${String.fromCharCode(0)}${String.fromCharCode(0xd800)}😀`;
    const session = { item_id: 'one', session_id: randomUUID() };
    const facts = {
      ticks: 1,
      seconds: 1,
      completion: 'completed',
      success: 'passed',
      score: 90,
      percent: 100,
      cmi: { 'cmi.suspend_data': odd },
    } as const;
    const statement = { id: randomUUID(), at: '2026-01-02T03:04:05Z', verb: 'answered', statement: { [odd]: [odd] } };
    const sent = await patch(id, [
      start(),
      change('attempt.scorm_commit', { ...session, ...facts }),
      change('attempt.h5p_statements', { item_id: 'two', statements: [statement] }),
      change('attempt.h5p_state', { item_id: 'two', state: odd }),
    ]);
    expect(sent.body.meta.outcomes.map((o) => o.outcome)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const { data } = (await learner.json<Update>('GET', `/attempts/${id}`)).body;
    expect(decodeTexts(data.scorm[0]?.sessions[0]?.cmi)).toEqual(facts.cmi);
    expect(decodeText(data.h5p[0]?.state as string)).toBe(odd);
    const text = await patch(id, [
      change('attempt.answer', { quiz_id: randomUUID(), try_no: 1, question_id: randomUUID(), answer: { kind: 'free_text', text: odd } }),
    ]);
    expect(text.status).toBe(422);
    expect(Object.keys(text.body.errors)).toEqual(['changes.0.args.answer.text']);
    for (const at of ['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2026-01-01T25:00:00Z', `2026-01-01T00:00:00.${'1'.repeat(200)}Z`]) {
      const refused = await patch(id, [change('attempt.h5p_state', { item_id: 'two', state: 'x' }, { at })]);
      expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['changes.0.at']]);
    }
  });

  it('is not taken under another session', async () => {
    const id = await newLearner();
    const { status, body } = await patch(id, [start()], { 'X-Lantern-Actor': randomUUID() });
    expect(status).toBe(409);
    expect(body.code).toBe('actor_mismatch');
    // A message has no owner on the server yet: only the device's statement of its person protects it from another name.
    const to = await server.database.db.one<{ id: string }>(sql`select id from users where email = 'manager@willowbrook.test'`);
    const key = randomUUID();
    const said = await learner.json<{ code: string }>(
      'POST',
      `/users/${to?.id}/message`,
      { message: 'Somebody else wrote this' },
      { 'X-Lantern-Actor': randomUUID(), 'Idempotency-Key': key },
    );
    expect([said.status, said.body.code]).toEqual([409, 'actor_mismatch']);
    expect(await server.database.db.one(sql`select 1 as one from messages where message = 'Somebody else wrote this'`)).toBeUndefined();
  });

  it('cannot be touched by another person, and looks absent to them', async () => {
    const id = await newLearner();
    await patch(id, [start()]);
    const other = server.client();
    await other.signIn('learner@harbourview.test');
    expect((await other.json('GET', `/attempts/${id}`)).status).toBe(404);
    expect((await other.json('PATCH', `/attempts/${id}`, { changes: [complete(topics()[0]?.id as string)] })).status).toBe(404);
    const manager = server.client();
    await manager.signIn('admin@willowbrook.test');
    expect((await manager.json('GET', `/attempts/${id}`)).status).toBe(200);
    expect((await manager.json('PATCH', `/attempts/${id}`, { changes: [complete(topics()[0]?.id as string)] })).status).toBe(404);
  });

  it('names the field of a malformed change, and applies nothing of the request', async () => {
    const id = await newLearner();
    const bad = { ...complete(topics()[0]?.id as string), args: { topic_id: 'x', state: 'completed', percent: 101, seconds: {} } };
    const { status, body } = await patch(id, [start(), bad]);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(expect.arrayContaining(['changes.1.args.topic_id', 'changes.1.args.percent']));
    expect((await learner.json('GET', `/attempts/${id}`)).status).toBe(404);
  });

  it('works as the specification says without ids and without a queue', async () => {
    await newLearner();
    const created = await learner.json<Update>('POST', `/users/${userId}/attempts`, { content_id: content });
    expect(created.status).toBe(201);
    const again = await learner.json<Update>('POST', `/users/${userId}/attempts`, { content_id: content });
    expect(again.body.data.id).toBe(created.body.data.id);
    const step = await learner.json<Update>('PATCH', `/attempts/${created.body.data.id}`, { topic_id: topics()[0]?.id, state: 'completed' });
    expect(step.body.data.percent).toBeGreaterThan(0);
    const taken = await learner.json<{ data: { passed: boolean } }>('POST', '/quizzes/take', {
      attempt_id: created.body.data.id,
      quiz_id: quizId(),
      try_no: 1,
      answers: rightAnswers(created.body.data.id, 1),
    });
    expect(taken.body.data.passed).toBe(true);
    expect((await learner.json<{ data: Attempt }>('GET', '/attempts/current-attempt')).status).toBe(200);
    expect((await learner.json<{ data: Attempt[] }>('GET', `/users/${userId}/attempts`)).body.data).toHaveLength(1);
  });

  it('is refused until the course that has to come before it is completed, and what was done is kept', async () => {
    const id = await newLearner();
    const { db } = server.database;
    await db.run(
      sql`insert into content_prerequisites (content_id, group_no, required_content_id) values (${content}, 1, ${demoId('content:fire-safety')})`,
    );
    const begin = start();
    const { status, body } = await patch(id, [begin, complete(topics()[0]?.id as string)]);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'prerequisite_missing', resolution: ['start_prerequisite', 'ask_manager'] });
    expect((await learner.json<{ data: { prerequisites: unknown[] } }>('GET', `/content/${content}/document`)).body.data.prerequisites).toEqual([
      { prerequisite_contents: [{ id: demoId('content:fire-safety'), title: 'Fire safety', met: false }] },
    ]);
    await db.run(
      sql`insert into results (id, user_id, course_id, content_id, type, completed_at) values (${randomUUID()}, ${userId}, ${demoId('course:Fire safety')}, ${demoId('content:fire-safety')}, 'historical', now())`,
    );
    expect((await patch(id, [begin])).status).toBe(200);
    await db.run(sql`delete from content_prerequisites`);
    expect(await db.one(sql`select 1 as kept from refusals where entry_id = ${begin.id}`)).toBeDefined();
  });

  it('answers in the shape of the contract', async () => {
    const id = await newLearner();
    const done = await patch(id, [start(), complete(topics()[0]?.id as string), submit(id)]);
    for (const [schema, value] of [
      [updateAttempt.response, done.body.data],
      [contentDocument.response, document],
      [trainingRecords.response, (await learner.json('GET', `/users/${userId}/training-records`)).body.data],
      [getUser.response, (await learner.json('GET', `/users/${userId}`)).body.data],
      [listRefusals.response, (await learner.json('GET', `/users/${userId}/refusals`)).body.data],
    ] as const)
      expect(schema.safeParse(value).error?.issues ?? []).toEqual([]);
  });

  it('never gives the right answers away', async () => {
    await newLearner();
    const text = JSON.stringify((await learner.json('GET', `/content/${content}/document`)).body);
    expect(text).not.toContain('feedback');
    expect(text).not.toContain('"right":0');
    expect(Object.keys(keys).length).toBeGreaterThan(5);
  });
});

describe('a renewal date', () => {
  it('falls on the last day of a shorter month', () => {
    expect(addMonths('2026-01-31T10:00:00.000Z', 1, 'Europe/London')).toBe('2026-02-28T10:00:00.000Z');
    expect(addMonths('2026-11-21T10:00:00.000Z', 12, 'Europe/London')).toBe('2027-11-21T10:00:00.000Z');
  });
});
