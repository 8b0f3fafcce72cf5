import type { listCareCertificates } from '#contract/api/care-certificates.ts';
import type { QueryOf } from '#contract/api/endpoint.ts';
import type { CareCertificate, CertificateRow, Competence } from '#contract/entities/care-certificate.ts';
import type { CareStandards } from '#contract/entities/care-standards.ts';
import { evidenceLimits } from '#contract/evidence-kinds.ts';
import { progressOf } from '#contract/rules/certificate-progress.ts';
import { contains, countOf, existing, orderBy, pagePart, pagesOf, reference } from '#server/db/rows.ts';
import { listedPerson } from '#server/db/seen.ts';
import { type Db, instant, type Statement, sql } from '#server/db/sql.ts';
import type { Actor } from '#server/actor.ts';

const person = (id: Statement) => reference('person_names', id);
/** Entries are in order of arrival. */
export const arrivalOf = (id: Statement) => sql`(select h.seq from certificate_chain h where h.entry_id = ${id})`;
/** A file as answers show it, from `care_evidence v`. */
export const evidenceJson = sql`json_build_object('id', v.id, 'certificate_id', v.certificate_id, 'bytes', v.bytes, 'received_at', ${instant(sql`v.received_at`)}, 'fit', v.fit,
  'missing', coalesce((select json_agg(n order by n) from generate_series(0, (v.bytes - 1) / ${evidenceLimits.pieceBytes}::int) n
    where v.received_at is null and not exists (select 1 from care_evidence_parts p where p.file_id = v.id and p.part = n)), '[]'))`;
const list = (what: Statement, from: Statement) => sql`coalesce((select json_agg(${what}) from ${from}), '[]')`;
/** What is recorded with a name, and the files: not in lists, because signatures and drawings are large. */
const signedJson = sql`'signatures', ${list(
  sql`json_build_object('id', s.id, 'about', s.about, 'signer', s.signer, 'method', s.method, 'drawing', s.drawing, 'content', s.content,
    'agrees', s.agrees, 'comment', s.comment, 'by', ${person(sql`s.by_id`)}, 'at', ${instant(sql`s.at`)}) order by ${arrivalOf(sql`s.id`)}`,
  sql`observation_signatures s where s.certificate_id = c.id`,
)},
  'supervision', ${list(
    sql`json_build_object('id', g.id, 'standard', g.standard, 'level', g.level, 'note', g.note, 'by', ${person(sql`g.by_id`)}, 'at', ${instant(sql`g.at`)}) order by ${arrivalOf(sql`g.id`)}`,
    sql`supervision_grants g where g.certificate_id = c.id`,
  )},
  'evidence', ${list(sql`${evidenceJson} order by v.begun_at, v.id`, sql`care_evidence v where v.certificate_id = c.id`)}`;
const unsigned = sql`'signatures', '[]'::json, 'supervision', '[]'::json, 'evidence', '[]'::json`;
/** A decision counts until another replaces it. */
const certificateJson = (
  more: Statement,
) => sql`json_build_object('id', c.id, 'user', json_build_object('id', u.id, 'name', u.name), 'assigned_at', ${instant(sql`c.assigned_at`)}, 'rev', c.rev,
  'standards_id', c.standards_id, 'approved_at', ${instant(sql`c.approved_at`)},
  'approvals', coalesce((select json_agg(json_build_object('id', a.id, 'approved', a.approved, 'reason', a.reason, 'by', ${person(sql`a.by_id`)}, 'at', ${instant(sql`a.at`)},
    'method', a.method, 'drawing', a.drawing, 'doubtful', a.doubtful, 'withdraws', a.withdraws) order by ${arrivalOf(sql`a.id`)}) from certificate_approvals a where a.certificate_id = c.id), '[]'),
  'observations', coalesce((select json_agg(json_build_object('id', o.id, 'kind', o.kind, 'about', o.about, 'reason', o.reason, 'record', o.record, 'assessor', ${person(sql`o.assessor_id`)}, 'at', ${instant(sql`o.at`)}, 'received_at', ${instant(sql`o.received_at`)}, 'skew_ms', o.skew_ms, 'clock_off_ms', o.clock_off_ms) order by ${arrivalOf(sql`o.id`)}) from observations o where o.certificate_id = c.id), '[]'),
  'decisions', coalesce((select json_agg(json_build_object('id', d.id, 'criterion', d.criterion, 'outcome', d.outcome, 'observation_id', d.observation_id, 'by', ${person(sql`d.decided_by`)}, 'at', ${instant(sql`d.at`)}) order by d.criterion)
    from criterion_decisions d where d.certificate_id = c.id and not exists (select 1 from criterion_decisions l where l.instead_of = d.id)), '[]'), ${more})`;

/** Certificates of visible people. For many at once (`part`), signed statements and files are left out. */
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

/** The certificate of this id, or 404. */
export const certificateOf = async (db: Db, actor: Actor, id: string): Promise<CareCertificate> =>
  existing((await certificatesOf(db, actor, sql`c.id = ${id}`))[0]);

/** A version of the standards. It never changes, so it is read once. */
const versions = new Map<string, CareStandards>();
export const standardsOf = async (db: Db, id: string): Promise<CareStandards | undefined> => {
  const cached = versions.get(id);
  if (cached) return cached;
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

/** The recorded competence of a person to assess others. */
export const competenceOf = (db: Db, userId: string): Promise<Competence[]> =>
  db.all<Competence>(sql`select standard, basis, until::text as until from assessor_competence where user_id = ${userId} order by standard::int`);

/** When somebody was last observed, of what was not withdrawn since. Corrections and withdrawals are not observations. */
const lastObserved = (entries: CareCertificate['observations']): string | null => {
  const withdrawn = new Set(entries.flatMap((o) => (o.kind === 'withdrawal' && o.about !== null ? [o.about] : [])));
  const observed = entries.filter((o) => o.kind === 'observation' && !withdrawn.has(o.id));
  return observed.reduce<string | null>((last, o) => (last === null || o.at > last ? o.at : last), null);
};

/** Whether its approval ended without being withdrawn: what it rested on has changed. */
const hasEnded = ({ approved_at, approvals }: CareCertificate): boolean => approved_at === null && approvals.at(-1)?.approved === true;

/** Certificates as lists show them, in order: the person, where they work, and their progress. */
export const certificateRows = async (db: Db, certificates: readonly CareCertificate[]): Promise<CertificateRow[]> => {
  const places = new Map(
    (
      await db.all<{ id: string; place: string; role: string | null }>(
        sql`select u.id, e.name as place, (select r.name from roles r where r.id = u.role_id) as role from users u join entity_names e on e.id = u.primary_entity_id where u.id = any(${certificates.map((c) => c.user.id)}::uuid[])`,
      )
    ).map((p) => [p.id, p]),
  );
  const rows: CertificateRow[] = [];
  for (const certificate of certificates) {
    const { id, user, assigned_at, approved_at, observations } = certificate;
    const { met, of, standards_met, standards, complete } = await certificateProgress(db, certificate);
    rows.push({
      ...{ id, user, assigned_at, approved_at, met, of, standards_met, standards_of: standards.length },
      ...{ place: places.get(user.id)?.place ?? '', role: places.get(user.id)?.role ?? null },
      last_observed_at: lastObserved(observations),
      waiting: complete && approved_at === null,
      approval_ended: hasEnded(certificate),
    });
  }
  return rows;
};

/** A page of the certificates of visible people, as a list shows them. */
export const certificatePage = async (db: Db, actor: Actor, query: QueryOf<typeof listCareCertificates>) => {
  const { search, state } = query;
  const approved = state === 'either' ? sql`true` : state === 'complete' ? sql`c.approved_at is not null` : sql`c.approved_at is null`;
  const which = sql`u.disabled_at is null and ${approved} and ${contains([sql`u.name`], search)}`;
  const total = await countOf(db, sql`care_certificates c join users u on u.id = c.user_id where ${listedPerson(actor)} and ${which}`);
  const place = sql`(select e.name from entity_names e where e.id = u.primary_entity_id)`;
  const order = orderBy(query.sort ?? 'name', { name: sql`u.name`, place, assigned_at: sql`c.assigned_at` }, sql`c.id`);
  const certificates = await certificatesOf(db, actor, which, pagePart(query), order);
  return { data: await certificateRows(db, certificates), ...pagesOf('/api/care-certificates', query, total) };
};
