import 'fake-indexeddb/auto';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '#contract/entities/attempt.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import type { Register } from '#contract/entities/training-session.ts';
import type { Answer, AnswerKey, ContentDocument } from '#contract/entities/content.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { requiredTopics } from '#contract/rules/completion.ts';
import { demoId } from '#server/db/demo/authoring.ts';
import { sql } from '#server/db/sql.ts';
import { retakeCourse } from '#src/device/start-course.ts';
import { recordProgress, saveAnswer, submitQuiz } from '#src/offline/kinds/attempt/commands.ts';
import { completeRegister, noteOwnRegisters } from '#src/offline/kinds/register/commands.ts';
import { fetchTries } from '#src/offline/media/packs.ts';
import { costOf } from '#src/offline/kinds/explain.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { sendAsNewTry } from '#src/offline/outbox/resolve.ts';
import type { Entry } from '#src/offline/ports.ts';
import type { AttemptRow } from '#src/offline/store/person-db.ts';
import { lineTo } from '#tests/faults/real/inject-server.ts';
import { RealDevice } from '#tests/faults/real/real-device.ts';
import { change, startTestApp, type TestApp, type TestClient } from '#tests/support/test-app.ts';

/** What a learner does on a second device, which does not know what was done on the first: it counts where it belongs. */
const content = demoId('content:fire-safety');

describe('a second device of one learner', () => {
  let server: TestApp;
  let tablet: RealDevice;
  let first: TestClient;
  let person: { id: string; email: string };
  let document: ContentDocument;
  let keys: Record<string, AnswerKey>;
  beforeAll(async () => {
    server = await startTestApp();
    // Three of the questions are drawn for each try, of which there are three.
    await server.database.db.run(sql`update content_versions set document = jsonb_set(document, '{quizzes,0}',
      (document -> 'quizzes' -> 0) || '{"is_randomized": true, "question_qty": 3, "max_tries": 3}') where content_id = ${content}`);
    keys = (
      await server.database.db.one<{ answer_keys: Record<string, AnswerKey> }>(
        sql`select answer_keys from content_versions where content_id = ${content}`,
      )
    )?.answer_keys as Record<string, AnswerKey>;
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    server.clock.now = new Date();
    const id = randomUUID();
    person = { id, email: `${id}@willowbrook.test` };
    await server.database.db.run(sql`insert into users (id, name, email, password_hash, email_verified_at, primary_entity_id, role_id, type_id)
      select ${id}, 'Two Devices', ${person.email}, password_hash, now(), primary_entity_id, role_id, type_id from users where email = 'learner@willowbrook.test'`);
    first = server.client();
    await first.signIn(person.email);
    tablet = new RealDevice(lineTo(server.app));
    await tablet.open(await tablet.signIn(person.email));
    document = await tablet.document(content);
    await tablet.db.contents.put({ id: content, version: document.version, document, kept_at: '' });
  });
  afterEach(() => tablet.forget());

  const quiz = () => document.quizzes[0] as ContentDocument['quizzes'][number];
  const rightOn = (attemptId: string, tryNo: number): Record<string, Answer> =>
    Object.fromEntries(
      drawQuestions(quiz(), attemptId, tryNo).map((q) => {
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
  const attempt = async (id: string) => (await first.json<{ data: Attempt }>('GET', `/attempts/${id}`)).body.data;
  const patch = (id: string, changes: object[]) => first.json('PATCH', `/attempts/${id}`, { changes });
  const start = () => change('attempt.start', { content_id: content, content_version: document.version });
  const row = async (id: string) => (await tablet.db.attempts.get(id)) as AttemptRow;

  it('hands in as a new try what it was asked, and no question that was not shown is marked', async () => {
    await tablet.begin(document);
    const id = tablet.attemptId(content);
    await submitQuiz(tablet.db, await row(id), quiz(), 1, rightOn(id, 1));
    await patch(id, [start(), change('attempt.submit_quiz', { quiz_id: quiz().id, try_no: 1, content_version: document.version, answers: {} })]);
    await tablet.send();
    const [asked] = (await tablet.db.outbox.toArray()).map(entryToShow) as [Entry];
    expect(asked.trouble).toMatchObject({ code: 'quiz_try_taken', resolution: ['new_try', 'keep_theirs', 'attach_evidence'] });
    expect(await costOf(tablet.db, asked)).toBe('A new try is try 2 of 3. It is marked on the questions that you answered here.');
    await sendAsNewTry(tablet.db, asked);
    await tablet.send();
    expect(await tablet.db.outbox.count()).toBe(0);
    const second = (await attempt(id)).submissions.find((s) => s.try_no === 2);
    expect(second?.outcomes.map((o) => o.question_id)).toEqual(drawQuestions(quiz(), id, 1).map((q) => q.id));
    expect(second).toMatchObject({ score: 100, passed: true });
  });

  it('cannot have a try marked on the questions of somebody else or of another course', async () => {
    const id = await attemptIdOf(person.id, content, 1);
    const shown = { attempt_id: await attemptIdOf(demoId('user:learner@willowbrook.test'), content, 1), try_no: 1 };
    const args = { quiz_id: quiz().id, try_no: 1, content_version: document.version, answers: {}, shown };
    const { status } = await patch(id, [start(), change('attempt.submit_quiz', args)]);
    expect(status).toBe(422);
    expect((await attempt(id)).submissions).toEqual([]);
  });

  it('renews a course that was completed on the first: in the next try, with the questions that it showed', async () => {
    const last = await attemptIdOf(person.id, content, 1);
    const done = (topicId: string) => change('attempt.progress', { topic_id: topicId, state: 'completed', percent: 100, seconds: { a: 1 } });
    await patch(last, [
      start(),
      ...requiredTopics(document).map((t) => done(t.id)),
      change('attempt.submit_quiz', { quiz_id: quiz().id, try_no: 1, content_version: document.version, answers: rightOn(last, 1) }),
    ]);
    expect(await attempt(last)).toMatchObject({ state: 'graded', try_no: 1 });
    // A year later, on a device that has only the course.
    await tablet.begin(document);
    const begun = tablet.attemptId(content);
    expect(begun).toBe(last);
    const later = new Date(Date.now() + 60_000).toISOString();
    await tablet.db.outbox.toCollection().modify({ at: later });
    for (const topic of requiredTopics(document)) await recordProgress(tablet.db, await row(begun), topic, 'completed', 100, 5);
    const drawn = drawQuestions(quiz(), begun, 1);
    for (const { id } of drawn)
      await saveAnswer(tablet.db, await row(begun), { quiz_id: quiz().id, try_no: 1, question_id: id }, rightOn(begun, 1)[id] as Answer, 'Answered');
    await submitQuiz(tablet.db, await row(begun), quiz(), 1, rightOn(begun, 1));
    server.clock.now = new Date(Date.now() + 3_600_000);
    await tablet.signIn(person.email);
    await tablet.send();
    expect((await tablet.db.outbox.toArray()).map((e) => [e.command, e.trouble?.code])).toEqual([]);
    const next = await attemptIdOf(person.id, content, 2);
    await first.signIn(person.email);
    const renewed = await attempt(next);
    expect(renewed).toMatchObject({ try_no: 2, state: 'graded', score: 100 });
    expect(renewed.submissions[0]?.outcomes.map((o) => o.question_id)).toEqual(drawn.map((q) => q.id));
    expect((await attempt(last)).submissions).toHaveLength(1);
    expect((await attempt(last)).closed).toBe(true);
    expect(await row(next)).toMatchObject({ try_no: 2, state: 'graded', known: true, shown_as: begun });
    expect(await row(last)).toMatchObject({ closed: true, state: 'graded' });
    expect(await tablet.db.quizAnswers.where('attempt_id').equals(next).count()).toBe(3);
    const results = await server.database.db.all(
      sql`select id from current_results where user_id = ${person.id} and attempt_id = any(${[last, next]}::uuid[])`,
    );
    expect(results).toHaveLength(2);
  });

  /** Completes the first try on both devices, and then cuts the tablet's line. Returns the id of that try. */
  const completed = async (): Promise<string> => {
    const last = await attemptIdOf(person.id, content, 1);
    await patch(last, [
      start(),
      ...requiredTopics(document).map((t) => change('attempt.progress', { topic_id: t.id, state: 'completed', percent: 100, seconds: { a: 1 } })),
      change('attempt.submit_quiz', { quiz_id: quiz().id, try_no: 1, content_version: document.version, answers: rightOn(last, 1) }),
    ]);
    expect(await fetchTries(tablet.db, content)).toBe(true);
    expect(await row(last)).toMatchObject({ state: 'graded', closed: false });
    return last;
  };
  const cut = () => {
    const { line } = tablet;
    tablet.line = () => Promise.reject(new TypeError('no line'));
    return () => {
      tablet.line = line;
    };
  };
  const again = (id: string, asked: number | null = null) =>
    retakeCourse(tablet.db, { uuid: person.id } as AuthUser, { id, content_id: content, asked });

  it('takes a completed course again without a connection, in the try that it is on every device', async () => {
    const last = await completed();
    const next = await attemptIdOf(person.id, content, 2);
    const join = cut();
    expect(await again(last)).toEqual({ ok: true, value: next });
    // Pressed a second time it goes on.
    expect(await again(last)).toEqual({ ok: true, value: next });
    expect((await tablet.db.outbox.toArray()).map((e) => e.command)).toEqual(['attempt.start']);
    const [topic] = requiredTopics(document);
    await recordProgress(tablet.db, await row(next), topic as { id: string; title: string }, 'completed', 100, 5);
    join();
    await tablet.send();
    expect(await tablet.db.outbox.count()).toBe(0);
    expect(await attempt(next)).toMatchObject({ try_no: 2, state: 'open', closed: false, progress: [{ topic_id: topic?.id }] });
    expect(await attempt(last)).toMatchObject({ state: 'graded', closed: true, score: 100 });
  });

  it('takes a completed course again in one try with the first device, which did so with a connection', async () => {
    const last = await completed();
    const next = await attemptIdOf(person.id, content, 2);
    const join = cut();
    expect(await again(last)).toEqual({ ok: true, value: next });
    type Topic = { id: string; title: string };
    const [one, two] = requiredTopics(document) as Topic[] as [Topic, Topic];
    await recordProgress(tablet.db, await row(next), one, 'completed', 100, 5);
    expect((await first.json('POST', `/retake_attempt/${last}`, {})).status).toBe(201);
    await patch(next, [change('attempt.progress', { topic_id: two.id, state: 'completed', percent: 100, seconds: { a: 1 } })]);
    join();
    await tablet.send();
    expect(await tablet.db.outbox.count()).toBe(0);
    expect((await attempt(next)).progress.map((p) => p.topic_id).sort()).toEqual([one.id, two.id].sort());
    // With a connection, a list that is older than that opens the same try.
    expect(await again(last)).toEqual({ ok: true, value: next });
    expect(await server.database.db.all(sql`select id from attempts where user_id = ${person.id}`)).toHaveLength(2);
  });

  it('does not begin without a connection what would not count or is not there', async () => {
    const last = await completed();
    cut();
    expect(await again(last, document.version + 1)).toMatchObject({ ok: false, offline: true });
    await tablet.db.contents.clear();
    expect(await again(last)).toMatchObject({ ok: false, offline: true });
    expect(await tablet.db.outbox.count()).toBe(0);
  });

  it('of a trainer drops sessions that were moved away or given to somebody else, and keeps those with unsent work aside', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const register = (id: string): Register =>
      ({
        id,
        date: day,
        trainer: { id: person.id, name: '' },
        delegates: [],
        completed: null,
        course: { id: '', name: 'Fire safety' },
      }) as unknown as Register;
    const [moved, unsent, mine] = [register(randomUUID()), register(randomUUID()), register(randomUUID())];
    const elsewhere = { ...register(randomUUID()), trainer: { id: randomUUID(), name: 'A colleague' } };
    await tablet.db.registers.bulkPut([moved, unsent, mine, elsewhere]);
    await completeRegister(tablet.db, { uuid: person.id, name: '' }, unsent, { note: '', method: 'pin', drawing: null });
    expect(await noteOwnRegisters(tablet.db, [mine], { from: day, until: day })).toEqual([moved.id]);
    expect((await tablet.db.registers.toArray()).map((r) => [r.id, r.gone === true]).sort()).toEqual(
      [
        [unsent.id, true],
        [mine.id, false],
        [elsewhere.id, false],
      ].sort(),
    );
  });

  it('goes on in the try that was begun again on the first meanwhile', async () => {
    const last = await attemptIdOf(person.id, content, 1);
    const next = await attemptIdOf(person.id, content, 2);
    await patch(last, [start()]);
    expect((await first.json('POST', `/retake_attempt/${last}`, {})).status).toBe(201);
    await tablet.begin(document);
    const later = new Date(server.clock.now.getTime() + 1000).toISOString();
    await tablet.db.outbox.toCollection().modify({ at: later });
    const [topic] = requiredTopics(document);
    await recordProgress(tablet.db, await row(last), topic as { id: string; title: string }, 'completed', 100, 5);
    server.clock.now = new Date(server.clock.now.getTime() + 3000);
    await tablet.send();
    expect(await tablet.db.outbox.count()).toBe(0);
    expect((await attempt(next)).progress.map((p) => p.topic_id)).toEqual([topic?.id]);
    expect((await attempt(last)).progress).toEqual([]);
  });
});
