import { randomUUID } from 'node:crypto';
import { dayIn } from '#contract/rules/days.ts';
import type { historicalCertificateEndpoints } from '#contract/api/historical-certificates.ts';
import type { HistoricalCertificate } from '#contract/entities/historical-certificate.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { noteChange } from '#server/features/audit/note-change.ts';
import { listedPerson, visiblePerson } from '#server/db/seen.ts';
import { contains, countOf, existing, orderBy, pagesOf, pagePart, reference } from '#server/db/rows.ts';
import { invalid } from '#server/http/product-error.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Actor } from '#server/http/sessions.ts';
import type { Services } from '#server/services.ts';

const name = (id: Statement) => reference('person_names', id);
const historical = (db: Db, actor: Actor, where: Statement, part = sql``, order = sql`u.name, h.id`): Promise<HistoricalCertificate[]> =>
  db.all<HistoricalCertificate>(sql`select h.id, json_build_object('id', u.id, 'name', u.name) as user, e.name as place, h.achieved_on::text as achieved_on, h.issuer, h.note,
      ${name(sql`h.added_by`)} as added_by, ${instant(sql`h.added_at`)} as added_at
    from historical_certificates h join users u on u.id = h.user_id join entity_names e on e.id = u.primary_entity_id
    where ${listedPerson(actor)} and ${where} order by ${order} ${part}`);

/** Care certificates from elsewhere. */
export const historicalCertificateHandlers = ({ db, now }: Services): HandlersOf<typeof historicalCertificateEndpoints> => {
  const place = async (tx: Db, userId: string) =>
    (await tx.one<{ id: string }>(sql`select primary_entity_id as id from users where id = ${userId}`))?.id as string;
  return {
    listHistorical: async ({ query, actor }) => {
      const { search } = query;
      const where = contains([sql`u.name`], search);
      const total = await countOf(db, sql`historical_certificates h join users u on u.id = h.user_id where ${listedPerson(actor)} and ${where}`);
      const order = orderBy(query.sort ?? 'name', { name: sql`u.name`, achieved_on: sql`h.achieved_on` }, sql`h.id`);
      const rows = await historical(db, actor, where, pagePart(query), order);
      return { data: rows, ...pagesOf('/api/historical-care-certificates', query, total) };
    },
    getHistorical: async ({ params, actor }) => {
      return { data: existing((await historical(db, actor, sql`h.id = ${params.id}`))[0]) };
    },
    addHistorical: async ({ body, actor, request }) =>
      db.tx(async (tx) => {
        const { user_id, ...fields } = body;
        const person = existing(
          await tx.one<{ name: string }>(
            sql`select u.name from users u where u.id = ${user_id} and u.disabled_at is null and ${visiblePerson(actor)}`,
          ),
        );
        requirePast(fields.achieved_on, dayIn(now(), actor.user.time_zone));
        const id = randomUUID();
        const made = await tx.run(sql`insert into historical_certificates (id, user_id, achieved_on, issuer, note, added_by, added_at)
          values (${id}, ${user_id}, ${fields.achieved_on}, ${fields.issuer}, ${fields.note}, ${actor.user.uuid}, ${now()}) on conflict (user_id) do nothing`);
        if (made === 0) throw invalid('user_id', `${person.name} has one already: change that one.`);
        const subject = { kind: 'certificate', id, name: person.name } as const;
        await noteChange(tx, { actor, request }, { entityId: await place(tx, user_id), action: 'created', subject, after: fields }, now());
        return { data: (await historical(tx, actor, sql`h.id = ${id}`))[0] as HistoricalCertificate };
      }),
    updateHistorical: async ({ params, body, actor, request }) =>
      db.tx(async (tx) => {
        const before = existing((await historical(tx, actor, sql`h.id = ${params.id}`))[0]);
        requirePast(body.achieved_on, dayIn(now(), actor.user.time_zone));
        await tx.run(
          sql`update historical_certificates set achieved_on = ${body.achieved_on}, issuer = ${body.issuer}, note = ${body.note} where id = ${params.id}`,
        );
        const { achieved_on, issuer, note } = before;
        const subject = { kind: 'certificate', id: params.id, name: before.user.name } as const;
        const change = {
          entityId: await place(tx, before.user.id),
          action: 'updated',
          subject,
          before: { achieved_on, issuer, note },
          after: body,
        } as const;
        await noteChange(tx, { actor, request }, change, now());
        return { data: (await historical(tx, actor, sql`h.id = ${params.id}`))[0] as HistoricalCertificate };
      }),
    removeHistorical: async ({ params, actor, request }) =>
      db.tx(async (tx) => {
        const before = existing((await historical(tx, actor, sql`h.id = ${params.id}`))[0]);
        await tx.run(sql`delete from historical_certificates where id = ${params.id}`);
        const { achieved_on, issuer, note } = before;
        const subject = { kind: 'certificate', id: params.id, name: before.user.name } as const;
        const change = { entityId: await place(tx, before.user.id), action: 'deleted', subject, before: { achieved_on, issuer, note } } as const;
        await noteChange(tx, { actor, request }, change, now());
      }),
  };
};

/** Nobody has achieved something on a day to come. */
const requirePast = (day: string, today: string): void => {
  if (day > today) throw invalid('achieved_on', 'Give a day that is not in the future.');
};
