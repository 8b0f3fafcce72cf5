import { historicalCertificateEndpoints } from '#contract/api/historical-certificates.ts';
import { dayIn } from '#contract/rules/days.ts';
import { listedPerson, visiblePerson } from '#server/db/seen.ts';
import { instant, sql } from '#server/db/sql.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import { resourceOf } from '#server/resource.ts';
import type { Services } from '#server/services.ts';

/** Care certificates from elsewhere. */
export const historicalCertificatesOf = (services: Pick<Services, 'db' | 'now'>) =>
  resourceOf(services, historicalCertificateEndpoints, {
    table: 'historical_certificates',
    from: sql`historical_certificates t join users u on u.id = t.user_id join entity_names e on e.id = u.primary_entity_id`,
    row: sql`json_build_object('id', u.id, 'name', u.name) as user, e.name as place, t.achieved_on::text as achieved_on, t.issuer, t.note,
      (select json_build_object('id', p.id, 'name', p.name) from person_names p where p.id = t.added_by) as added_by, ${instant(sql`t.added_at`)} as added_at`,
    owner: sql`u.primary_entity_id`,
    visible: listedPerson,
    search: [sql`u.name`],
    sorts: { name: sql`u.name`, achieved_on: sql`t.achieved_on` },
    order: 'name',
    subject: { kind: 'certificate', name: ({ user }) => user.name },
    added: async (tx, { user_id }, actor) => {
      const person = await tx.one(sql`select 1 from users u where u.id = ${user_id} and u.disabled_at is null and ${visiblePerson(actor)}`);
      if (!person) throw new ProductError('not_found');
      return { user_id, added_by: actor.user.uuid, added_at: services.now() };
    },
    columns: ({ achieved_on, issuer, note }, actor) => {
      if (achieved_on > dayIn(services.now(), actor.user.time_zone)) throw invalid('achieved_on', 'Give a day that is not in the future.');
      return { achieved_on, issuer, note };
    },
    taken: () => invalid('user_id', 'This person has one already: change that one.'),
  });
