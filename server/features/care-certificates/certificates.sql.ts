import type { CareCertificate } from '#contract/entities/care-certificate.ts';
import type { CertificateChange } from '#contract/commands/certificate-commands.ts';
import type { ChangeOutcome } from '#contract/commands/change.ts';
import { can, type PermissionId } from '#contract/permissions.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { listedPerson, visiblePerson } from '#server/features/users/visible-person.ts';
import type { Actor } from '#server/http/sessions.ts';
import { ProductError } from '#server/http/product-error.ts';
import { applyOnce, type Failure, holdThing, Refused, timeOf } from '#server/ledger/apply-once.ts';

const person = (id: Statement) => sql`(select json_build_object('id', p.id, 'name', p.name) from person_names p where p.id = ${id})`;
/** A decision counts until another stands in its place. */
const certificateJson = sql`json_build_object('id', c.id, 'user', json_build_object('id', u.id, 'name', u.name), 'assigned_at', ${instant(sql`c.assigned_at`)}, 'rev', c.rev,
  'observations', coalesce((select json_agg(json_build_object('id', o.id, 'kind', o.kind, 'about', o.about, 'reason', o.reason, 'record', o.record, 'assessor', ${person(sql`o.assessor_id`)}, 'at', ${instant(sql`o.at`)}, 'received_at', ${instant(sql`o.received_at`)}) order by o.received_at, o.at) from observations o where o.certificate_id = c.id), '[]'),
  'decisions', coalesce((select json_agg(json_build_object('id', d.id, 'criterion', d.criterion, 'outcome', d.outcome, 'observation_id', d.observation_id, 'by', ${person(sql`d.decided_by`)}, 'at', ${instant(sql`d.at`)}) order by d.criterion)
    from criterion_decisions d where d.certificate_id = c.id and not exists (select 1 from criterion_decisions l where l.instead_of = d.id)), '[]'))`;

export const certificatesOf = async (db: Db, actor: Actor, where: Statement = sql`true`): Promise<CareCertificate[]> =>
  (
    await db.all<{ certificate: CareCertificate }>(
      sql`select ${certificateJson} as certificate from care_certificates c join users u on u.id = c.user_id where ${listedPerson(actor)} and ${where} order by u.name, c.id limit 500`,
    )
  ).map((r) => r.certificate);

const mayObserve: PermissionId[] = [89];

export type AppliedToCertificate = { certificate: CareCertificate; outcomes: ChangeOutcome[]; failure: Failure | null };

/**
 * Adds what an assessor queued for a certificate, each once, in one transaction. Entries are only ever added and are
 * always taken; only a decision can conflict, where it stands in another place than the one its assessor knew.
 */
export const applyToCertificate = async (
  db: Db,
  actor: Actor,
  id: string,
  changes: readonly CertificateChange[],
  now: Date,
): Promise<AppliedToCertificate> =>
  db.tx(async (tx) => {
    // Asked here too: work that comes in a sealed copy passes no endpoint of its own.
    if (!can(actor.user, mayObserve)) throw new ProductError('forbidden');
    await holdThing(tx, id);
    const held = await tx.one<{ id: string }>(
      sql`select c.id from care_certificates c join users u on u.id = c.user_id where c.id = ${id} and ${visiblePerson(actor)}`,
    );
    if (!held) throw new ProductError('not_found');
    const add = (change: CertificateChange, kind: string, about: string | null, reason: string | null, record: object | null) =>
      tx.run(sql`insert into observations (id, certificate_id, kind, about, reason, record, assessor_id, at, received_at)
        values (${change.id}, ${id}, ${kind}, ${about}, ${reason}, ${record === null ? null : JSON.stringify(record)}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now})`);
    /** Only its own assessor corrects or withdraws an entry. */
    const requireOwn = async (about: string) => {
      if (!(await tx.one(sql`select id from observations where id = ${about} and certificate_id = ${id} and assessor_id = ${actor.user.uuid}`)))
        throw new Refused('not_found');
    };
    const apply = async (change: CertificateChange): Promise<ChangeOutcome['outcome']> => {
      switch (change.command) {
        case 'observation.record':
          await add(change, 'observation', null, null, change.args);
          return 'applied';
        case 'observation.correct':
          await requireOwn(change.args.about);
          await add(change, 'correction', change.args.about, change.args.reason, change.args.record);
          return 'applied';
        case 'observation.withdraw':
          await requireOwn(change.args.about);
          await add(change, 'withdrawal', change.args.about, change.args.reason, null);
          return 'applied';
        case 'observation.decide': {
          const { criterion, outcome, observation_id, instead_of } = change.args;
          if (!(await tx.one(sql`select id from observations where id = ${observation_id} and certificate_id = ${id}`)))
            throw new Refused('not_found');
          const counts = await tx.one<{ id: string; outcome: string }>(
            sql`select d.id, d.outcome from criterion_decisions d where d.certificate_id = ${id} and d.criterion = ${criterion} and not exists (select 1 from criterion_decisions l where l.instead_of = d.id)`,
          );
          // Two who say the same do not disagree: the first decision counts, and both records stand.
          if (counts && counts.id !== instead_of && counts.outcome === outcome) return 'applied';
          if (counts && counts.id !== instead_of) throw new Refused('decided_elsewhere', ['keep_mine', 'keep_theirs', 'ask_manager']);
          await tx.run(sql`insert into criterion_decisions (id, certificate_id, criterion, outcome, observation_id, instead_of, decided_by, at, received_at)
            values (${change.id}, ${id}, ${criterion}, ${outcome}, ${observation_id}, ${counts?.id ?? null}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now})`);
          return 'applied';
        }
      }
    };
    const { outcomes, failure, effects, record } = await applyOnce(tx, actor.user.uuid, changes, now, apply);
    await record();
    if (effects > 0) await tx.run(sql`update care_certificates set rev = rev + 1 where id = ${id}`);
    const [certificate] = await certificatesOf(tx, actor, sql`c.id = ${id}`);
    return { certificate: certificate as CareCertificate, outcomes, failure };
  });
