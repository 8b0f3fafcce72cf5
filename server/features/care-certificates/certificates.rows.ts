import { dayIn } from '#contract/rules/days.ts';
import type { CareCertificate, Competence, Observation, ObservationRecord } from '#contract/entities/care-certificate.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import { methodFits, progressOf, recordsNow, rootOf } from '#contract/rules/certificate-progress.ts';
import { competentIn, standardOf } from '#contract/rules/competence.ts';
import { contentHash } from '#contract/rules/content-hash.ts';
import type { CertificateChange } from '#contract/commands/certificate-commands.ts';
import type { ChangeOutcome } from '#contract/commands/change.ts';
import { can } from '#contract/can.ts';
import type { PermissionSlug } from '#contract/permissions.ts';
import { existing, reference } from '#server/db/rows.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import { listedPerson, visiblePerson } from '#server/db/seen.ts';
import type { Actor } from '#server/http/sessions.ts';
import { ProductError } from '#server/product-error.ts';
import { applyOnce, holdThing, Refused, timeOf } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';

const person = (id: Statement) => reference('person_names', id);
/** Entries stand in the order in which they came. */
const came = (id: Statement) => sql`(select h.seq from certificate_chain h where h.entry_id = ${id})`;
/** A file as answers carry it, on `care_evidence v`. */
export const evidenceJson = sql`json_build_object('id', v.id, 'certificate_id', v.certificate_id, 'bytes', v.bytes, 'received_at', ${instant(sql`v.received_at`)}, 'fit', v.fit,
  'missing', coalesce((select json_agg(n order by n) from generate_series(0, (v.bytes - 1) / ${evidenceLimits.pieceBytes}::int) n
    where v.received_at is null and not exists (select 1 from care_evidence_parts p where p.file_id = v.id and p.part = n)), '[]'))`;
const list = (what: Statement, from: Statement) => sql`coalesce((select json_agg(${what}) from ${from}), '[]')`;
/** What is said with a name, and the files: not for lists, for drawings are long. */
const signedJson = sql`'signatures', ${list(
  sql`json_build_object('id', s.id, 'about', s.about, 'signer', s.signer, 'method', s.method, 'drawing', s.drawing, 'content', s.content,
    'agrees', s.agrees, 'comment', s.comment, 'by', ${person(sql`s.by_id`)}, 'at', ${instant(sql`s.at`)}) order by ${came(sql`s.id`)}`,
  sql`observation_signatures s where s.certificate_id = c.id`,
)},
  'supervision', ${list(
    sql`json_build_object('id', g.id, 'standard', g.standard, 'level', g.level, 'note', g.note, 'by', ${person(sql`g.by_id`)}, 'at', ${instant(sql`g.at`)}) order by ${came(sql`g.id`)}`,
    sql`supervision_grants g where g.certificate_id = c.id`,
  )},
  'evidence', ${list(sql`${evidenceJson} order by v.begun_at, v.id`, sql`care_evidence v where v.certificate_id = c.id`)}`;
const unsigned = sql`'signatures', '[]'::json, 'supervision', '[]'::json, 'evidence', '[]'::json`;
/** A decision counts until another stands in its place. */
const certificateJson = (
  more: Statement,
) => sql`json_build_object('id', c.id, 'user', json_build_object('id', u.id, 'name', u.name), 'assigned_at', ${instant(sql`c.assigned_at`)}, 'rev', c.rev,
  'standards_id', c.standards_id, 'approved_at', ${instant(sql`c.approved_at`)},
  'approvals', coalesce((select json_agg(json_build_object('id', a.id, 'approved', a.approved, 'reason', a.reason, 'by', ${person(sql`a.by_id`)}, 'at', ${instant(sql`a.at`)},
    'method', a.method, 'drawing', a.drawing, 'doubtful', a.doubtful, 'withdraws', a.withdraws) order by ${came(sql`a.id`)}) from certificate_approvals a where a.certificate_id = c.id), '[]'),
  'observations', coalesce((select json_agg(json_build_object('id', o.id, 'kind', o.kind, 'about', o.about, 'reason', o.reason, 'record', o.record, 'assessor', ${person(sql`o.assessor_id`)}, 'at', ${instant(sql`o.at`)}, 'received_at', ${instant(sql`o.received_at`)}, 'skew_ms', o.skew_ms) order by ${came(sql`o.id`)}) from observations o where o.certificate_id = c.id), '[]'),
  'decisions', coalesce((select json_agg(json_build_object('id', d.id, 'criterion', d.criterion, 'outcome', d.outcome, 'observation_id', d.observation_id, 'by', ${person(sql`d.decided_by`)}, 'at', ${instant(sql`d.at`)}) order by d.criterion)
    from criterion_decisions d where d.certificate_id = c.id and not exists (select 1 from criterion_decisions l where l.instead_of = d.id)), '[]'), ${more})`;

/** Certificates of people one may see. Of many at once (`part`) what is said with a name and the files are left out. */
export const certificatesOf = async (
  db: Db,
  actor: Actor,
  where: Statement = sql`true`,
  part?: Statement,
  order: Statement = sql`u.name, c.id`,
): Promise<CareCertificate[]> =>
  (
    await db.all<{ certificate: CareCertificate }>(
      sql`select ${certificateJson(part ? unsigned : signedJson)} as certificate from care_certificates c join users u on u.id = c.user_id where ${listedPerson(actor)} and ${where} order by ${order} ${part ?? sql``}`,
    )
  ).map((r) => r.certificate);

/** A version of the standards. It never changes, so it is read once. */
const versions = new Map<string, CareStandards>();
export const standardsOf = async (db: Db, id: string): Promise<CareStandards | undefined> => {
  const kept = versions.get(id);
  if (kept) return kept;
  const row = await db.one<{ standards: CareStandards }>(
    sql`select jsonb_build_object('id', id, 'name', name, 'valid_from', valid_from) || document as standards from care_standards where id = ${id}`,
  );
  if (row) versions.set(id, row.standards);
  return row?.standards;
};
export const certificateProgress = async (db: Db, certificate: CareCertificate) => {
  const standards = await standardsOf(db, certificate.standards_id);
  if (!standards) throw new Error(`there are no standards ${certificate.standards_id}`);
  return progressOf(standards, certificate);
};

/** What is noted of somebody's competence to assess others. */
export const competenceOf = (db: Db, userId: string): Promise<Competence[]> =>
  db.all<Competence>(sql`select standard, basis, until::text as until from assessor_competence where user_id = ${userId} order by standard::int`);

export const mayObserve: PermissionSlug[] = ['observation.create'];
const mayWithdraw: PermissionSlug[] = ['observation.delete'];

/** `completed`: every criterion is met by this, and was not before. */
export type AppliedToCertificate = Taken<CareCertificate> & { completed: boolean };

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
    await holdThing(tx, id);
    const held = existing(
      await tx.one<{ id: string; standards_id: string; user_id: string; met_at: string | null }>(
        sql`select c.id, c.standards_id, c.user_id, c.met_at from care_certificates c join users u on u.id = c.user_id where c.id = ${id} and ${visiblePerson(actor)}`,
      ),
    );
    const own = held.user_id === actor.user.uuid;
    if (own && changes.some((c) => c.command !== 'observation.sign'))
      throw new ProductError('forbidden', { message: 'Nobody observes themselves for their own certificate.' });
    const may = (change: CertificateChange) => can(actor.user, change.command === 'observation.withdraw' ? mayWithdraw : mayObserve);
    if (!own && !changes.some(may)) throw new ProductError('forbidden');
    const standards = await standardsOf(tx, held.standards_id);
    const criteria = new Map(standards?.standards.flatMap((s) => s.outcomes.flatMap((o) => o.criteria)).map((c) => [c.code, c] as const));
    const add = (change: CertificateChange, kind: string, about: string | null, reason: string | null, record: object | null) =>
      tx.run(sql`insert into observations (id, certificate_id, kind, about, reason, record, assessor_id, at, received_at, skew_ms)
        values (${change.id}, ${id}, ${kind}, ${about}, ${reason}, ${record === null ? null : JSON.stringify(record)}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now}, ${change.skew_ms ?? null})`);
    /** Only its own assessor corrects an entry. */
    const requireOwn = async (about: string) => {
      if (!(await tx.one(sql`select id from observations where id = ${about} and certificate_id = ${id} and assessor_id = ${actor.user.uuid}`)))
        throw new Refused('not_found');
    };
    let noted: Competence[] | null = null;
    const requireCompetent = async (criterion: string, change: CertificateChange) => {
      noted ??= await competenceOf(tx, actor.user.uuid);
      if (competentIn(noted, standardOf(criterion), dayIn(timeOf(change, now), actor.user.time_zone)) === 'no')
        throw new Refused('not_competent', ['keep_theirs', 'ask_manager']);
    };
    const apply = async (change: CertificateChange): Promise<ChangeOutcome['outcome']> => {
      if (!own && !may(change)) throw new Refused('forbidden');
      switch (change.command) {
        case 'observation.record':
          await add(change, 'observation', null, null, change.args);
          return 'applied';
        case 'observation.correct':
          await requireOwn(change.args.about);
          // What is corrected to be met is decided by it.
          for (const { criterion, outcome } of change.args.record.criteria) if (outcome === 'met') await requireCompetent(criterion, change);
          await add(change, 'correction', change.args.about, change.args.reason, change.args.record);
          return 'applied';
        case 'observation.withdraw':
          // Whoever may, also of a colleague's: their entry says who did, and why.
          if (!(await tx.one(sql`select id from observations where id = ${change.args.about} and certificate_id = ${id}`)))
            throw new Refused('not_found');
          await add(change, 'withdrawal', change.args.about, change.args.reason, null);
          return 'applied';
        case 'observation.decide': {
          const { criterion, outcome, observation_id, instead_of } = change.args;
          const entries = await tx.all<Pick<Observation, 'id' | 'kind' | 'about' | 'record'>>(
            sql`select id, kind, about, record from observations o where certificate_id = ${id} order by ${came(sql`o.id`)}`,
          );
          const root = rootOf(new Map(entries.map((e) => [e.id, e])), observation_id);
          if (root === null) throw new Refused('not_found');
          const method = recordsNow(entries).get(root)?.method;
          const asked = criteria.get(criterion);
          if (outcome === 'met' && method && asked && !methodFits(asked, method)) throw new Refused('method_unfit', ['keep_theirs', 'ask_manager']);
          const counts = await tx.one<{ id: string; outcome: string }>(
            sql`select d.id, d.outcome from criterion_decisions d where d.certificate_id = ${id} and d.criterion = ${criterion} and not exists (select 1 from criterion_decisions l where l.instead_of = d.id)`,
          );
          if (outcome === 'met') await requireCompetent(criterion, change);
          // Two who say the same do not disagree: the first decision counts, and both records stand.
          if (counts && counts.id !== instead_of && counts.outcome === outcome) return 'applied';
          if (counts && counts.id !== instead_of) throw new Refused('decided_elsewhere', ['keep_mine', 'keep_theirs', 'ask_manager']);
          await tx.run(sql`insert into criterion_decisions (id, certificate_id, criterion, outcome, observation_id, instead_of, decided_by, at, received_at)
            values (${change.id}, ${id}, ${criterion}, ${outcome}, ${observation_id}, ${counts?.id ?? null}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now})`);
          return 'applied';
        }
        case 'observation.sign': {
          const { about, signer, method, drawing, content, agrees, comment } = change.args;
          const entry = await tx.one<{ record: ObservationRecord | null; assessor_id: string }>(
            sql`select record, assessor_id from observations where id = ${about} and certificate_id = ${id}`,
          );
          if (!entry?.record) throw new Refused('not_found');
          const theirs = entry.assessor_id === actor.user.uuid;
          // The learner on a device of their own; on the assessor's device, whoever stands beside them; a colleague who has asked the witness.
          const may = own
            ? signer === 'learner' && method === 'signed_in'
            : signer === 'verifier'
              ? !theirs && method === 'signed_in' && entry.record.witness !== undefined
              : theirs && (signer === 'assessor' || method !== 'signed_in') && (signer !== 'witness' || entry.record.witness !== undefined);
          if (!may || (method === 'drawn') !== (drawing !== null) || (signer === 'learner') !== (agrees !== null)) throw new Refused('forbidden');
          if (content !== (await contentHash(entry.record))) throw new Refused('content_mismatch');
          await tx.run(sql`insert into observation_signatures (id, certificate_id, about, signer, method, drawing, content, agrees, comment, by_id, at, received_at)
            values (${change.id}, ${id}, ${about}, ${signer}, ${method}, ${drawing}, ${content}, ${agrees}, ${comment}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now})`);
          return 'applied';
        }
        case 'supervision.grant': {
          const { standard, level, note } = change.args;
          const [before] = await certificatesOf(tx, actor, sql`c.id = ${id}`);
          const progress = standards && before && progressOf(standards, before).standards.find((s) => s.code === standard);
          if (!progress) throw new Refused('not_found');
          if (level === 'indirect' && progress.state !== 'met') throw new Refused('standard_open');
          await tx.run(sql`insert into supervision_grants (id, certificate_id, standard, level, note, by_id, at, received_at)
            values (${change.id}, ${id}, ${standard}, ${level}, ${note}, ${actor.user.uuid}, ${timeOf(change, now)}, ${now})`);
          return 'applied';
        }
      }
    };
    const { outcomes, failure, effects, record } = await applyOnce(tx, actor.user.uuid, changes, now, apply);
    await record();
    if (effects > 0) await tx.run(sql`update care_certificates set rev = rev + 1 where id = ${id}`);
    let [certificate] = await certificatesOf(tx, actor, sql`c.id = ${id}`);
    const complete = standards !== undefined && certificate !== undefined && progressOf(standards, certificate).complete;
    // What was approved is no longer there when something of it is taken back: the approval stays to be read, and stands no more.
    if (complete !== (held.met_at !== null))
      await tx.run(sql`update care_certificates set met_at = ${complete ? now : null}, approved_at = null where id = ${id}`);
    if (certificate && !complete) certificate = { ...certificate, approved_at: null };
    return { current: certificate as CareCertificate, completed: complete && held.met_at === null, outcomes, failure };
  });
