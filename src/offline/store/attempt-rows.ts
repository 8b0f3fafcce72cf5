import type { Attempt } from '#contract/entities/attempt.ts';
import { mergeProgress } from '#contract/rules/merge-progress.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** The stores that one attempt lies in. */
export const attemptTables = (db: PersonDb) => [db.attempts, db.topicProgress, db.quizAnswers, db.quizSubmissions];

/**
 * Takes the server's copy of an attempt into the device's stores, inside a transaction over `attemptTables`. What the
 * device has done and not yet sent stays: progress is joined, an answer that still waits is not replaced.
 */
export const takeServerCopy = async (db: PersonDb, attempt: Attempt, waitingAnswers: ReadonlySet<string>): Promise<void> => {
  const { progress, submissions, answers, ...header } = attempt;
  const before = await db.attempts.get(attempt.id);
  const local = new Map((await db.topicProgress.where('attempt_id').equals(attempt.id).toArray()).map((p) => [p.topic_id, p]));
  const writes: PromiseLike<unknown>[] = [
    db.attempts.put({
      ...header,
      known: true,
      touchedAt: before?.touchedAt ?? header.started_at,
      last_topic_id: before?.last_topic_id ?? header.last_topic_id,
    }),
    db.topicProgress.bulkPut(
      progress.map((p) => {
        const own = local.get(p.topic_id);
        return { ...(own ? mergeProgress(p, own) : p), attempt_id: attempt.id };
      }),
    ),
    db.quizSubmissions.bulkPut(
      submissions.map((s) => ({ id: s.id, attempt_id: attempt.id, quiz_id: s.quiz_id, try_no: s.try_no, submitted_at: s.submitted_at, graded: s })),
    ),
    db.quizAnswers.bulkPut(
      answers.filter((a) => !waitingAnswers.has(`${a.quiz_id}:${a.try_no}:${a.question_id}`)).map((a) => ({ ...a, attempt_id: attempt.id })),
    ),
  ];
  await Promise.all(writes);
};

/** The answers of an attempt that wait to be sent, as `quiz:try:question`. */
export const waitingAnswersOf = async (db: PersonDb, attemptId: string): Promise<Set<string>> => {
  const entries = await db.outbox.where('lane').equals(`attempt:${attemptId}`).toArray();
  return new Set(
    entries
      .filter((e) => e.command === 'attempt.answer')
      .map((e) => {
        const { quiz_id, try_no, question_id } = e.args as { quiz_id: string; try_no: number; question_id: string };
        return `${quiz_id}:${try_no}:${question_id}`;
      }),
  );
};
