import type { Attempt, TopicProgress } from '#contract/entities/attempt.ts';
import type { Answer, AnswerKey, ContentDocument } from '#contract/entities/content.ts';
import type { AttemptChange } from '#contract/commands/attempt-commands.ts';
import type { H5pFacts, ScormItem } from '#contract/entities/package-work.ts';
import type { ChangeOutcome } from '#contract/commands/change.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { completionOf, triesLeft } from '#contract/rules/completion.ts';
import { decidedSessions } from '#contract/rules/package-completion.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { answerFeedback, isCorrect } from '#contract/rules/grade-answer.ts';
import { mergeProgress, totalSeconds } from '#contract/rules/merge-progress.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { contentDocumentOf, contentVersion, prerequisitesMet, prerequisitesOf } from '#server/features/learning/contents.rows.ts';
import { recordResults } from '#server/features/results/results.service.ts';
import { attemptById, nextTryOf } from '#server/features/learning/attempts.rows.ts';
import { packageWork } from '#server/features/learning/package-work.rows.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { ProductError } from '#server/product-error.ts';

/**
 * Applies a person's changes to one attempt, each exactly once (server/ledger), in one transaction: to the attempt in
 * memory, and then at once progress, answers, submissions, package work, result and ledger; `rev` is raised.
 *
 * Invariants: no change is lost (refused ones are archived), none is applied twice (ledger row and effect share one
 * transaction), and a completed topic or attempt never moves back.
 */
/** `current` is null if nothing was started; refused changes are kept even then. */
export type Applied = Taken<Attempt>;

type Held = {
  id: string;
  user_id: string;
  content_id: string;
  content_version: number;
  try_no: number;
  state: Attempt['state'];
  closed_at: string | null;
  percent: number;
  score: number | null;
  passed: boolean | null;
  started_at: string;
  completed_at: string | null;
  last_topic_id: string | null;
  rev: number;
};
type Submission = {
  id: string;
  quiz_id: string;
  try_no: number;
  score: number;
  passed: boolean;
  answers: Record<string, Answer>;
  outcomes: { question_id: string; correct: boolean; feedback: string }[];
  submitted_at: string;
};

/**
 * The try number of an attempt id: any up to the next one, because an offline device may not know all tries. Null if it is
 * not an attempt of this person at this content.
 */
const tryNamed = async (tx: Db, userId: string, contentId: string, attemptId: string): Promise<number | null> => {
  for (let tryNo = await nextTryOf(tx, userId, contentId); tryNo >= 1; tryNo--)
    if ((await attemptIdOf(userId, contentId, tryNo)) === attemptId) return tryNo;
  return null;
};

/**
 * Refuses work in an attempt that was over before it was begun on this device, which did not know: nothing of it would be recorded. Names the
 * try that it belongs to, so that the device sends it there. Nothing is written into the ledger.
 */
const requireNotOver = async (tx: Db, actor: Actor, held: Held, start: AttemptChange, now: Date): Promise<void> => {
  const endOf = (a: Pick<Held, 'state' | 'completed_at' | 'closed_at'>) => (a.state === 'graded' ? (a.completed_at ?? a.closed_at) : a.closed_at);
  const begun = new Date(timeOf(start, now));
  const overBefore = (a: Pick<Held, 'state' | 'completed_at' | 'closed_at'>) => {
    const end = endOf(a);
    return end !== null && new Date(end) < begun;
  };
  if (!overBefore(held) || (await tx.one(sql`select 1 from ledger where user_id = ${held.user_id} and entry_id = ${start.id}`))) return;
  const [newest] = await tx.all<Pick<Held, 'id' | 'try_no' | 'state' | 'completed_at' | 'closed_at'>>(
    sql`select id, try_no, state, completed_at, closed_at from attempts where user_id = ${held.user_id} and content_id = ${held.content_id} order by try_no desc limit 1`,
  );
  const open = newest && newest.id !== held.id && !overBefore(newest) ? newest : null;
  const tryNo = open?.try_no ?? (await nextTryOf(tx, held.user_id, held.content_id));
  throw new ProductError('begun_after', {
    extra: {
      resolution: [],
      current: await attemptById(tx, actor, held.id),
      instead: { id: open?.id ?? (await attemptIdOf(held.user_id, held.content_id, tryNo)), try_no: tryNo },
      outcomes: [],
      server_time: now.toISOString(),
    },
  });
};

export const applyChanges = async (db: Db, actor: Actor, attemptId: string, changes: readonly AttemptChange[], now: Date): Promise<Applied> =>
  db.tx(async (tx) => {
    const userId = actor.user.uuid;
    // Serialises devices that start the same attempt at once.
    await lockEntity(tx, attemptId);
    let loaded =
      await tx.one<Held>(sql`select id, user_id, content_id, content_version, try_no, state, closed_at, percent, score, passed, started_at, completed_at, last_topic_id, rev
      from attempts where id = ${attemptId} and user_id = ${userId}`);
    const work = {
      progress: new Map<string, TopicProgress>(),
      touched: new Set<string>(),
      submissions: [] as Submission[],
      handedIn: [] as Submission[],
      drafts: new Map<string, { quiz_id: string; try_no: number; question_id: string; answer: Answer; at: string }>(),
      created: false,
    };
    let course: Awaited<ReturnType<typeof contentVersion>>;
    if (loaded) {
      course = await contentVersion(tx, loaded.content_id, loaded.content_version);
      for (const p of await tx.all<TopicProgress>(
        sql`select topic_id, state, percent, completed_at, seconds from topic_progress where attempt_id = ${attemptId}`,
      ))
        work.progress.set(p.topic_id, p);
      work.submissions = await tx.all<Submission>(
        sql`select id, quiz_id, try_no, score, passed from quiz_submissions where attempt_id = ${attemptId}`,
      );
    }
    const [first] = changes;
    if (loaded && first?.command === 'attempt.start') await requireNotOver(tx, actor, loaded, first, now);
    const start = async (change: Extract<AttemptChange, { command: 'attempt.start' }>) => {
      if (loaded) return;
      const document = await contentDocumentOf(tx, actor, change.args.content_id);
      const tryNo = await tryNamed(tx, userId, change.args.content_id, attemptId);
      if (!document || tryNo === null) throw new Refused('not_found');
      if (!prerequisitesMet(await prerequisitesOf(tx, change.args.content_id, userId)))
        throw new Refused('prerequisite_missing', ['start_prerequisite', 'ask_manager']);
      const version = (await contentVersion(tx, change.args.content_id, change.args.content_version))
        ? change.args.content_version
        : document.version;
      course = await contentVersion(tx, change.args.content_id, version);
      loaded = {
        id: attemptId,
        user_id: userId,
        content_id: change.args.content_id,
        content_version: version,
        try_no: tryNo,
        state: 'open',
        closed_at: null,
        percent: 0,
        score: null,
        passed: null,
        started_at: timeOf(change, now),
        completed_at: null,
        last_topic_id: null,
        rev: 0,
      };
      // As when it is taken again with a connection.
      await tx.run(sql`update attempts set closed_at = ${now}, rev = rev + 1
        where user_id = ${userId} and content_id = ${change.args.content_id} and try_no < ${tryNo} and state = 'graded' and closed_at is null`);
      work.created = true;
    };

    const packages = await packageWork(tx, attemptId, loaded !== undefined);
    /** Whether a fact arrived after the attempt was closed. Throws if the course does not accept late progress. */
    const isLate = (attempt: Held, document: ContentDocument): boolean => {
      if (attempt.closed_at === null) return false;
      if (!document.accepts_late_progress) throw new Refused('attempt_closed', ['keep_theirs', 'attach_evidence', 'ask_manager']);
      return true;
    };

    const progress = (
      change: Extract<AttemptChange, { command: 'attempt.progress' }>,
      attempt: Held,
      document: ContentDocument,
    ): ChangeOutcome['outcome'] => {
      const late = isLate(attempt, document);
      const { topic_id, state, percent, seconds } = change.args;
      const fact: TopicProgress = { topic_id, state, percent, seconds, completed_at: state === 'completed' ? timeOf(change, now) : null };
      const before = work.progress.get(topic_id);
      work.progress.set(topic_id, mergeProgress(before ?? { topic_id, state: 'none', percent: 0, completed_at: null, seconds: {} }, fact));
      work.touched.add(topic_id);
      if (!late) attempt.last_topic_id = topic_id;
      return late ? 'late' : 'applied';
    };

    const submit = async (
      change: Extract<AttemptChange, { command: 'attempt.submit_quiz' }>,
      attempt: Held,
      document: ContentDocument,
      keys: Record<string, AnswerKey>,
    ) => {
      const { quiz_id, try_no, answers } = change.args;
      const asked =
        change.args.content_version === attempt.content_version
          ? { document, keys }
          : await contentVersion(tx, attempt.content_id, change.args.content_version).then((v) =>
              v ? { document: v.document, keys: v.answer_keys } : { document, keys },
            );
      const quiz = asked.document.quizzes.find((q) => q.id === quiz_id);
      if (!quiz) throw new Refused('not_found');
      const left = triesLeft(quiz, work.submissions);
      if (attempt.closed_at !== null) throw new Refused('attempt_closed', ['keep_theirs', 'attach_evidence', 'ask_manager']);
      const before = work.submissions.filter((s) => s.quiz_id === quiz_id);
      const passed = before.some((s) => s.passed);
      if (before.some((s) => s.try_no === try_no))
        throw new Refused('quiz_try_taken', left > 0 && !passed ? ['new_try', 'keep_theirs', 'attach_evidence'] : ['keep_theirs', 'attach_evidence']);
      if (left <= 0) throw new Refused('no_tries_left', ['keep_theirs', 'attach_evidence', 'ask_manager']);
      if (try_no !== before.length + 1) throw new Refused('invalid_input');
      // Marked on the questions that the person saw, which another try or another device may have drawn.
      const shown = change.args.shown ?? { attempt_id: attempt.id, try_no };
      // Never of a later try: nobody draws again until the questions suit them.
      if (shown.try_no > try_no || (shown.attempt_id !== attempt.id && (await tryNamed(tx, userId, attempt.content_id, shown.attempt_id)) === null))
        throw new Refused('invalid_input');
      const outcomes = drawQuestions(quiz, shown.attempt_id, shown.try_no).map((q) => {
        const key = asked.keys[q.id] as AnswerKey;
        return { question_id: q.id, correct: isCorrect(answers[q.id], key), feedback: answerFeedback(answers[q.id], key) };
      });
      const right = outcomes.filter((o) => o.correct).length;
      const score = outcomes.length === 0 ? 100 : Math.round((right * 100) / outcomes.length);
      const submission: Submission = {
        id: change.id,
        quiz_id,
        try_no,
        score,
        passed: score >= quiz.pass_percent,
        answers,
        outcomes,
        submitted_at: timeOf(change, now),
      };
      work.submissions.push(submission);
      work.handedIn.push(submission);
    };

    const apply = async (change: AttemptChange): Promise<ChangeOutcome['outcome']> => {
      if (change.command === 'attempt.start') {
        await start(change);
        return 'applied';
      }
      if (!loaded || !course) throw new Refused('not_found');
      switch (change.command) {
        case 'attempt.progress':
          return progress(change, loaded, course.document);
        case 'attempt.answer': {
          const { quiz_id, try_no, question_id, answer } = change.args;
          if (loaded.closed_at !== null || work.submissions.some((s) => s.quiz_id === quiz_id && s.try_no === try_no)) return 'late';
          work.drafts.set(`${quiz_id}:${try_no}:${question_id}`, { quiz_id, try_no, question_id, answer, at: timeOf(change, now) });
          return 'applied';
        }
        case 'attempt.submit_quiz':
          await submit(change, loaded, course.document, course.answer_keys);
          return 'applied';
        case 'attempt.scorm_commit':
        case 'attempt.scorm_resume':
        case 'attempt.h5p_statements':
        case 'attempt.h5p_state': {
          const late = isLate(loaded, course.document);
          if (change.command === 'attempt.scorm_commit') await packages.commit(change.args, timeOf(change, now));
          else if (change.command === 'attempt.scorm_resume') await packages.resume(change.args);
          else if (change.command === 'attempt.h5p_statements') await packages.statements(change.args);
          else packages.state(change.args, timeOf(change, now));
          return late ? 'late' : 'applied';
        }
      }
    };

    const { outcomes, failure, effects, record } = await applyOnce(tx, userId, changes, now, apply);
    // If nothing was started, the ledger stays empty, so that the start can be retried once the prerequisite is met.
    if (!loaded) return { current: null, outcomes, failure };
    await record();
    if (effects > 0 && course) {
      await writeAttempt(
        tx,
        loaded,
        course,
        { ...work, scorm: course.document.package ? await packages.items() : [], h5p: await packages.activities() },
        now,
      );
      await packages.write(now);
    }
    const attempt = existing(await attemptById(tx, actor, attemptId));
    return { current: attempt, outcomes, failure };
  });

const writeAttempt = async (
  tx: Db,
  held: Held,
  course: NonNullable<Awaited<ReturnType<typeof contentVersion>>>,
  work: {
    progress: Map<string, TopicProgress>;
    touched: Set<string>;
    submissions: Submission[];
    handedIn: Submission[];
    drafts: Map<string, object>;
    created: boolean;
    scorm: ScormItem[];
    h5p: (H5pFacts & { item_id: string })[];
  },
  now: Date,
) => {
  const completion = completionOf(course.document, {
    progress: [...work.progress.values()],
    submissions: work.submissions,
    scorm: decidedSessions(work.scorm),
    h5p: work.h5p,
  });
  const wasGraded = held.state === 'graded';
  const graded = wasGraded || (completion.complete && held.closed_at === null);
  const next = {
    ...held,
    state: graded ? 'graded' : work.submissions.length > 0 ? 'submitted' : 'open',
    percent: Math.max(held.percent, graded ? 100 : completion.percent),
    score: wasGraded ? held.score : work.submissions.length > 0 || work.scorm.length > 0 ? completion.score : null,
    passed: graded ? true : held.passed,
  };
  // Completion is dated when the person finished, not when the connection returned.
  const ends = [
    ...[...work.progress.values()].map((p) => p.completed_at),
    ...work.handedIn.map((s) => s.submitted_at),
    ...work.scorm.flatMap((i) => i.sessions.filter((s) => s.ended !== false).map((s) => s.at)),
  ]
    .filter((t): t is string => t !== null)
    .map((t) => new Date(t).toISOString())
    .sort();
  const completedAt = wasGraded ? held.completed_at : graded ? (ends.at(-1) ?? now.toISOString()) : null;
  if (work.created) {
    await tx.run(
      sql`insert into attempts (id, user_id, content_id, content_version, try_no, started_at, rev) values (${held.id}, ${held.user_id}, ${held.content_id}, ${held.content_version}, ${held.try_no}, ${held.started_at}, 0)`,
    );
  }
  await tx.run(sql`update attempts set state = ${next.state}, percent = ${next.percent}, score = ${next.score}, passed = ${next.passed}, completed_at = ${completedAt},
    last_topic_id = ${held.last_topic_id}, rev = rev + 1, updated_at = ${now} where id = ${held.id}`);
  const touched = [...work.touched].map((id) => work.progress.get(id));
  if (touched.length > 0) {
    await tx.run(sql`insert into topic_progress (attempt_id, topic_id, state, percent, completed_at, seconds)
      select ${held.id}, r.topic_id, r.state, r.percent, r.completed_at, r.seconds from jsonb_to_recordset(${JSON.stringify(touched)}::jsonb) as r (topic_id uuid, state text, percent integer, completed_at timestamptz, seconds jsonb)
      on conflict (attempt_id, topic_id) do update set state = excluded.state, percent = excluded.percent, completed_at = excluded.completed_at, seconds = excluded.seconds`);
  }
  if (work.drafts.size > 0) {
    await tx.run(sql`insert into draft_answers (attempt_id, quiz_id, try_no, question_id, answer, at)
      select ${held.id}, r.quiz_id, r.try_no, r.question_id, r.answer, r.at from jsonb_to_recordset(${JSON.stringify([...work.drafts.values()])}::jsonb) as r (quiz_id uuid, try_no integer, question_id uuid, answer jsonb, at timestamptz)
      on conflict (attempt_id, quiz_id, try_no, question_id) do update set answer = excluded.answer, at = excluded.at where draft_answers.at <= excluded.at`);
  }
  if (work.handedIn.length > 0) {
    await tx.run(sql`insert into quiz_submissions (id, attempt_id, quiz_id, try_no, answers, outcomes, score, passed, submitted_at, received_at)
      select r.id, ${held.id}, r.quiz_id, r.try_no, r.answers, r.outcomes, r.score, r.passed, r.submitted_at, ${now}
      from jsonb_to_recordset(${JSON.stringify(work.handedIn)}::jsonb) as r (id uuid, quiz_id uuid, try_no integer, answers jsonb, outcomes jsonb, score integer, passed boolean, submitted_at timestamptz)`);
  }
  if (graded && !wasGraded) {
    const { user_id, content_id, id: attempt_id } = held;
    const completed = completedAt ?? now.toISOString();
    const minutes = Math.ceil([...work.progress.values()].reduce((sum, p) => sum + totalSeconds(p), 0) / 60);
    const what = { user_id, course_id: course.course_id, content_id, content_version: held.content_version, attempt_id, type: course.document.type };
    await recordResults(tx, [{ ...what, origin: 'attempt', completed, score: next.score, minutes }], now);
  }
};
