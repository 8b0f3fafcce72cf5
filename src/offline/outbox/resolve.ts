import type { ArgsOf } from '#contract/commands/attempt-commands.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { Entry } from '#src/offline/ports.ts';
import { attemptTables, takeServerCopy } from '#src/offline/store/attempt-rows.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/** What a person can choose for an entry that needs them. Nothing is thrown away: the entry moves to `settled`. */

/** Keeps what the server has. The entry stays in the archive of this device and of the server. */
export const keepTheirs = async (db: PersonDb, entry: Entry): Promise<void> => {
  const current = entry.trouble?.current ?? null;
  await commit(
    db,
    entry.actor,
    [db.settled, ...attemptTables(db)],
    [],
    async () => {
      await db.settled.put({ ...entry, settled_at: new Date().toISOString(), outcome: 'discarded' });
      await db.outbox.delete(entry.n);
      if (entry.command === 'attempt.submit_quiz') await db.quizSubmissions.delete(entry.id);
      if (current) await takeServerCopy(db, current, new Set());
    },
    [entry.id],
  );
};

/** Hands the same answers in again as the next try. */
export const sendAsNewTry = async (db: PersonDb, entry: Entry): Promise<void> => {
  const args = entry.args as ArgsOf<'attempt.submit_quiz'>;
  const current = entry.trouble?.current ?? null;
  const tries = (current?.submissions ?? []).filter((s) => s.quiz_id === args.quiz_id).length;
  const id = newId();
  const at = correctedNow().toISOString();
  await commit(
    db,
    entry.actor,
    [db.settled, ...attemptTables(db)],
    [
      {
        id,
        lane: entry.lane,
        command: entry.command,
        args: { ...args, try_no: tries + 1 },
        sentence: entry.sentence,
        mergeKey: null,
        at,
        baseRev: entry.baseRev,
      },
    ],
    async () => {
      await db.settled.put({ ...entry, settled_at: at, outcome: 'discarded' });
      await db.outbox.delete(entry.n);
      await db.quizSubmissions.delete(entry.id);
      if (current) await takeServerCopy(db, current, new Set());
      await db.quizSubmissions.put({
        id,
        attempt_id: entry.lane.slice('attempt:'.length),
        quiz_id: args.quiz_id,
        try_no: tries + 1,
        submitted_at: at,
        graded: null,
      });
    },
    [entry.id],
  );
};

/** Sets aside everything that waits for an attempt which could not be started. It stays in the archive of this device. */
export const setAsideAttempt = async (db: PersonDb, entry: Entry): Promise<void> => {
  const attemptId = entry.lane.slice('attempt:'.length);
  const gone = (await db.outbox.where('lane').equals(entry.lane).toArray()).map((e) => e.id);
  await commit(
    db,
    entry.actor,
    [db.settled, ...attemptTables(db)],
    [],
    async () => {
      const waiting = await db.outbox.where('lane').equals(entry.lane).toArray();
      await db.settled.bulkPut(waiting.map((e) => ({ ...e, settled_at: new Date().toISOString(), outcome: 'discarded' as const })));
      await db.outbox.bulkDelete(waiting.map((e) => e.n));
      await db.attempts.delete(attemptId);
      for (const table of [db.topicProgress, db.quizAnswers, db.quizSubmissions]) await table.where('attempt_id').equals(attemptId).delete();
    },
    gone,
  );
};

/** Sends the same entry again, with the same id. */
export const tryAgain = async (db: PersonDb, entry: Entry): Promise<void> => {
  await commit(db, entry.actor, [], [], () => db.outbox.put({ ...entry, state: 'waiting', nextAt: 0, trouble: null }));
};
