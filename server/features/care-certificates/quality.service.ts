import { randomUUID } from 'node:crypto';
import type { checkSample, noteCompetence, sampleRecords } from '#contract/api/care-overview.ts';
import type { BodyOf } from '#contract/api/endpoint.ts';
import type { Competence } from '#contract/entities/care-certificate.ts';
import type { OverviewRow, SampledRecord } from '#contract/entities/care-overview.ts';
import { outlookOf } from '#contract/rules/certificate-outlook.ts';
import { can } from '#contract/can.ts';
import { supervisionNow } from '#contract/rules/signed.ts';
import { existing, insertRow, reference, updateRows } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { type By, noteChange } from '#server/note-change.ts';
import {
  certificateProgress,
  certificateRows,
  certificatesOf,
  competenceOf,
  standardsOf,
} from '#server/features/care-certificates/certificates.rows.ts';
import { listedPerson, personAt } from '#server/db/seen.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import type { Services } from '#server/services.ts';

const dayMs = 86_400_000;
/** Maximum number of items listed, oldest first; managers of many people look at part of their organisation. */
const mostPeople = 300;

/** Records of visible people chosen for a second look. */
export const samples = (db: Db, actor: Actor, where: Statement): Promise<SampledRecord[]> =>
  db.all<SampledRecord>(sql`select s.id, s.certificate_id, s.observation_id as record_id, json_build_object('id', u.id, 'name', u.name) as user,
      ${reference('person_names', sql`o.assessor_id`)} as assessor, o.record ->> 'done_at' as done_at,
      ${instant(sql`s.chosen_at`)} as chosen_at, s.agrees, s.note, ${instant(sql`s.checked_at`)} as checked_at,
      ${reference('person_names', sql`s.checked_by`)} as checked_by
    from observation_samples s join observations o on o.id = s.observation_id join care_certificates c on c.id = s.certificate_id join users u on u.id = c.user_id
    where ${listedPerson(actor)} and ${where} order by s.checked_at is not null, s.checked_at desc, o.at, s.id limit 200`);

/** What approvers of care certificates look at: everybody's progress, what is stuck and why, and whether records can be relied on. */
export const qualityOf = ({ db, now }: Pick<Services, 'db' | 'now'>) => ({
  overview: async (actor: Actor) => {
    const which = sql`u.disabled_at is null and c.approved_at is null`;
    const oldest = (
      await db.all<{ id: string }>(
        sql`select c.id from care_certificates c join users u on u.id = c.user_id where ${listedPerson(actor)} and ${which} order by c.assigned_at, c.id limit ${mostPeople + 1}`,
      )
    ).map((c) => c.id);
    const certificates = await certificatesOf(db, actor, sql`c.id = any(${oldest.slice(0, mostPeople)}::uuid[])`);
    const rows = await certificateRows(db, certificates);
    const people: OverviewRow[] = [];
    for (const [i, certificate] of certificates.entries()) {
      const standards = await standardsOf(db, certificate.standards_id);
      const row = rows[i];
      if (!standards || !row) continue;
      const last = certificate.approvals.at(-1);
      const levels = supervisionNow(await certificateProgress(db, certificate), certificate.supervision);
      people.push({
        ...row,
        ...outlookOf(standards, certificate, now(), actor.user.time_zone),
        sent_back: last && !last.approved ? last.reason : null,
        indirect: [...levels].flatMap(([code, { level }]) => (level === 'indirect' ? [code] : [])),
      });
    }
    return { people, more: oldest.length > mostPeople, samples: await samples(db, actor, sql`true`) };
  },
  sample: (by: By, body: BodyOf<typeof sampleRecords>) =>
    db.tx(async (tx) => {
      const { actor } = by;
      // Not one's own records, nothing withdrawn, and nothing chosen before.
      const open = await tx.all<{ id: string; certificate_id: string }>(sql`select o.id, o.certificate_id from observations o
        join care_certificates c on c.id = o.certificate_id join users u on u.id = c.user_id
        where ${listedPerson(actor)} and o.kind = 'observation' and o.received_at >= ${new Date(now().getTime() - body.days * dayMs)}
          and o.assessor_id <> ${actor.user.uuid} and u.id <> ${actor.user.uuid}
          and not exists (select 1 from observations w where w.kind = 'withdrawal' and w.about = o.id)
          and not exists (select 1 from observation_samples s where s.observation_id = o.id)
        order by random()`);
      const chosen = open.slice(0, Math.ceil((open.length * body.share) / 100));
      for (const { id, certificate_id } of chosen)
        await tx.run(
          sql`${insertRow('observation_samples', { id: randomUUID(), certificate_id, observation_id: id, chosen_by: actor.user.uuid, chosen_at: now() })} on conflict do nothing`,
        );
      if (chosen.length > 0)
        await noteChange(tx, by, now(), {
          ...{ entityId: actor.place.id, action: 'created', subject: { kind: 'certificate', id: randomUUID(), name: 'Quality sample' } },
          after: { records: chosen.length, of: open.length, share: body.share, days: body.days },
        });
      return { chosen: chosen.length, of: open.length, samples: await samples(tx, actor, sql`true`) };
    }),
  check: (by: By, id: string, { agrees, note }: BodyOf<typeof checkSample>): Promise<SampledRecord> =>
    db.tx(async (tx) => {
      const { actor } = by;
      const sample = existing((await samples(tx, actor, sql`s.id = ${id}`))[0]);
      if (sample.assessor.id === actor.user.uuid || sample.user.id === actor.user.uuid)
        throw new ProductError('forbidden', { message: 'Nobody looks at their own record again. Ask a colleague.' });
      if (!agrees && note === '') throw invalid('note', 'Say what is not right.');
      const checked = { agrees, note: note || null, checked_by: actor.user.uuid, checked_at: now() };
      await updateRows(tx, 'observation_samples', checked, sql`id = ${id}`);
      await noteChange(tx, by, now(), {
        ...{ entityId: actor.place.id, action: 'updated', subject: { kind: 'certificate', id: sample.certificate_id, name: sample.user.name } },
        after: { record_checked_again: sample.record_id, agrees, note },
      });
      return existing((await samples(tx, actor, sql`s.id = ${id}`))[0]);
    }),
  competence: async (actor: Actor, id: string): Promise<Competence[]> => {
    existing(id === actor.user.uuid || can(actor.user, 'care_certificate.approve'));
    await personAt(db, actor, id);
    return competenceOf(db, id);
  },
  noteCompetence: (by: By, id: string, { competence }: BodyOf<typeof noteCompetence>): Promise<Competence[]> =>
    db.tx(async (tx) => {
      const { actor } = by;
      const person = await personAt(tx, actor, id);
      if (id === actor.user.uuid) throw new ProductError('forbidden', { message: 'You cannot record your own competence. Ask a colleague.' });
      if (new Set(competence.map((c) => c.standard)).size < competence.length) throw invalid('competence', 'A standard is listed twice.');
      const before = await competenceOf(tx, id);
      await tx.run(sql`delete from assessor_competence where user_id = ${id}`);
      await tx.run(sql`insert into assessor_competence (user_id, standard, basis, until, noted_by, noted_at)
        select ${id}, c.standard, c.basis, c.until, ${actor.user.uuid}, ${now()} from jsonb_to_recordset(${JSON.stringify(competence)}::jsonb) as c (standard text, basis text, until date)`);
      const after = await competenceOf(tx, id);
      await noteChange(tx, by, now(), {
        ...{ entityId: person.place, action: 'updated', subject: { kind: 'user', id, name: person.name } },
        ...{ before: { competence: before }, after: { competence: after } },
      });
      return after;
    }),
});
