import { createHash } from 'node:crypto';
import { dayIn } from '#contract/rules/days.ts';
import { type AddEvidence, partsOf } from '#contract/commands/evidence-commands.ts';
import type { EvidenceFile } from '#contract/entities/care-evidence.ts';
import { evidenceLimits, type EvidenceType, evidenceTypes } from '#contract/evidence-kinds.ts';
import { can } from '#contract/can.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, sql } from '#server/db/sql.ts';
import { evidenceJson } from '#server/features/care-certificates/certificates.rows.ts';
import { mayObserve } from '#server/features/care-certificates/observations.service.ts';
import { visiblePerson } from '#server/db/seen.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { exceedsQuota, quotaSince } from '#server/files/upload-quota.ts';
import { invalid, ProductError } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import { applyOnce, lockEntity } from '#server/ledger/apply-once.ts';
import type { Taken } from '#server/ledger/kinds.ts';
import { inspectEvidence } from '#server/workers/pictures.ts';

/** Evidence files of observations: they arrive in pieces and are inspected when complete. */

/**
 * Begins a file, or finds it; its row is locked until the transaction ends. Refuses another person's file, a different file, and a learner
 * whom the caller may not observe.
 */
const hold = async (tx: Db, actor: Actor, id: string, { certificate_id, bytes }: { certificate_id: string; bytes: number }, now: Date) => {
  if (!can(actor.user, mayObserve)) throw new ProductError('forbidden');
  await lockEntity(tx, id);
  const certificate = await tx.one<{ user_id: string }>(
    sql`select c.user_id from care_certificates c join users u on u.id = c.user_id where c.id = ${certificate_id} and ${visiblePerson(actor)}`,
  );
  if (!certificate || certificate.user_id === actor.user.uuid) throw new ProductError('not_found');
  const isNew =
    await tx.run(sql`insert into care_evidence (id, certificate_id, bytes, uploaded_by, begun_at) values (${id}, ${certificate_id}, ${bytes}, ${actor.user.uuid}, ${now})
    on conflict (id) do nothing`);
  // The device keeps the file and tries again later, when others are finished.
  if (
    isNew > 0 &&
    (await exceedsQuota(tx, sql`care_evidence`, sql`uploaded_by = ${actor.user.uuid} and received_at is null and begun_at > ${quotaSince(now)}`))
  )
    throw new ProductError('unavailable');
  const file = existing(
    await tx.one<{ file: EvidenceFile }>(
      sql`select ${evidenceJson} as file from care_evidence v where v.id = ${id} and v.certificate_id = ${certificate_id} and v.bytes = ${bytes} and v.uploaded_by = ${actor.user.uuid}`,
    ),
  );
  return file.file;
};
const fileNow = async (tx: Db, id: string): Promise<EvidenceFile> =>
  (await tx.one<{ file: EvidenceFile }>(sql`select ${evidenceJson} as file from care_evidence v where v.id = ${id}`))?.file as EvidenceFile;

/** Stores a piece of a file. Has no effect if the piece is already there or the file is complete. */
export const keepPiece = (
  db: Db,
  actor: Actor,
  id: string,
  piece: number,
  { data, ...of }: { certificate_id: string; bytes: number; data: string },
  now: Date,
) =>
  db.tx(async (tx) => {
    const file = await hold(tx, actor, id, of, now);
    const bytes = Buffer.from(data, 'base64');
    const last = partsOf(of.bytes) - 1;
    const { pieceBytes } = evidenceLimits;
    if (piece > last || bytes.length !== (piece === last ? of.bytes - last * pieceBytes : pieceBytes))
      throw invalid('data', 'This is not a piece of this file.');
    if (file.received_at !== null) return file;
    await tx.run(sql`insert into care_evidence_parts (file_id, part, certificate_id, bytes, received_at)
      values (${id}, ${piece}, ${of.certificate_id}, ${bytes}, ${now})
      on conflict (file_id, part) do update set bytes = excluded.bytes, received_at = excluded.received_at`);
    return fileNow(tx, id);
  });

/**
 * Adds a file whose pieces are there or come with it, once. While some are missing there is no outcome; if the bytes are not what left the
 * device, all pieces are missing again. It is inspected between two transactions: neither its row nor a connection is held while a picture
 * is decoded.
 */
export const applyEvidence = async (
  db: Db,
  files: FileStore,
  actor: Actor,
  id: string,
  { args, ...change }: AddEvidence,
  now: Date,
): Promise<Taken<EvidenceFile>> => {
  const { data, ...said } = args;
  const noteOnce = async (tx: Db): Promise<Taken<EvidenceFile>> => {
    const { outcomes, failure, record } = await applyOnce(tx, actor.user.uuid, [{ ...change, args: said }], now, async () => 'applied');
    await record();
    return { current: await fileNow(tx, id), outcomes, failure };
  };
  const begun = await db.tx(async (tx): Promise<Taken<EvidenceFile> | Buffer> => {
    const before = await hold(tx, actor, id, said, now);
    if (before.received_at !== null) return noteOnce(tx);
    if (data === undefined && before.missing.length > 0) return { current: before, outcomes: [], failure: null };
    const pieces =
      data === undefined ? await tx.all<{ bytes: Buffer }>(sql`select bytes from care_evidence_parts where file_id = ${id} order by part`) : [];
    const sent = data === undefined ? Buffer.concat(pieces.map((p) => Buffer.from(p.bytes))) : Buffer.from(data, 'base64');
    if (createHash('sha256').update(sent).digest('hex') === said.hash) return sent;
    await tx.run(sql`delete from care_evidence_parts where file_id = ${id}`);
    return { current: await fileNow(tx, id), outcomes: [], failure: null };
  });
  if (!Buffer.isBuffer(begun)) return begun;
  const { type, instead } = await inspectEvidence(begun);
  const bytes = instead ?? begun;
  const hash = await files.put(bytes);
  return db.tx(async (tx) => {
    // It may have arrived a second time meanwhile, and been added.
    const before = await hold(tx, actor, id, said, now);
    if (before.received_at === null) {
      await tx.run(sql`delete from care_evidence_parts where file_id = ${id}`);
      await tx.run(sql`update care_evidence set received_at = ${now}, fit = ${type !== null}, type = ${type}, kept_bytes = ${bytes.length},
        hash = ${hash}, sent_hash = ${said.hash} where id = ${id}`);
    }
    return noteOnce(tx);
  });
};

/** A complete file of a visible certificate, to be downloaded. Throws `not_found` if it is not complete or cannot be opened. */
export const evidenceFileOf = async (db: Db, files: FileStore, certificateId: string, id: string, zone: string) => {
  const row = existing(
    await db.one<{ hash: string; type: EvidenceType; at: string }>(
      sql`select v.hash, v.type, v.received_at as at from care_evidence v where v.id = ${id} and v.certificate_id = ${certificateId} and v.fit`,
    ),
  );
  return { file: files.read(row.hash), type: row.type, name: `evidence ${dayIn(row.at, zone)}.${evidenceTypes[row.type].ending}` };
};
