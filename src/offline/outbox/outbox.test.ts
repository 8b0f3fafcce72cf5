import { beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '#contract/entities/attempt.ts';
import { serverMark } from '#contract/protocol.ts';
import type { ContentDocument } from '#contract/entities/content.ts';
import { noteServerAttempt, recordProgress, saveAnswer, startAttempt, submitQuiz } from '#src/offline/kinds/attempt/commands.ts';
import { checkIn } from '#src/offline/kinds/check-in/commands.ts';
import { commit, NotSaved } from '#src/offline/outbox/commit.ts';
import { dexieStore } from '#src/offline/outbox/dexie-store.ts';
import { entryToShow } from '#src/offline/outbox/read-entry.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { Entry } from '#src/offline/ports.ts';
import { laneTransport } from '#src/offline/replay/lane-transport.ts';
import { createReplay } from '#src/offline/replay/replay.ts';
import { keepTheirs, sendAsNewTry, setAside } from '#src/offline/outbox/resolve.ts';
import { type SealedRow, storedRow } from '#src/offline/store/sealed-rows.ts';
import { deletePersonDb, type PersonDb, personDb } from '#src/offline/store/person-db.ts';

const content = '00000000-0000-4000-a000-0000000000c1';
const topic = { id: '00000000-0000-4000-a000-0000000000a1', title: 'A page' };
const document = {
  id: content,
  version: 1,
  title: 'A course',
  course: { id: content, title: 'A course', short_title: 'Course' },
} as unknown as ContentDocument;

describe('the outbox', () => {
  let db: PersonDb;
  let person: { uuid: string };
  let attempt: { id: string; user_id: string; rev: number; content_version: number };
  beforeEach(async () => {
    person = { uuid: crypto.randomUUID() };
    db = personDb(person.uuid);
    attempt = { id: await startAttempt(db, person, document), user_id: person.uuid, rev: 0, content_version: 1 };
  });
  const lane = () => `attempt:${attempt.id}`;
  const serverCopy = (more: Partial<Attempt> = {}): Attempt => ({
    id: attempt.id,
    user_id: person.uuid,
    content_id: content,
    content_version: 1,
    content_title: 'A course',
    course_id: content,
    course_title: 'A course',
    try_no: 1,
    state: 'open',
    closed: false,
    percent: 0,
    score: null,
    passed: null,
    started_at: '2026-01-01T00:00:00.000Z',
    completed_at: null,
    last_topic_id: null,
    rev: 7,
    progress: [],
    submissions: [],
    answers: [],
    scorm: [],
    h5p: [],
    result: null,
    ...more,
  });

  it('counts every second, even of two simultaneous ticks', async () => {
    await Promise.all([1, 2, 3, 4].map(() => recordProgress(db, attempt, topic, 'started', 10, 5)));
    const [row] = await db.topicProgress.toArray();
    expect(Object.values(row?.seconds ?? {})).toEqual([20]);
    const entries = (await db.outbox.toArray()).filter((e) => e.command === 'attempt.progress');
    expect(Math.max(...entries.flatMap((e) => Object.values((e.args as { seconds: Record<string, number> }).seconds)))).toBe(20);
  });

  it('starts a course once, however often it is tapped', async () => {
    expect(await startAttempt(db, person, document)).toBe(attempt.id);
    expect(await db.outbox.count()).toBe(1);
  });

  it('starts a new attempt if all are closed, and never continues another person’s', async () => {
    await db.attempts.update(attempt.id, { closed: true });
    const own = await db.attempts.get(attempt.id);
    await db.attempts.put({ ...(own as NonNullable<typeof own>), id: crypto.randomUUID(), user_id: crypto.randomUUID(), closed: false, try_no: 7 });
    const next = await startAttempt(db, person, document);
    expect(next).not.toBe(attempt.id);
    expect(await db.attempts.get(next)).toMatchObject({ try_no: 2, user_id: person.uuid, closed: false });
  });

  it('refuses entries in another person’s name, which could never be sent', async () => {
    const theirs = { ...attempt, user_id: crypto.randomUUID() };
    await expect(recordProgress(db, theirs, topic, 'completed', 100, 1)).rejects.toThrow();
    expect(await db.outbox.count()).toBe(1);
  });

  it('merges unsent progress on the same page, and never changes what was sent', async () => {
    const store = dexieStore(db);
    await recordProgress(db, attempt, topic, 'started', 10, 5);
    await recordProgress(db, attempt, topic, 'started', 40, 5);
    expect(await db.outbox.count()).toBe(2);
    const ticks = (await db.outbox.orderBy('n').toArray())[1];
    expect(ticks?.args).toMatchObject({ percent: 40 });
    await store.markSending([ticks?.id as string]);
    await recordProgress(db, attempt, topic, 'completed', 100, 5);
    expect(await db.outbox.count()).toBe(3);
    expect(await db.topicProgress.get([attempt.id, topic.id])).toMatchObject({ state: 'completed', percent: 100 });
  });

  it('never merges submissions', async () => {
    const quiz = { id: topic.id, title: 'Quiz' };
    await submitQuiz(db, attempt, quiz, 1, {});
    await submitQuiz(db, attempt, quiz, 2, {});
    expect(await db.outbox.count()).toBe(3);
  });

  it('writes the change and the entry together or not at all', async () => {
    await expect(
      commit(
        db,
        person.uuid,
        [db.topicProgress],
        [{ id: newId(), lane: lane(), command: 'attempt.progress', args: {}, sentence: '', mergeKey: null, at: '' }],
        () => {
          throw new Error('full');
        },
      ),
    ).rejects.toBeInstanceOf(NotSaved);
    expect(await db.outbox.count()).toBe(1);
  });

  it('returns lanes in order, and stops a lane at an entry that needs the person', async () => {
    const store = dexieStore(db);
    await recordProgress(db, attempt, topic, 'completed', 100, 1);
    await submitQuiz(db, attempt, { id: topic.id, title: 'Quiz' }, 1, {});
    const all = (await store.sendable(Date.now())).get(lane()) ?? [];
    expect(all.map((e) => e.command)).toEqual(['attempt.start', 'attempt.progress', 'attempt.submit_quiz']);
    await store.park(all[1]?.id as string, { code: 'attempt_closed', message: '', resolution: [], current: null, at: '' });
    expect((await store.sendable(Date.now())).get(lane())?.map((e) => e.command)).toEqual(['attempt.start']);
  });

  it.each(['first', 'last'])(
    'asks nobody about a code that was not right, where another code of the session was, whether it is answered %s',
    async (when) => {
      const store = dexieStore(db);
      const session = { id: crypto.randomUUID(), name: 'Fire safety' };
      await db.outbox.clear();
      for (const code of ['11111111', '22222222']) await checkIn(db, session, { code, step: null }, '2026-01-01T09:00:00.000Z');
      const [wrong, right] = await db.outbox.orderBy('n').toArray();
      const refuse = () => store.park(wrong?.id as string, { code: 'wrong_code', message: '', resolution: [], current: null, at: received_at });
      const received_at = '2026-01-01T10:00:00.000Z';
      if (when === 'first') await refuse();
      const current = { session_id: session.id, at: '2026-01-01T09:00:00.000Z', late: true, received_at };
      await store.settle(right?.lane as string, [{ id: right?.id as string, outcome: 'late' }], current, received_at);
      if (when === 'last') await refuse();
      expect(await db.outbox.count()).toBe(0);
      expect(await db.checkIns.get(session.id)).toMatchObject({ received: true, late: true });
      expect((await db.settled.toArray()).map((e) => [e.id, e.outcome])).toEqual(
        expect.arrayContaining([
          [wrong?.id, 'discarded'],
          [right?.id, 'late'],
        ]),
      );
    },
  );

  it('sends nothing before what it depends on', async () => {
    const first = (await db.outbox.toArray())[0];
    await db.outbox.add({
      ...(first as NonNullable<typeof first>),
      n: undefined as never,
      id: newId(),
      lane: 'attempt:other',
      dependsOn: [first?.id as string],
    });
    expect((await dexieStore(db).sendable(Date.now())).has('attempt:other')).toBe(false);
  });

  it('is not delayed by a clock that was set back', async () => {
    const store = dexieStore(db);
    const [first] = await db.outbox.toArray();
    const now = Date.now();
    await store.defer([first?.id as string], now + 20_000);
    expect((await store.sendable(now)).size).toBe(0);
    expect((await store.sendable(now - 86_400_000)).size).toBe(1);
  });

  it('parks what it cannot read, and deletes nothing', async () => {
    await db.outbox.add({ lane: lane(), id: newId() } as never);
    await dexieStore(db).sendable(Date.now());
    const parked = (await db.outbox.toArray()).filter((e) => e.state === 'needs-person');
    expect(parked.map((e) => entryToShow(e).trouble?.code)).toEqual(['unreadable']);
  });

  it('sends what precedes an unreadable entry, sets that aside unchanged, and holds what follows', async () => {
    await recordProgress(db, attempt, topic, 'completed', 100, 1);
    await saveAnswer(db, attempt, { quiz_id: topic.id, try_no: 1, question_id: topic.id }, { kind: 'true_false', value: true }, 'Answered');
    const [start, progress, answer] = (await db.outbox.orderBy('n').toArray()).map((e) => storedRow(e)) as [SealedRow, SealedRow, SealedRow];
    const bytes = (progress.sealed as Uint8Array).map((b, i) => (i === 40 ? b ^ 1 : b));
    await db.table('outbox').put({ ...progress, sealed: bytes });
    const sent: string[] = [];
    const mark = { [serverMark.header]: serverMark.value };
    globalThis.fetch = (async (_path: string, init: RequestInit) => {
      if (init.method !== 'PATCH') return new Response(null, { status: 204, headers: mark });
      const text = String(init.body);
      const ids = (JSON.parse(text) as { changes: { id: string }[] }).changes.map((c) => c.id);
      sent.push(...ids);
      return new Response(JSON.stringify({ data: serverCopy(), meta: { outcomes: ids.map((id) => ({ id, outcome: 'applied' })) } }), {
        headers: { 'Content-Type': 'application/json', ...mark },
      });
    }) as typeof fetch;
    const replay = createReplay({
      store: dexieStore(db),
      transport: laneTransport,
      greeter: { greet: async () => ({ kind: 'ok', again: 0 }) },
      clock: { now: () => Date.now() },
      random: { next: () => 0.5 },
      lock: {
        tryHold: async (work) => {
          await work(async () => undefined);
          return true;
        },
      },
      announcer: { status: () => undefined },
    });
    await replay.run();
    expect(sent).toEqual([start.id]);
    const after = (await db.outbox.orderBy('n').toArray()).map((e) => storedRow(e));
    expect(after.map((e) => [e.id, e.state])).toEqual([
      [progress.id, 'needs-person'],
      [answer.id, 'waiting'],
    ]);
    expect(after[0]?.sealed).toEqual(bytes);
  });

  it('removes only entries that the server named, and applies the rest to the server’s copy', async () => {
    const store = dexieStore(db);
    await recordProgress(db, attempt, topic, 'completed', 100, 1);
    await saveAnswer(db, attempt, { quiz_id: topic.id, try_no: 1, question_id: topic.id }, { kind: 'true_false', value: true }, 'Answered');
    const [start, progress, answer] = await db.outbox.orderBy('n').toArray();
    await store.settle(
      lane(),
      [{ id: start?.id as string, outcome: 'applied' }],
      serverCopy({ answers: [{ quiz_id: topic.id, try_no: 1, question_id: topic.id, answer: { kind: 'true_false', value: false } }] }),
      new Date().toISOString(),
    );
    expect((await db.outbox.orderBy('n').toArray()).map((e) => e.id)).toEqual([progress?.id, answer?.id]);
    expect((await db.outbox.orderBy('n').toArray()).map((e) => e.baseRev)).toEqual([7, 7]);
    expect(await db.topicProgress.get([attempt.id, topic.id])).toMatchObject({ state: 'completed' });
    expect((await db.quizAnswers.get([attempt.id, topic.id, 1, topic.id]))?.answer).toEqual({ kind: 'true_false', value: true });
    expect((await db.settled.get(start?.id as string))?.outcome).toBe('applied');
  });

  it('resolves a conflict by the server’s version, or by a new try with the same answers, and discards nothing', async () => {
    const quiz = { id: topic.id, title: 'Quiz' };
    const answers = { [topic.id]: { kind: 'true_false' as const, value: true } };
    const theirs = serverCopy({
      submissions: [
        {
          id: newId(),
          quiz_id: quiz.id,
          try_no: 1,
          score: 50,
          passed: false,
          submitted_at: '2026-01-01T00:00:00.000Z',
          received_at: '2026-01-01T00:00:00.000Z',
          outcomes: [],
        },
      ],
    });
    await submitQuiz(db, attempt, quiz, 1, answers);
    const entry = (await db.outbox.orderBy('n').last()) as Entry;
    await dexieStore(db).park(entry.id, { code: 'quiz_try_taken', message: '', resolution: ['new_try', 'keep_theirs'], current: theirs, at: '' });
    await sendAsNewTry(db, { ...entry, trouble: { code: 'quiz_try_taken', message: '', resolution: [], current: theirs, at: '' } });
    const next = await db.outbox.orderBy('n').last();
    expect(next?.args).toMatchObject({ try_no: 2, answers });
    expect(next?.id).not.toBe(entry.id);
    expect((await db.settled.get(entry.id))?.outcome).toBe('discarded');
    await keepTheirs(db, { ...(next as Entry), trouble: { code: 'quiz_try_taken', message: '', resolution: [], current: theirs, at: '' } });
    expect((await db.settled.get(next?.id as string))?.args).toMatchObject({ answers });
    expect((await db.quizSubmissions.toArray()).map((s) => s.graded?.score)).toEqual([50]);
  });

  it('keeps the newest of the server’s that has been received, and not what came with the refusal', async () => {
    const quiz = { id: topic.id, title: 'Quiz' };
    const answers = { [topic.id]: { kind: 'true_false' as const, value: true } };
    const at = '2026-01-01T00:00:00.000Z';
    const theirs = (rev: number, scores: readonly number[]): Attempt =>
      serverCopy({
        rev,
        submissions: scores.map((score, i) => ({
          ...{ id: newId(), quiz_id: quiz.id, try_no: i + 1, score, passed: false, outcomes: [] },
          ...{ submitted_at: at, received_at: at },
        })),
      });
    await submitQuiz(db, attempt, quiz, 1, answers);
    const sent = (await db.outbox.orderBy('n').last()) as Entry;
    await dexieStore(db).park(sent.id, {
      ...{ code: 'quiz_try_taken', message: '', resolution: ['new_try', 'keep_theirs'], at: '' },
      current: theirs(5, [50]),
    });
    const newest = theirs(6, [50, 70]);
    await noteServerAttempt(db, newest);
    // An older answer, late.
    await noteServerAttempt(db, theirs(4, []));
    const asked = (await db.outbox.where('id').equals(sent.id).first()) as Entry;
    expect(asked.trouble?.current).toMatchObject({ rev: 6 });
    await keepTheirs(db, asked);
    expect((await db.quizSubmissions.toArray()).map((s) => s.graded?.score).toSorted()).toEqual([50, 70]);
    expect((await db.attempts.get(attempt.id))?.rev).toBe(6);
  });

  it('sets a course that could not be started aside with all work in it, and archives that', async () => {
    await recordProgress(db, attempt, topic, 'completed', 100, 1);
    const other = crypto.randomUUID();
    for (const attempt_id of [attempt.id, other]) {
      await db.scormResumes.put({ attempt_id, item_id: 'one', session_id: crypto.randomUUID() });
      await db.h5pStates.put({ attempt_id, item_id: 'two', state: 'here' });
    }
    const first = (await db.outbox.orderBy('n').first()) as Entry;
    const trouble = { code: 'prerequisite_missing', message: '', resolution: ['start_prerequisite'], current: null, at: '' } as const;
    await setAside(db, { ...first, trouble: { ...trouble, resolution: [...trouble.resolution] } });
    // The position in a package is deleted with it, and nothing of another course.
    expect([await db.scormResumes.toArray(), await db.h5pStates.toArray()].map((rows) => rows.map((r) => r.attempt_id))).toEqual([[other], [other]]);
    expect(await db.outbox.count()).toBe(0);
    expect(await db.attempts.count()).toBe(0);
    expect(await db.topicProgress.count()).toBe(0);
    expect((await db.settled.toArray()).map((e) => e.command).sort()).toEqual(['attempt.progress', 'attempt.start']);
  });

  it('does not delete a person’s database while anything is unsent', async () => {
    await expect(deletePersonDb(person.uuid)).rejects.toThrow('unsent');
    await db.outbox.clear();
    await deletePersonDb(person.uuid);
  });

  it('creates ids that sort by time', () => {
    const ids = [1, 2, 300, 1e12].map((ms) => newId(ms));
    expect([...ids].sort()).toEqual(ids);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  });
});
