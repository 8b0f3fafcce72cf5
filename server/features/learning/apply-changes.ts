import { createHash, randomUUID } from 'node:crypto';
import type { Attempt, TopicProgress } from '#contract/entities/attempt.ts';
import type { Answer, AnswerKey, ContentDocument } from '#contract/entities/content.ts';
import type { AttemptChange, ChangeOutcome, Resolution } from '#contract/commands/attempt-commands.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { attemptIdOf } from '#contract/rules/attempt-id.ts';
import { completionOf, triesLeft } from '#contract/rules/completion.ts';
import { drawQuestions } from '#contract/rules/draw-questions.ts';
import { isCorrect } from '#contract/rules/grade-answer.ts';
import { mergeProgress } from '#contract/rules/merge-progress.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { contentDocumentOf, contentVersion, prerequisitesMet, prerequisitesOf } from '#server/features/learning/contents.sql.ts';
import { attemptById } from '#server/features/learning/attempts.sql.ts';
import { ProductError } from '#server/http/product-error.ts';
import type { Actor } from '#server/http/sessions.ts';

/**
 * Applies a person's changes to one attempt, each exactly once, in one transaction:
 *
 *   ledger says seen? ── same content ──▶ the first answer again
 *        │                └ other content ─▶ refused (idempotency_mismatch)
 *        ▼
 *   apply to the attempt in memory ── conflict or refusal ─▶ archive it, answer it, stop here
 *        ▼
 *   write progress, answers, submissions, result, ledger; raise `rev`
 *
 * What it must never do: lose a change (a refused one is archived), apply one twice (the ledger row and the effect are
 * one transaction), or let a completed topic or attempt move back.
 */
/** `attempt` is null where there is none: nothing was started. What was refused is kept all the same. */
export type Applied = { attempt: Attempt | null; outcomes: ChangeOutcome[]; failure: Failure | null };
export type Failure = { code: ErrorCode; message: string; resolution: Resolution[]; change: AttemptChange };

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

const canonical = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(canonical)
    : value && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([k, v]) => [k, canonical(v)]),
        )
      : value;
/** What makes a change itself: what it asks, not when it was sent. */
export const fingerprintOf = (change: { command: string; version: number; args: unknown }): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical({ command: change.command, version: change.version, args: change.args })))
    .digest('hex');

class Refused extends Error {
  readonly code: ErrorCode;
  readonly resolution: Resolution[];
  constructor(code: ErrorCode, resolution: Resolution[] = []) {
    super(errors[code].message);
    this.code = code;
    this.resolution = resolution;
  }
}

export const applyChanges = async (db: Db, actor: Actor, attemptId: string, changes: readonly AttemptChange[], now: Date): Promise<Applied> =>
  db.tx(async (tx) => {
    const userId = actor.user.uuid;
    // The person's row is the lock: two devices that start the same attempt come one after the other.
    await tx.one(sql`select id from users where id = ${userId} for update`);
    const seen = new Map(
      (
        await tx.all<{
          entry_id: string;
          fingerprint: string;
          answer: (ChangeOutcome & { resolution?: Resolution[] }) | null;
          outcome: ChangeOutcome['outcome'];
        }>(
          sql`select entry_id, fingerprint, answer, outcome from ledger where user_id = ${userId} and entry_id = any(${changes.map((c) => c.id)}::uuid[])`,
        )
      ).map((r) => [r.entry_id, r]),
    );
    let held =
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
    if (held) {
      course = await contentVersion(tx, held.content_id, held.content_version);
      for (const p of await tx.all<TopicProgress>(
        sql`select topic_id, state, percent, completed_at, seconds from topic_progress where attempt_id = ${attemptId}`,
      ))
        work.progress.set(p.topic_id, p);
      work.submissions = await tx.all<Submission>(
        sql`select id, quiz_id, try_no, score, passed from quiz_submissions where attempt_id = ${attemptId}`,
      );
    }
    const timeOf = (change: AttemptChange) => (new Date(change.at) > now ? now.toISOString() : change.at);

    const start = async (change: Extract<AttemptChange, { command: 'attempt.start' }>) => {
      if (held) return;
      const document = await contentDocumentOf(tx, actor, change.args.content_id);
      if (!document || (await attemptIdOf(userId, change.args.content_id, 1)) !== attemptId) throw new Refused('not_found');
      if (!prerequisitesMet(await prerequisitesOf(tx, change.args.content_id, userId)))
        throw new Refused('prerequisite_missing', ['start_prerequisite', 'ask_manager']);
      const version = (await contentVersion(tx, change.args.content_id, change.args.content_version))
        ? change.args.content_version
        : document.version;
      course = await contentVersion(tx, change.args.content_id, version);
      held = {
        id: attemptId,
        user_id: userId,
        content_id: change.args.content_id,
        content_version: version,
        try_no: 1,
        state: 'open',
        closed_at: null,
        percent: 0,
        score: null,
        passed: null,
        started_at: timeOf(change),
        completed_at: null,
        last_topic_id: null,
        rev: 0,
      };
      work.created = true;
    };

    const progress = (
      change: Extract<AttemptChange, { command: 'attempt.progress' }>,
      attempt: Held,
      document: ContentDocument,
    ): ChangeOutcome['outcome'] => {
      const late = attempt.closed_at !== null;
      if (late && !document.accepts_late_progress) throw new Refused('attempt_closed', ['keep_theirs', 'attach_evidence', 'ask_manager']);
      const { topic_id, state, percent, seconds } = change.args;
      const fact: TopicProgress = { topic_id, state, percent, seconds, completed_at: state === 'completed' ? timeOf(change) : null };
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
      const outcomes = drawQuestions(quiz, attempt.id, try_no).map((q) => {
        const key = asked.keys[q.id] as AnswerKey;
        return { question_id: q.id, correct: isCorrect(answers[q.id], key), feedback: key.feedback };
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
        submitted_at: timeOf(change),
      };
      work.submissions.push(submission);
      work.handedIn.push(submission);
    };

    const apply = async (change: AttemptChange): Promise<ChangeOutcome['outcome']> => {
      if (change.command === 'attempt.start') {
        await start(change);
        return 'applied';
      }
      if (!held || !course) throw new Refused('not_found');
      switch (change.command) {
        case 'attempt.progress':
          return progress(change, held, course.document);
        case 'attempt.answer': {
          const { quiz_id, try_no, question_id, answer } = change.args;
          if (held.closed_at !== null || work.submissions.some((s) => s.quiz_id === quiz_id && s.try_no === try_no)) return 'late';
          work.drafts.set(`${quiz_id}:${try_no}:${question_id}`, { quiz_id, try_no, question_id, answer, at: timeOf(change) });
          return 'applied';
        }
        case 'attempt.submit_quiz':
          await submit(change, held, course.document, course.answer_keys);
          return 'applied';
      }
    };

    const outcomes: ChangeOutcome[] = [];
    const record: { entry_id: string; fingerprint: string; answer: ChangeOutcome & { resolution?: Resolution[] } }[] = [];
    let failure: Failure | null = null;
    let effects = 0;
    for (const change of changes) {
      const known = seen.get(change.id);
      const fingerprint = fingerprintOf(change);
      if (known && known.fingerprint !== fingerprint) {
        failure = { code: 'idempotency_mismatch', message: errors.idempotency_mismatch.message, resolution: [], change };
        outcomes.push({ id: change.id, outcome: 'refused', code: failure.code, message: failure.message });
        break;
      }
      if (known) {
        // After 90 days only what became of it is known, and that is enough to do nothing twice.
        const answer = known.answer ?? { id: change.id, outcome: known.outcome };
        outcomes.push({ id: change.id, outcome: answer.outcome, code: answer.code, message: answer.message });
        if (answer.outcome === 'conflict' || answer.outcome === 'refused') {
          const code = (answer.code ?? 'rev_mismatch') as ErrorCode;
          failure = { code, message: answer.message ?? errors[code].message, resolution: answer.resolution ?? ['keep_theirs'], change };
          break;
        }
        continue;
      }
      try {
        const outcome = await apply(change);
        effects++;
        const answer: ChangeOutcome = { id: change.id, outcome };
        outcomes.push(answer);
        record.push({ entry_id: change.id, fingerprint, answer });
        seen.set(change.id, { entry_id: change.id, fingerprint, answer, outcome });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const answer = {
          id: change.id,
          outcome: errors[error.code].status === 409 ? ('conflict' as const) : ('refused' as const),
          code: error.code,
          message: error.message,
          resolution: error.resolution,
        };
        outcomes.push({ id: answer.id, outcome: answer.outcome, code: answer.code, message: answer.message });
        record.push({ entry_id: change.id, fingerprint, answer });
        failure = { code: error.code, message: error.message, resolution: error.resolution, change };
        await tx.run(
          sql`insert into refusals (user_id, entry_id, command, payload, code, message, at) values (${userId}, ${change.id}, ${change.command}, ${JSON.stringify(change)}, ${error.code}, ${error.message}, ${now}) on conflict do nothing`,
        );
        break;
      }
    }
    // Where nothing was started the ledger stays empty: the same start may come again, once what was missing is there.
    if (!held) return { attempt: null, outcomes, failure };
    await writeLedger(tx, userId, record, now);
    if (effects > 0 && course) await writeAttempt(tx, held, course, work, now);
    const attempt = await attemptById(tx, actor, attemptId);
    if (!attempt) throw new ProductError('not_found');
    return { attempt, outcomes, failure };
  });

const writeLedger = async (tx: Db, userId: string, record: { entry_id: string; fingerprint: string; answer: unknown }[], now: Date) => {
  if (record.length === 0) return;
  await tx.run(sql`insert into ledger (user_id, entry_id, fingerprint, answer, outcome, at) select ${userId}, r.entry_id, r.fingerprint, r.answer, r.answer ->> 'outcome', ${now}
    from jsonb_to_recordset(${JSON.stringify(record)}::jsonb) as r (entry_id uuid, fingerprint text, answer jsonb)`);
};

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
  },
  now: Date,
) => {
  const completion = completionOf(course.document, { progress: [...work.progress.values()], submissions: work.submissions });
  const wasGraded = held.state === 'graded';
  const graded = wasGraded || (completion.complete && held.closed_at === null);
  const next = {
    ...held,
    state: graded ? 'graded' : work.submissions.length > 0 ? 'submitted' : 'open',
    percent: Math.max(held.percent, graded ? 100 : completion.percent),
    score: wasGraded ? held.score : work.submissions.length > 0 ? completion.score : null,
    passed: graded ? true : held.passed,
  };
  // A try that was handed in, or a page that was finished, ends when the person did it, not when the line came back.
  const ends = [...[...work.progress.values()].map((p) => p.completed_at), ...work.handedIn.map((s) => s.submitted_at)]
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
    const expires = course.renewal_months === null || completedAt === null ? null : addMonths(completedAt, course.renewal_months);
    await tx.run(sql`insert into results (id, user_id, course_id, content_id, attempt_id, type, completed_at, expires_at, score)
      values (${randomUUID()}, ${held.user_id}, ${course.course_id}, ${held.content_id}, ${held.id}, 'elearning', ${completedAt}, ${expires}, ${next.score}) on conflict (attempt_id) do nothing`);
  }
};

/** The same day some months later; the last day of the month where that month is shorter. */
export const addMonths = (instant: string, months: number): string => {
  const from = new Date(instant);
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() + months);
  const last = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(from.getUTCDate(), last));
  return to.toISOString();
};
