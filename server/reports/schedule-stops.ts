import { permissionIdOf } from '#contract/permissions.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { JobEnds } from '#server/jobs/job.ts';
import { letter } from '#server/mail/mailer.ts';
import type { Services } from '#server/services.ts';

const mostTold = 10;

/** Stops schedules for good, and notifies people. */
export const scheduleStops = ({ db, now, mail, config, log }: Pick<Services, 'db' | 'now' | 'mail' | 'config' | 'log'>) => {
  /**
   * Stops one, in a transaction: notifies its owner, or, if they have left, the nearest people who may schedule reports at its organisation
   * or above it.
   */
  const stop = async (tx: Db, schedule: string, why: string): Promise<void> => {
    const stopped = await tx.one<{ name: string; entity_id: string; owner_id: string; owner: string; place: string }>(sql`update report_schedules s
      set stopped_why = ${why}, changed_at = ${now()} from person_names o, entity_names n
      where s.id = ${schedule} and s.stopped_why is null and o.id = s.owner_id and n.id = s.entity_id returning s.name, s.entity_id, s.owner_id, o.name as owner, n.name as place`);
    if (!stopped) return;
    const owner = await tx.all<{ name: string; email: string }>(
      sql`select name, email from users where id = ${stopped.owner_id} and disabled_at is null`,
    );
    const schedules = permissionIdOf('report.schedules');
    const others = await tx.all<{ name: string; email: string; place: string }>(sql`select u.name, u.email, u.primary_entity_id as place from users u
      join lateral (select count(*) as height from entity_below b where b.below = u.primary_entity_id) h on true
      where u.disabled_at is null and u.id <> ${stopped.owner_id} and u.primary_entity_id in (select entity_and_above(${stopped.entity_id}))
        and (exists (select 1 from type_permissions p where p.type_id = u.type_id and p.permission_id = ${schedules})
          or exists (select 1 from entity_permissions p where p.entity_id = u.primary_entity_id and p.permission_id = ${schedules})
          or exists (select 1 from user_permissions p where p.user_id = u.id and p.permission_id = ${schedules}))
      order by h.height desc, u.name limit ${mostTold}`);
    const nearest = others.filter((o) => o.place === others[0]?.place);
    const recipients = owner.length > 0 ? owner : nearest;
    if (recipients.length === 0) log.warn({ schedule, why }, 'a schedule was stopped, and there is nobody to tell');
    const body = `“${stopped.name}” of ${stopped.owner}, for ${stopped.place}, is not sent any more. ${why} The person who saves it again becomes its owner, and it goes on:\n${config.PUBLIC_URL}/reports/schedules/${schedule}`;
    for (const person of recipients) await mail.send(letter(person, 'A report is not sent any more', body), tx);
  };
  return {
    stop,
    /** Stops the schedule of a sending, and returns the error that ends the job with the same reason. */
    stopped: async (schedule: string | null, why: string): Promise<JobEnds> => {
      if (schedule) {
        await db.tx((tx) => stop(tx, schedule, why));
        mail.wake();
      }
      return new JobEnds('stopped', why);
    },
  };
};
