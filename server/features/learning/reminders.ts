import { addDays, dayIn, instantOf } from '#contract/rules/days.ts';
import { isDueSoon } from '#contract/rules/reminder.ts';
import { sql } from '#server/db/sql.ts';
import { neverSignedIn } from '#server/features/account/activity.rows.ts';
import { eventsOf, type LearnerEvent } from '#server/features/learning/events.rows.ts';
import type { Job } from '#server/jobs/job.ts';
import type { Services } from '#server/services.ts';

const dayMs = 86_400_000;
/** How late a reminder is still sent: a server that was down at its time sends it late, one that was down for days not at all. */
const lateMs = 2 * dayMs;
const atOnce = 100;

/** The last Monday, 07:00 in a time zone, at or before a time. */
export const lastReminderMoment = (now: Date, zone: string): Date => {
  const today = dayIn(now, zone);
  const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7));
  const moment = instantOf(monday, '07:00', zone);
  return new Date(moment <= now.toISOString() ? moment : instantOf(addDays(monday, -7), '07:00', zone));
};

const isAskedSoon = (event: LearnerEvent, now: Date): boolean =>
  event.asked_version !== null || isDueSoon({ status: event.compliance, due_at: event.due_at }, now);

const list = (heading: string, events: LearnerEvent[]): string =>
  events.length === 0 ? '' : `${heading}\n${events.map((e) => `• ${e.course_title}: ${e.reason}`).join('\n')}\n\n`;

type Sending = Pick<Services, 'db' | 'mail' | 'config' | 'now' | 'log'>;
type Person = { id: string; name: string; email: string };

/**
 * Sends this week's reminders: to everybody who can sign in, whose organisation wants reminders, and who has something required that is
 * overdue or due soon. One e-mail for each person and week, however many servers there are and however often they start. Returns how many
 * were sent.
 */
export const sendReminders = async (services: Sending, progress?: (sent: number) => Promise<void>): Promise<number> => {
  const zones = await services.db.all<{ zone: string }>(sql`select distinct e.time_zone as zone from entities e where e.events_reminder`);
  let sent = 0;
  for (const { zone } of zones) sent += await sendIn(services, zone, async (more) => progress?.(sent + more));
  return sent;
};
const sendIn = async ({ db, mail, config, now }: Sending, zone: string, progress: (sent: number) => Promise<void>): Promise<number> => {
  const moment = lastReminderMoment(now(), zone);
  if (now().getTime() - moment.getTime() > lateMs) return 0;
  let sent = 0;
  for (;;) {
    // Claimed by one server, and in one transaction with the e-mails: nobody is claimed whose e-mail is not stored.
    const slice = await db.tx(async (tx) => {
      const people = await tx.all<Person>(sql`update users set reminded_at = ${now()} where id in (
        select u.id from users u join entities e on e.id = u.primary_entity_id
        where e.events_reminder and e.time_zone = ${zone} and u.disabled_at is null and not ${neverSignedIn} and (u.reminded_at is null or u.reminded_at < ${moment})
        order by u.id limit ${atOnce} for update of u skip locked)
      returning id, name, email`);
      const events = (
        await eventsOf(
          tx,
          people.map((p) => p.id),
          now(),
        )
      ).filter((e) => e.compliance_type !== null);
      let stored = 0;
      for (const person of people) {
        const ownEvents = events.filter((e) => e.user_id === person.id);
        const overdue = ownEvents.filter((e) => e.status === 'overdue');
        const soon = ownEvents.filter((e) => isAskedSoon(e, now()));
        if (overdue.length + soon.length === 0) continue;
        await mail.send(
          {
            to: person.email,
            urgent: false,
            subject: overdue.length > 0 ? 'Training that is overdue' : 'Training that is due soon',
            body: `Hello ${person.name},\n\n${list('Overdue:', overdue)}${list('Due soon:', soon)}Your courses: ${config.PUBLIC_URL}/\n\nYour organisation sends this on Mondays while something is due.\n`,
          },
          tx,
        );
        stored++;
      }
      return { claimed: people.length, stored };
    });
    if (slice.claimed === 0) return sent;
    mail.wake();
    sent += slice.stored;
    await progress(sent);
  }
};

/** Checks every half hour whether reminders are due. */
export const remindersJob = (services: Sending): Job => ({
  title: () => 'Sending reminders of training that is due',
  unit: 'e-mails',
  seenBy: [],
  schedule: '*/30 * * * *',
  ...{ canCancel: false, limitMinutes: 240, tries: 5, atOnce: 1 },
  run: async ({ progress }) => void (await sendReminders(services, progress)),
});
