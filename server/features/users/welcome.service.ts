import type { EntityRef } from '#contract/entities/entity.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import { neverSignedIn } from '#server/features/account/activity.rows.ts';
import { newLink } from '#server/features/account/links.service.ts';
import type { Actor } from '#server/actor.ts';
import type { Job } from '#server/jobs/job.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

/** A welcome link is valid for over a week. */
const welcomeHours = 168;
type Person = { id: string; name: string; email: string };

/** Sends a person the link with which they choose their password. Call `mail.wake` after the transaction. */
export const welcomeMail =
  ({ mail, config, now }: Pick<Services, 'mail' | 'config' | 'now'>) =>
  async (person: Person, tx: Db): Promise<void> => {
    const token = await newLink(tx, person, { purpose: 'reset_password', hours: welcomeHours, now: now() });
    const text = `An account has been made for you. Open this link to choose your password:\n${config.PUBLIC_URL}/reset-password/${token}\n\nThe link works for ${welcomeHours / 24} days. After that, ask for a new one at ${config.PUBLIC_URL}/forgot-password`;
    await mail.send({ ...letter(person, 'Welcome: choose your password', text), urgent: false }, tx);
  };

const atOnce = 100;

/** People who have never signed in: at an organisation or, with `deep`, below it as well. For `users u`. */
const unwelcomed = (entityId: string, deep: boolean): Statement => sql`${neverSignedIn} and u.disabled_at is null
  and ${deep ? sql`u.primary_entity_id in (select b.below from entity_below b where b.above = ${entityId})` : sql`u.primary_entity_id = ${entityId}`}`;

/** Starts a job that welcomes everybody of an organisation who has never signed in. Returns how many these are. */
export const welcomeEverybody = async (
  { db, jobs }: Pick<Services, 'db' | 'jobs'>,
  actor: Actor,
  entity: EntityRef,
  deep: boolean,
): Promise<number> => {
  const count = (await db.one<{ n: number }>(sql`select count(*)::int as n from users u where ${unwelcomed(entity.id, deep)}`))?.n ?? 0;
  if (count === 0) return 0;
  const key = deep ? `${entity.id} deep` : entity.id;
  await jobs.note(db, 'welcomes', { key, subject: entity.name, entity: entity.id, owner: actor.user.uuid, total: count, again: false });
  jobs.wake();
  return count;
};

/** A hundred people at a time, each with their links; people with a link created since the request are not sent another. */
export const welcomesJob = (services: Pick<Services, 'db' | 'mail' | 'config' | 'now'>): Job => ({
  title: (subject) => `Welcoming everybody: ${subject}`,
  unit: 'e-mails',
  seenBy: ['user.create'],
  ...{ canCancel: true, limitMinutes: 60, tries: 5, atOnce: 1 },
  run: async ({ key, progress }) => {
    const { db, mail } = services;
    const [entityId = '', deep] = key.split(' ');
    const send = welcomeMail(services);
    for (let sent = 0; ; ) {
      const people = await db.tx(async (tx) => {
        const some = await tx.all<Person>(sql`select u.id, u.name, u.email from users u join jobs j on j.kind = 'welcomes' and j.key = ${key}
          where ${unwelcomed(entityId, deep !== undefined)} and not exists (select 1 from one_time_tokens t
            where t.user_id = u.id and t.purpose = 'reset_password' and t.expires_at >= j.asked_at + make_interval(hours => ${welcomeHours}))
          order by u.name, u.id limit ${atOnce} for update of u`);
        for (const person of some) await send(person, tx);
        return some.length;
      });
      if (people === 0) return;
      mail.wake();
      sent += people;
      await progress(sent);
    }
  },
});
