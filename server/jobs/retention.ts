import { protocol } from '#contract/protocol.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

/** How long it is known who signed in, when and from where. */
const authEventDays = 400;
/** How long it is known what was sent to whom. */
const mailDays = 30;
/** How long the pieces of a file wait for the rest of it; the device has them all until the file is whole. */
const piecesDays = 30;
/** How long it is known that a change failed, after it has failed last. */
const failedChangeDays = 90;
/** How long a job that has ended is shown. */
const jobDays = 30;
/** How long failures to sign in are counted at most. */
const failureDays = 2;
const dayMs = 86_400_000;

/**
 * Forgets what no device can ask for any more: the answer to a change after 90 days, its id after 400. Until then a
 * second arrival is recognised, and does nothing twice. What was refused is kept. Sign-ins are forgotten after 400 days too,
 * changes that failed after 90, and pieces of files that were never completed after 30: where the rest comes after all, they are asked for again. Sign-ups whose link has expired are forgotten at once.
 */
export const forgetOldAnswers = async (
  db: Db,
  now: Date,
): Promise<{
  answers: number;
  ids: number;
  failedChanges: number;
  authEvents: number;
  mails: number;
  signUps: number;
  failures: number;
  pieces: number;
  jobs: number;
}> => {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  return {
    answers: await db.run(sql`update ledger set answer = null where answer is not null and at < ${before(protocol.ledgerAnswerDays)}`),
    authEvents: await db.run(sql`delete from auth_events where at < ${before(authEventDays)}`),
    signUps: await db.run(sql`delete from sign_ups where expires_at < ${before(0)}`),
    mails: await db.run(sql`delete from outgoing_mail where at < ${before(mailDays)}`),
    failures: await db.run(
      sql`delete from sign_in_failures where last_at < ${before(failureDays)} and (known_until is null or known_until < ${now})`,
    ),
    pieces: await db.run(sql`delete from care_evidence_parts where received_at < ${before(piecesDays)}`),
    jobs: await db.run(sql`delete from jobs where ended_at < ${before(jobDays)}`),
    failedChanges: await db.run(sql`delete from failed_changes where last_at < ${before(failedChangeDays)}`),
    ids: await db.run(sql`delete from ledger where at < ${before(protocol.ledgerIdDays)}`),
  };
};

export const retentionJob = ({ db, now }: Pick<Services, 'db' | 'now'>): Job => ({
  title: () => 'Deleting what is kept for a time only',
  unit: 'steps',
  seenBy: [],
  schedule: '17 2 * * *',
  ...{ canCancel: false, limitMinutes: 60, tries: 5, atOnce: 1 },
  run: async () => void (await forgetOldAnswers(db, now())),
});
