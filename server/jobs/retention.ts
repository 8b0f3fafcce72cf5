import { protocol } from '#contract/protocol.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

/** Sign-in events. */
const authEventDays = 400;
/** Sent e-mail. */
const mailDays = 30;
/** Pieces of incomplete files; the device keeps all of them until the file is complete. */
const piecesDays = 30;
/** Failed changes, after their last failure. */
const failedChangeDays = 90;
/** Jobs that have ended. */
const jobDays = 30;
/** Sendings of reports. */
const deliveryDays = 400;
/** What matrices were asked for: a page that is open longer asks again. */
const matrixDays = 2;
/** Failed sign-ins. */
const failureDays = 2;
const dayMs = 86_400_000;

/**
 * Deletes expired data: the answers to changes after 90 days and their ids after 400 (until then a repeated change is recognised
 * and not applied again), sign-in events after 400, failed changes after 90, pieces of incomplete files after 30 (if the rest
 * arrives after all, they are requested again), who had what open after a day, and expired sign-ups at once. Refusals are kept.
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
  matrices: number;
  presences: number;
  deliveries: number;
}> => {
  const before = (days: number) => new Date(now.getTime() - days * dayMs);
  return {
    answers: await db.run(sql`update ledger set answer = null where answer is not null and at < ${before(protocol.ledgerAnswerDays)}`),
    // The last sign-in of each person stays: reports say who has never signed in.
    authEvents: await db.run(sql`delete from auth_events a where a.at < ${before(authEventDays)}
      and (a.kind <> 'signed_in' or exists (select 1 from auth_events l where l.user_id = a.user_id and l.kind = 'signed_in' and l.at > a.at))`),
    signUps: await db.run(sql`delete from sign_ups where expires_at < ${before(0)}`),
    mails:
      (await db.run(sql`delete from outgoing_mail where at < ${before(mailDays)}`)) +
      (await db.run(
        sql`delete from mail_files f where f.at < ${before(1)} and not exists (select 1 from outgoing_mail o where o.file_id = f.id and o.sent_at is null)`,
      )),
    deliveries:
      (await db.run(sql`delete from report_delivery_pieces p using report_deliveries d where d.id = p.delivery_id and d.expires_at < ${now}`)) +
      (await db.run(sql`delete from report_deliveries where due_at < ${before(deliveryDays)}`)),
    failures: await db.run(
      sql`delete from sign_in_failures where last_at < ${before(failureDays)} and (known_until is null or known_until < ${now})`,
    ),
    pieces:
      (await db.run(sql`delete from care_evidence_parts where received_at < ${before(piecesDays)}`)) +
      (await db.run(sql`delete from submission_parts where received_at < ${before(piecesDays)}`)) +
      (await db.run(sql`delete from content_uploads where begun_at < ${before(piecesDays)}`)),
    jobs: await db.run(sql`delete from jobs where ended_at < ${before(jobDays)}`),
    matrices: await db.run(sql`delete from matrices where created_at < ${before(matrixDays)}`),
    presences: await db.run(sql`delete from presences where seen_at < ${before(1)}`),
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
