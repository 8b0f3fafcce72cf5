import Dexie from 'dexie';
import type { ScormFacts, Statement } from '#contract/entities/package-work.ts';
import { toBase64 } from '#contract/rules/bytes.ts';
import { decodeTexts } from '#contract/rules/holdable-text.ts';
import { h5pFactsOf, mergeH5pFacts } from '#contract/rules/h5p-facts.ts';
import { newDataKey } from '#contract/rules/seal.ts';
import { mergeScormSession, scormTotals } from '#contract/rules/merge-scorm.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { joinScorm } from '#src/offline/kinds/attempt/join.ts';
import { laneName } from '#src/offline/kinds/lane.ts';
import { commit } from '#src/offline/outbox/commit.ts';
import { newId } from '#src/offline/outbox/new-id.ts';
import type { NewEntry } from '#src/offline/ports.ts';
import type { H5pStateRow, PersonDb, ScormSessionRow } from '#src/offline/store/person-db.ts';

/** A person's work in a course package. Each call resolves once it is saved on this device. */
type Here = { attempt: { id: string; user_id: string }; item: { id: string; title: string } };

/** The session from which a package resumes on this device; null if it starts fresh. */
export const scormToResume = async (db: PersonDb, attemptId: string, itemId: string): Promise<ScormSessionRow | null> => {
  const chosen = await db.scormResumes.get([attemptId, itemId]);
  return chosen ? ((await db.scormSessions.get([attemptId, itemId, chosen.session_id])) ?? null) : null;
};

/** The data with which a package resumes: its last session, and the seconds of all sessions. Null if it starts fresh. */
export const scormBefore = async (
  db: PersonDb,
  attemptId: string,
  itemId: string,
): Promise<{ cmi: Record<string, string>; seconds: number } | null> => {
  const [last, sessions] = await Promise.all([
    scormToResume(db, attemptId, itemId),
    db.scormSessions.where('[attempt_id+item_id+session_id]').between([attemptId, itemId, Dexie.minKey], [attemptId, itemId, Dexie.maxKey]).toArray(),
  ]);
  return last ? { cmi: decodeTexts(last.cmi), seconds: scormTotals(sessions).seconds } : null;
};

/**
 * Saves the progress of a SCORM session. The first time, it also records that the package resumes from this session from now on;
 * that is a separate lane, because only that choice can conflict.
 */
export const commitScorm = async (db: PersonDb, { attempt, item }: Here, sessionId: string, facts: ScormFacts): Promise<void> => {
  const at = correctedNow().toISOString();
  const commitId = newId();
  const sentence = `Working in “${item.title}”`;
  let changes: PromiseLike<unknown>[] = [];
  await commit(
    db,
    attempt.user_id,
    [db.scormSessions, db.scormResumes],
    async () => {
      const [before, chosen] = await Promise.all([
        db.scormSessions.get([attempt.id, item.id, sessionId]),
        db.scormResumes.get([attempt.id, item.id]),
      ]);
      const now = before ? mergeScormSession(before, facts) : facts;
      const entries: NewEntry[] = [
        {
          id: commitId,
          lane: laneName('attempt', attempt.id),
          command: 'attempt.scorm_commit',
          args: { item_id: item.id, session_id: sessionId, ...now },
          sentence,
          mergeKey: `${attempt.id}:scorm:${item.id}:${sessionId}`,
          join: joinScorm,
          at,
        },
      ];
      changes = [db.scormSessions.put({ ...now, at, attempt_id: attempt.id, item_id: item.id, session_id: sessionId })];
      if (!before) {
        entries.push({
          id: newId(),
          lane: laneName('attempt', attempt.id, item.id),
          command: 'attempt.scorm_resume',
          args: { item_id: item.id, session_id: sessionId, instead_of: chosen?.session_id ?? null },
          sentence,
          mergeKey: null,
          at,
          dependsOn: [commitId],
        });
        changes.push(db.scormResumes.put({ attempt_id: attempt.id, item_id: item.id, session_id: sessionId }));
      }
      return entries;
    },
    () => Promise.all(changes),
  );
};

/** Days for which reports written by closing tabs are accepted. */
const rememberDays = 60;

/** Starts a player session with its own key (base64), which encrypts its last report. */
export const beginPlayerSession = async (
  db: PersonDb,
  attempt: { id: string; closed: boolean },
  item: Here['item'],
): Promise<{ session_id: string; key: string }> => {
  const session = { session_id: newId(), key: toBase64(newDataKey()) };
  const now = correctedNow();
  await db.playerSessions.put({
    ...session,
    at: now.toISOString(),
    attempt_id: attempt.id,
    item_id: item.id,
    title: item.title,
    looking: attempt.closed,
  });
  void db.playerSessions
    .where('at')
    .below(new Date(now.getTime() - rememberDays * 86_400_000).toISOString())
    .delete()
    .catch(() => undefined);
  return session;
};

/** Saves an H5P activity's statements and current position. Statements are never merged or dropped. */
export const recordH5p = async (db: PersonDb, { attempt, item }: Here, statements: readonly Statement[], state: string | null): Promise<void> => {
  const at = correctedNow().toISOString();
  const common = { lane: laneName('attempt', attempt.id), sentence: `Working in “${item.title}”`, at };
  const entries: NewEntry[] = [];
  if (statements.length > 0)
    entries.push({ ...common, id: newId(), command: 'attempt.h5p_statements', args: { item_id: item.id, statements }, mergeKey: null });
  if (state !== null)
    entries.push({
      ...common,
      id: newId(),
      command: 'attempt.h5p_state',
      args: { item_id: item.id, state },
      mergeKey: `${attempt.id}:h5p:${item.id}`,
    });
  let row: H5pStateRow;
  await commit(
    db,
    attempt.user_id,
    [db.h5pStates],
    async () => {
      const before = await db.h5pStates.get([attempt.id, item.id]);
      const facts = mergeH5pFacts({ completed: before?.completed ?? false, score: before?.score ?? null }, h5pFactsOf(statements));
      row = { attempt_id: attempt.id, item_id: item.id, state: state ?? before?.state ?? null, ...facts };
      return entries;
    },
    () => db.h5pStates.put(row),
  );
};
