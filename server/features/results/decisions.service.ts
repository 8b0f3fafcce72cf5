import type { Result } from '#contract/entities/result.ts';
import { dayIn, dayWords, instantOf } from '#contract/rules/days.ts';
import { pathTo } from '#contract/site-map.ts';
import { holds } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { neverSignedIn } from '#server/features/account/activity.rows.ts';
import { type ByProduct, tellPeople } from '#server/features/messages/messages.service.ts';
import { isToDecide } from '#server/features/results/results.rows.ts';
import type { Job } from '#server/jobs/job.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

const mostNamed = 20;
const lineOf = ({ course_title, completed_at, zone }: Result): string => `“${course_title}”, completed on ${dayWords(dayIn(completed_at, zone))}`;

/** Notifies people of the decisions on their results, in one message a person. In the transaction that decides; call `messages.mailed` after it. */
export const tellOfDecisions = async (
  tx: Db,
  decided: readonly Result[],
  { approved, reason, by, now }: { approved: boolean; reason: string; by: string; now: Date },
): Promise<ByProduct> => {
  const outcome = approved ? 'approved. It counts from now on.' : 'rejected. It does not count.';
  const people = Map.groupBy(decided, (r) => r.user.id);
  const texts = [...people].map(([recipient_id, theirResults]) => {
    const named = theirResults.slice(0, mostNamed).map((r) => `${lineOf(r)}: ${outcome}`);
    const more = theirResults.length > mostNamed ? [`And ${theirResults.length - mostNamed} more.`] : [];
    return { recipient_id, message: [...named, ...more, ...(reason ? [`Reason: ${reason}`] : [])].join('\n') };
  });
  return tellPeople(tx, by, texts, now);
};

/** The time of day of the e-mail to approvers, in the time zone of their organisation. */
const digestAt = '07:00';
/** Results submitted while the last e-mail was being written may be missing from it. */
const slack = sql`interval '1 minute'`;
const atOnce = 100;

type Sending = Pick<Services, 'db' | 'mail' | 'config' | 'now' | 'log'>;
type Decider = { id: string; name: string; email: string; waiting: number; fresh: number };

/**
 * Notifies approvers of the number of pending results: in one e-mail a day, and only if something was submitted since the last. Their own
 * submissions do not count. Returns how many were sent.
 */
export const sendDigests = async (services: Sending, progress?: (sent: number) => Promise<void>): Promise<number> => {
  const zones = await services.db.all<{ zone: string }>(sql`select distinct time_zone as zone from entities`);
  let sent = 0;
  for (const { zone } of zones) sent += await sendIn(services, zone, async (more) => progress?.(sent + more));
  return sent;
};
const sendIn = async ({ db, mail, config, now }: Sending, zone: string, progress: (sent: number) => Promise<void>): Promise<number> => {
  const moment = new Date(instantOf(dayIn(now(), zone), digestAt, zone));
  if (now() < moment) return 0;
  const waitingFor = sql`from results r join users s on s.id = r.user_id join entity_below b on b.below = s.primary_entity_id
    where b.above = u.primary_entity_id and ${isToDecide(sql`u.id`)}`;
  const isFresh = sql`r.created_at > coalesce(u.told_pending_at - ${slack}, '-infinity')`;
  const sees = sql`(${holds(sql`u`, 'user.search')} or ${holds(sql`u`, 'record.search')})`;
  let sent = 0;
  for (;;) {
    // Claimed by one server, and in one transaction with the e-mails: nobody is claimed whose e-mail is not stored.
    const claimed = await db.tx(async (tx) => {
      const people = await tx.all<Decider>(sql`update users set told_pending_at = ${now()} from (
        select u.id, (select count(*)::int ${waitingFor}) as waiting, (select count(*)::int ${waitingFor} and ${isFresh}) as fresh
        from users u join entities e on e.id = u.primary_entity_id
        where e.time_zone = ${zone} and u.disabled_at is null and not ${neverSignedIn} and (u.told_pending_at is null or u.told_pending_at < ${moment})
          and ${holds(sql`u`, 'record.update')} and ${sees} and exists (select 1 ${waitingFor} and ${isFresh})
        order by u.id limit ${atOnce} for update of u skip locked) d
      where users.id = d.id returning users.id, users.name, users.email, d.waiting, d.fresh`);
      for (const person of people) {
        const { waiting, fresh } = person;
        const text = `${waiting === 1 ? 'One result waits' : `${waiting} results wait`} for somebody to approve or reject ${waiting === 1 ? 'it' : 'them'}${fresh < waiting ? `, ${fresh} of them new` : ''}:\n${config.PUBLIC_URL}${pathTo('results-pending-by-type', { type: 'all' })}\n\nThis comes once a day at most, and only when something new was submitted.`;
        await mail.send({ ...letter(person, 'Results that wait for your decision', text), urgent: false }, tx);
      }
      return people.length;
    });
    if (claimed === 0) return sent;
    mail.wake();
    sent += claimed;
    await progress(sent);
  }
};

/** Checks every half hour whether e-mails are due. */
export const digestJob = (services: Sending): Job => ({
  title: () => 'Telling who decides what waits for them',
  unit: 'e-mails',
  seenBy: [],
  schedule: '*/30 * * * *',
  ...{ canCancel: false, limitMinutes: 240, tries: 5, atOnce: 1 },
  run: async ({ progress }) => void (await sendDigests(services, progress)),
});
