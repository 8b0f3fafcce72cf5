import { useLiveQuery } from '#src/device/use-live-query.ts';
import { useCallback, useEffect, useState } from 'react';
import type { Answer, ContentDocument } from '#contract/entities/content.ts';
import type { H5pFacts, ScormItem } from '#contract/entities/package-work.ts';
import { completionOf } from '#contract/rules/completion.ts';
import { texts } from '#contract/texts.ts';
import { call } from '#src/api/call.ts';
import { usePersonDb } from '#src/device/use-person-db.ts';
import { loadDocument } from '#src/device/start-course.ts';
import { noteAttemptRemoved, noteServerAttempt } from '#src/offline/kinds/attempt/commands.ts';
import { h5pOf } from '#src/offline/kinds/attempt/lane.ts';
import type { AttemptRow, ProgressRow, SubmissionRow } from '#src/offline/store/person-db.ts';
import { laneName } from '#src/offline/kinds/lane.ts';

/** The save state of this attempt. */
export type Saved = 'saved' | 'sending' | 'received' | 'needs-you';
export type AttemptView = {
  /** Also `closed` if it belongs to another person. */
  attempt: AttemptRow;
  ofSomeoneElse: boolean;
  document: ContentDocument;
  progress: Map<string, ProgressRow>;
  submissions: SubmissionRow[];
  answers: Map<string, Answer>;
  scorm: ScormItem[];
  /** The facts of the H5P activities, by item. */
  h5p: Map<string, H5pFacts>;
  percent: number;
  saved: Saved;
  waiting: number;
};
export type AttemptState = { view: AttemptView | null; problem: null | { offline: boolean; message: string }; reload: () => void };

/** An attempt as this device knows it, kept up to date; fetched if the device does not have it. */
export const useAttempt = (attemptId: string): AttemptState => {
  const db = usePersonDb();
  const [problem, setProblem] = useState<AttemptState['problem']>(null);

  const fetchAttempt = useCallback(async () => {
    // An attempt that was started here and not yet sent is not known to the server: there is nothing to ask.
    const begunHere = (await db.attempts.get(attemptId))?.known === false;
    const result = begunHere ? null : await call('GET /attempts/{id}', { params: { id: attemptId } }, { timeoutMs: 8000 });
    if (result?.kind === 'ok') await noteServerAttempt(db, result.data);
    if (result?.kind === 'refused' && result.status === 404) await noteAttemptRemoved(db, attemptId);
    const kept = await db.attempts.get(attemptId);
    if (!kept) {
      setProblem(
        result?.kind === 'unreachable'
          ? { offline: true, message: 'This course is not on this device yet. Open it once with a connection, or make it available offline.' }
          : { offline: false, message: texts.errorLoadingAttempt },
      );
      return;
    }
    const document = await loadDocument(db, kept.content_id, kept.content_version);
    setProblem(document.ok ? null : { offline: document.offline, message: document.message });
  }, [db, attemptId]);
  useEffect(() => {
    void fetchAttempt();
  }, [fetchAttempt]);

  const view = useLiveQuery(async (): Promise<AttemptView | null> => {
    const kept = await db.attempts.get(attemptId);
    if (!kept) return null;
    // Another person's attempt is read-only.
    const ofSomeoneElse = kept.user_id !== db.personId;
    const attempt = { ...kept, closed: kept.closed || ofSomeoneElse };
    const [content, progress, submissions, answers, entries, sessions, activities] = await Promise.all([
      db.contents.get([attempt.content_id, attempt.content_version]),
      db.topicProgress.where('attempt_id').equals(attemptId).toArray(),
      db.quizSubmissions.where('attempt_id').equals(attemptId).sortBy('submitted_at'),
      db.quizAnswers.where('attempt_id').equals(attemptId).toArray(),
      db.outbox.where('lane').startsWith(laneName('attempt', attemptId)).toArray(),
      db.scormSessions.where('attempt_id').equals(attemptId).toArray(),
      h5pOf(db, attemptId),
    ]);
    if (!content) return null;
    const scorm = [...Map.groupBy(sessions, (s) => s.item_id)].map(([item_id, list]) => ({ item_id, resume: null, sessions: list }));
    const h5p = activities.map(({ item_id, completed = false, score = null }) => ({ item_id, completed, score }));
    const completion = completionOf(content.document, {
      progress,
      submissions: submissions.flatMap((s) => (s.graded ? [s.graded] : [])),
      scorm,
      h5p,
    });
    return {
      attempt,
      ofSomeoneElse,
      document: content.document,
      progress: new Map(progress.map((p) => [p.topic_id, p])),
      submissions,
      answers: new Map(answers.map((a) => [`${a.quiz_id}:${a.try_no}:${a.question_id}`, a.answer])),
      scorm,
      h5p: new Map(h5p.map((h) => [h.item_id, h])),
      percent: Math.max(attempt.percent, completion.percent),
      waiting: entries.length,
      saved: entries.some((e) => e.state === 'needs-person')
        ? 'needs-you'
        : entries.some((e) => e.state === 'sending')
          ? 'sending'
          : entries.length > 0
            ? 'saved'
            : 'received',
    };
  }, [db, attemptId]);
  return { view: view ?? null, problem: view ? null : problem, reload: () => void fetchAttempt() };
};
