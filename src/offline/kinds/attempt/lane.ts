import Dexie from 'dexie';
import type { ArgsOf, Command } from '#contract/kinds.ts';
import type { Attempt } from '#contract/entities/attempt.ts';
import { h5pFactsOf, mergeH5pFacts } from '#contract/rules/h5p-facts.ts';
import { mergeProgress } from '#contract/rules/merge-progress.ts';
import { mergeScormSession } from '#contract/rules/merge-scorm.ts';
import { request } from '#src/api/transport.ts';
import { entriesOfThing, type LaneOf, placeOfLane } from '#src/offline/kinds/lane.ts';
import type { Entry, Trouble } from '#src/offline/ports.ts';
import type { H5pStateRow, PersonDb } from '#src/offline/store/person-db.ts';

/** The stores of one attempt. */
export const attemptTables = (db: PersonDb) => [
  db.attempts,
  db.topicProgress,
  db.quizAnswers,
  db.quizSubmissions,
  db.scormSessions,
  db.scormResumes,
  db.h5pStates,
];

export const h5pOf = (db: PersonDb, attemptId: string): Promise<H5pStateRow[]> =>
  db.h5pStates.where('[attempt_id+item_id]').between([attemptId, Dexie.minKey], [attemptId, Dexie.maxKey]).toArray();

/** Arguments of the waiting entries of one command. */
const argsOf = <C extends Command>(left: readonly Entry[], command: C) => left.filter((e) => e.command === command).map((e) => e.args as ArgsOf<C>);

/** Stores an attempt's packages: sessions are merged, unsent choices stay. */
const takePackages = async (db: PersonDb, attempt: Attempt, left: readonly Entry[]): Promise<unknown> => {
  const localSessions = new Map(
    (await db.scormSessions.where('attempt_id').equals(attempt.id).toArray()).map((s) => [`${s.session_id}:${s.item_id}`, s]),
  );
  const activities = new Map((await h5pOf(db, attempt.id)).map((h) => [h.item_id, h]));
  const choosing = new Set(argsOf(left, 'attempt.scorm_resume').map((a) => a.item_id));
  const writing = new Set(argsOf(left, 'attempt.h5p_state').map((a) => a.item_id));
  return Promise.all([
    db.scormSessions.bulkPut(
      attempt.scorm.flatMap(({ item_id, sessions }) =>
        sessions.map((s) => {
          const before = localSessions.get(`${s.session_id}:${item_id}`);
          // Old sessions come without their data; the device's data is the same or newer.
          const merged = before ? { ...mergeScormSession(before, s), ...(Object.keys(s.cmi).length === 0 ? { cmi: before.cmi } : {}) } : s;
          return { ...s, ...merged, item_id, attempt_id: attempt.id };
        }),
      ),
    ),
    db.scormResumes.bulkPut(
      attempt.scorm.flatMap((i) =>
        i.resume === null || choosing.has(i.item_id) ? [] : [{ attempt_id: attempt.id, item_id: i.item_id, session_id: i.resume }],
      ),
    ),
    db.h5pStates.bulkPut(
      attempt.h5p.map(({ item_id, state, completed = false, score = null }) => {
        const before = activities.get(item_id);
        // Older servers do not send an activity's totals.
        const facts = mergeH5pFacts({ completed, score }, { completed: before?.completed ?? false, score: before?.score ?? null });
        return { attempt_id: attempt.id, item_id, state: writing.has(item_id) || state === null ? (before?.state ?? null) : state, ...facts };
      }),
    ),
  ]);
};

/** Stores the server's copy of an attempt, inside a transaction over `attemptTables`. */
export const takeAttempt = async (db: PersonDb, attempt: Attempt, left: readonly Entry[]): Promise<void> => {
  const { progress, submissions, answers, scorm, h5p, ...header } = attempt;
  const before = await db.attempts.get(attempt.id);
  // The place of the last device, unless this one has moved on and not sent it yet.
  if (before && header.last_topic_id && !left.some((e) => e.command === 'attempt.progress')) before.last_topic_id = header.last_topic_id;
  const local = new Map((await db.topicProgress.where('attempt_id').equals(attempt.id).toArray()).map((p) => [p.topic_id, p]));
  const waitingAnswers = new Set(argsOf(left, 'attempt.answer').map((a) => `${a.quiz_id}:${a.try_no}:${a.question_id}`));
  const writes: PromiseLike<unknown>[] = [
    db.attempts.put({
      ...header,
      known: true,
      touchedAt: before?.touchedAt ?? header.started_at,
      last_topic_id: before?.last_topic_id ?? header.last_topic_id,
      ...(before?.shown_as ? { shown_as: before.shown_as } : {}),
    }),
    db.topicProgress.bulkPut(
      progress.map((p) => {
        const localProgress = local.get(p.topic_id);
        return { ...(localProgress ? mergeProgress(p, localProgress) : p), attempt_id: attempt.id };
      }),
    ),
    db.quizSubmissions.bulkPut(
      submissions.map((s) => ({ id: s.id, attempt_id: attempt.id, quiz_id: s.quiz_id, try_no: s.try_no, submitted_at: s.submitted_at, graded: s })),
    ),
    db.quizAnswers.bulkPut(
      answers.filter((a) => !waitingAnswers.has(`${a.quiz_id}:${a.try_no}:${a.question_id}`)).map((a) => ({ ...a, attempt_id: attempt.id })),
    ),
    // Older servers do not send packages.
    ...((scorm?.length ?? 0) + (h5p?.length ?? 0) > 0 ? [takePackages(db, attempt, left)] : []),
  ];
  await Promise.all(writes);
};

/** Shows unsent work in another attempt than the one in which it was done. */
const showIn = async (db: PersonDb, to: string, waiting: readonly Entry[]): Promise<void> => {
  const attempt_id = to;
  for (const { id, command, args, at } of waiting) {
    if (command === 'attempt.progress') {
      const fact = args as ArgsOf<typeof command>;
      const before = await db.topicProgress.get([to, fact.topic_id]);
      const now = { ...fact, completed_at: fact.state === 'completed' ? at : null };
      await db.topicProgress.put({ ...(before ? mergeProgress(before, now) : now), attempt_id });
    } else if (command === 'attempt.answer') await db.quizAnswers.put({ ...(args as ArgsOf<typeof command>), attempt_id });
    else if (command === 'attempt.submit_quiz') {
      const { quiz_id, try_no } = args as ArgsOf<typeof command>;
      await db.quizSubmissions.put({ id, attempt_id, quiz_id, try_no, submitted_at: at, graded: null });
    } else if (command === 'attempt.scorm_commit') await db.scormSessions.put({ ...(args as ArgsOf<typeof command>), at, attempt_id });
    else if (command === 'attempt.scorm_resume') {
      const { item_id, session_id } = args as ArgsOf<typeof command>;
      await db.scormResumes.put({ attempt_id, item_id, session_id });
    } else if (command === 'attempt.h5p_statements' || command === 'attempt.h5p_state') {
      const { item_id } = args as ArgsOf<typeof command>;
      const before = await db.h5pStates.get([to, item_id]);
      const facts =
        command === 'attempt.h5p_statements' ? h5pFactsOf((args as ArgsOf<typeof command>).statements) : { completed: false, score: null };
      const state = command === 'attempt.h5p_state' ? (args as ArgsOf<typeof command>).state : (before?.state ?? null);
      const merged = mergeH5pFacts({ completed: before?.completed ?? false, score: before?.score ?? null }, facts);
      await db.h5pStates.put({ attempt_id, item_id, state, ...merged });
    }
  }
};

/** Deletes an attempt from this device. */
export const forgetAttempt = async (db: PersonDb, attemptId: string): Promise<void> => {
  await db.attempts.delete(attemptId);
  for (const table of [db.topicProgress, db.quizAnswers, db.quizSubmissions, db.scormSessions])
    await table.where('attempt_id').equals(attemptId).delete();
  for (const table of [db.scormResumes, db.h5pStates])
    await table.where('[attempt_id+item_id]').between([attemptId, Dexie.minKey], [attemptId, Dexie.maxKey]).delete();
};

/**
 * Moves work that was begun here in an attempt that was over by then to the try that it belongs to. Its questions stay those that were
 * shown, and the questions that are still open stay the same.
 */
const moveTo = async (db: PersonDb, refused: Entry, { current, instead }: Trouble): Promise<Entry[] | null> => {
  const from = placeOfLane(refused.lane).id;
  const row = await db.attempts.get(from);
  if (!instead || instead.id === from || !row || !current || !('submissions' in current)) return null;
  const to = instead.id;
  const seenAs = row.shown_as ?? from;
  const waiting = (await entriesOfThing(db, refused.lane)).map((e): Entry => {
    const shown = e.command === 'attempt.submit_quiz' ? { shown: { attempt_id: seenAs, try_no: (e.args as ArgsOf<typeof e.command>).try_no } } : {};
    return {
      ...e,
      ...{ lane: e.lane.replace(from, to), mergeKey: e.mergeKey?.replace(from, to) ?? null, state: 'waiting', nextAt: 0 },
      args: { ...shown, ...(e.args as object) },
    };
  });
  const known = await db.attempts.get(to);
  await forgetAttempt(db, from);
  await takeAttempt(db, current as Attempt, []);
  // Its open page does not go on in it.
  await db.attempts.update(from, { closed: true });
  if (!known) {
    const begun = {
      state: 'open',
      closed: false,
      percent: 0,
      score: null,
      passed: null,
      completed_at: null,
      result: null,
      known: false,
      rev: 0,
    } as const;
    await db.attempts.put({ ...row, ...begun, ...{ id: to, try_no: instead.try_no, started_at: refused.at, shown_as: seenAs } });
  }
  await showIn(db, to, waiting);
  await db.playerSessions.filter((s) => s.attempt_id === from).modify({ attempt_id: to });
  return waiting;
};

/** Attempts. All changes of one attempt are sent together. */
export const attemptLane: LaneOf<'attempt'> = {
  atOnce: 200,
  send: (id, changes, headers) => request<Attempt>('PATCH', `/attempts/${id}`, { body: { changes }, compress: true, headers }),
  tables: (db) => [...attemptTables(db), db.playerSessions],
  take: takeAttempt,
  elsewhere: moveTo,
};
