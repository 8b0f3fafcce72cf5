import { holds } from '#server/db/seen.ts';
import { type Db, sql } from '#server/db/sql.ts';
import type { Services } from '#server/services.ts';

/**
 * Notifies by e-mail, in the transaction of the change, that every standard of somebody's certificate is met, if their organisation or one above it wants that
 * (`notify_all_standards_selected`): the nearest people who may approve it. An approver in the same service is notified instead of the
 * whole office of the group.
 */
export const tellApprovers = ({ mail, config }: Pick<Services, 'mail' | 'config'>, tx: Db, certificateId: string): Promise<void> =>
  tx.beyond(async (whole) => {
    const about = await whole.one<{ id: string; name: string; place: string }>(
      sql`select u.id, u.name, u.primary_entity_id as place from care_certificates c join users u on u.id = c.user_id where c.id = ${certificateId}
        and exists (select 1 from entities e where e.notify_all_standards_selected and e.id in (select entity_and_above(u.primary_entity_id)))`,
    );
    if (!about) return;
    const nearest = await whole.all<{ email: string }>(sql`with approvers as (
        select a.email, (select count(*) from entity_below d where d.below = a.primary_entity_id) as depth
        from users a join entity_below b on b.above = a.primary_entity_id and b.below = ${about.place}
        where a.disabled_at is null and a.id <> ${about.id} and ${holds(sql`a`, 'care_certificate.approve')})
      select email from approvers where depth = (select max(depth) from approvers) order by email`);
    for (const { email } of nearest)
      await mail.send(
        {
          to: email,
          urgent: false,
          subject: `${about.name} has met every standard`,
          body: `${about.name} has met every standard of the care certificate. Look at it, and approve it or send it back:\n${config.PUBLIC_URL}/care-certificate/${certificateId}`,
        },
        whole,
      );
  });
