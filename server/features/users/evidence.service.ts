import { randomUUID } from 'node:crypto';
import type { Evidence } from '#contract/entities/bulk-event.ts';
import { existing } from '#server/db/rows.ts';
import { type Db, type Statement, sql } from '#server/db/sql.ts';
import type { FileStore } from '#server/files/file-store.ts';
import { invalid } from '#server/product-error.ts';
import type { Actor } from '#server/actor.ts';
import { scannedPicture } from '#server/workers/pictures.ts';

/** The stored file: a PDF unchanged, a picture re-encoded, so that no camera metadata is passed on. */
const cleaned = async (bytes: Buffer): Promise<{ bytes: Buffer; type: Evidence['type'] }> => {
  if (bytes.length === 0) throw invalid('evidence', 'This file is empty. Choose another one.');
  if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') return { bytes, type: 'application/pdf' };
  const scanned = await scannedPicture(bytes);
  if (!scanned) throw invalid('evidence', 'This file cannot be used. Choose a PDF, or a picture (JPEG, PNG or WebP) of up to 100 megapixels.');
  return { bytes: Buffer.from(scanned), type: 'image/jpeg' };
};

/** Stores a file that proves training. Throws `invalid_input` (evidence) if it is neither a PDF nor a picture. */
export const keepEvidence = async (db: Db, files: FileStore, actor: Actor, original: Buffer, name: string, now: Date): Promise<Evidence> => {
  const { bytes, type } = await cleaned(original);
  return recordEvidence(db, actor, { hash: await files.put(bytes), name, type, bytes: bytes.length }, now);
};

/** Registers a file that is in the file store; its name has the extension of its type. */
export const recordEvidence = async (
  on: Db,
  actor: Actor,
  { hash, name, type, bytes }: Omit<Evidence, 'id'> & { hash: string },
  now: Date,
): Promise<Evidence> => {
  const id = randomUUID();
  const called = `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.${type === 'application/pdf' ? 'pdf' : 'jpg'}`;
  await on.run(sql`insert into evidence (id, hash, name, type, bytes, entity_id, uploaded_by, created_at)
    values (${id}, ${hash}, ${called}, ${type}, ${bytes}, ${actor.place.id}, ${actor.user.uuid}, ${now})`);
  return { id, name: called, type, bytes };
};

/** The file of this condition (on `evidence v`), for downloading. */
export const evidenceFile = async (db: Db, files: FileStore, where: Statement) => {
  const row = existing(await db.one<{ hash: string; name: string; type: string }>(sql`select v.hash, v.name, v.type from evidence v where ${where}`));
  return { file: files.read(row.hash), type: row.type, name: row.name };
};

/** The names of those organisations of these people that require evidence, or of those above them that do. */
export const evidenceIsAskedBy = async (tx: Db, userIds: readonly string[]): Promise<string[]> =>
  (
    await tx.all<{ name: string }>(sql`select distinct e.name from users u join entities e on e.id = u.primary_entity_id
      where u.id = any(${[...userIds]}::uuid[]) and exists (select 1 from entities x where x.require_training_record_evidence and x.id in (select entity_and_above(e.id))) order by 1 limit 3`)
  ).map((e) => e.name);
