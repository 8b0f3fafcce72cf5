import type { Attempt } from '#contract/entities/attempt.ts';
import type { Answer, ContentDocument } from '#contract/entities/content.ts';
import type { TopicProgress, TopicState } from '#contract/entities/attempt.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { mergeProgress } from '#contract/rules/merge-progress.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { commit, notSaved } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import { joinProgress } from '#src/offline/kinds/attempt/join.ts';
import { attemptTables, takeAttempt } from '#src/offline/kinds/attempt/lane.ts';
import { entriesOfThing, laneName } from '#src/offline/kinds/lane.ts';
import { renewChoices } from '#src/offline/outbox/renew-choices.ts';
import { deviceId } from '#src/offline/store/device-db.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** A learner's changes. Each resolves once it is saved on this device, online or offline. */

const lane = (attemptId: string) => laneName('attempt', attemptId);

/**
 * Starts a course, or continues it if it was started on this device. Returns the attempt's id. `again`: a completed try is not continued; the
 * server closes it when the next one arrives.
 */
export const startAttempt = async (db: PersonDb, person: { uuid: string }, document: ContentDocument, { again = false } = {}): Promise<string> => {
  // The device may also have read another person's attempts.
  const tries = (await db.attempts.where('content_id').equals(document.id).toArray()).filter((a) => a.user_id === person.uuid);
  const begun = tries.filter((a) => !a.closed && !(again && a.state === 'graded')).sort((a, b) => b.try_no - a.try_no)[0];
  if (begun) return begun.id;
  const tryNo = Math.max(0, ...tries.map((a) => a.try_no)) + 1;
  const id = await attemptIdOf(person.uuid, document.id, tryNo);
  const at = correctedNow().toISOString();
  await commit(
    db,
    person.uuid,
    [db.attempts],
    [
      {
        id: newId(),
        lane: lane(id),
        command: 'attempt.start',
        args: { content_id: document.id, content_version: document.version },
        sentence: `Started “${document.title}”`,
        mergeKey: null,
        at,
      },
    ],
    () =>
      db.attempts.put({
        id,
        user_id: person.uuid,
        content_id: document.id,
        content_version: document.version,
        content_title: document.title,
        course_id: document.course.id,
        course_title: document.course.title,
        try_no: tryNo,
        state: 'open',
        closed: false,
        percent: 0,
        score: null,
        passed: null,
        started_at: at,
        completed_at: null,
        last_topic_id: null,
        rev: 0,
        result: null,
        known: false,
        touchedAt: at,
      }),
  );
  return id;
};

const counters = new WeakMap<PersonDb, Promise<string>>();
/**
 * The name of this store's time counters: device and store generation. A store that the browser lost starts a new generation, so
 * that its count from zero is added to what the server has.
 */
const counterName = (db: PersonDb): Promise<string> => {
  const kept =
    counters.get(db) ??
    Promise.all([deviceId(), db.kv.get('canary')]).then(
      ([device, canary]) => `${device}${String(canary?.value ?? '').slice(-4)}`,
      (error) => {
        counters.delete(db);
        throw notSaved(error);
      },
    );
  counters.set(db, kept);
  return kept;
};

/** Records progress in a topic. `addSeconds`: time since the last record on this device. */
export const recordProgress = async (
  db: PersonDb,
  attempt: { id: string; user_id: string; rev: number },
  topic: { id: string; title: string },
  state: TopicState,
  percent: number,
  addSeconds: number,
): Promise<void> => {
  const device = await counterName(db);
  const at = correctedNow().toISOString();
  let merged: TopicProgress;
  // Counted inside the transaction, so that two ticks or tabs cannot start from the same number.
  const count = async (): Promise<Record<string, number>> => {
    const before = await db.topicProgress.get([attempt.id, topic.id]);
    const seconds = { [device]: (before?.seconds[device] ?? 0) + Math.max(0, Math.round(addSeconds)) };
    const fact = { topic_id: topic.id, state, percent, completed_at: state === 'completed' ? at : null, seconds };
    merged = before ? mergeProgress(before, fact) : fact;
    return seconds;
  };
  await commit(
    db,
    attempt.user_id,
    [db.topicProgress, db.attempts],
    async () => [
      {
        id: newId(),
        lane: lane(attempt.id),
        command: 'attempt.progress',
        args: { topic_id: topic.id, state, percent, seconds: await count() },
        sentence: `${state === 'completed' ? 'Finished' : 'Reading'} “${topic.title}”`,
        mergeKey: `${attempt.id}:progress:${topic.id}`,
        join: joinProgress,
        at,
        baseRev: attempt.rev,
      },
    ],
    () =>
      Promise.all([
        db.topicProgress.put({ ...merged, attempt_id: attempt.id }),
        db.attempts.update(attempt.id, { last_topic_id: topic.id, touchedAt: at }),
      ]),
  );
};

/** Saves the answer to one question. */
export const saveAnswer = async (
  db: PersonDb,
  attempt: { id: string; user_id: string; rev: number },
  where: { quiz_id: string; try_no: number; question_id: string },
  answer: Answer,
  sentence: string,
): Promise<void> =>
  commit(
    db,
    attempt.user_id,
    [db.quizAnswers],
    [
      {
        id: newId(),
        lane: lane(attempt.id),
        command: 'attempt.answer',
        args: { ...where, answer },
        sentence,
        mergeKey: `${attempt.id}:answer:${where.quiz_id}:${where.try_no}:${where.question_id}`,
        at: correctedNow().toISOString(),
        baseRev: attempt.rev,
      },
    ],
    () => db.quizAnswers.put({ ...where, answer, attempt_id: attempt.id }),
    { atOnce: true },
  );

/** Submits a quiz; the server marks it on receipt. */
export const submitQuiz = async (
  db: PersonDb,
  attempt: { id: string; user_id: string; rev: number; content_version: number; shown_as?: string },
  quiz: { id: string; title: string },
  tryNo: number,
  answers: Record<string, Answer>,
): Promise<void> => {
  const id = newId();
  const at = correctedNow().toISOString();
  await commit(
    db,
    attempt.user_id,
    [db.quizSubmissions],
    [
      {
        id,
        lane: lane(attempt.id),
        command: 'attempt.submit_quiz',
        args: {
          ...{ quiz_id: quiz.id, try_no: tryNo, content_version: attempt.content_version, answers },
          ...(attempt.shown_as ? { shown: { attempt_id: attempt.shown_as, try_no: tryNo } } : {}),
        },
        sentence: `Handed in “${quiz.title}”`,
        mergeKey: null,
        at,
        baseRev: attempt.rev,
      },
    ],
    () => db.quizSubmissions.put({ id, attempt_id: attempt.id, quiz_id: quiz.id, try_no: tryNo, submitted_at: at, graded: null }),
  );
};

/** Stores an attempt that was read online. */
export const noteServerAttempt = async (db: PersonDb, attempt: Attempt): Promise<void> => {
  await db.transaction('rw', [db.outbox, ...attemptTables(db)], async () => {
    const waiting = await entriesOfThing(db, lane(attempt.id));
    await takeAttempt(db, attempt, waiting);
    await renewChoices(db, waiting, attempt);
  });
};

/** Marks an attempt as removed on the server. Work done in it is kept here, but it cannot be continued. */
export const noteAttemptRemoved = async (db: PersonDb, attemptId: string): Promise<void> => {
  await db.attempts.update(attemptId, { closed: true });
};
