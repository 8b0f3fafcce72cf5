import type { CopyKey, SealedWork } from '#contract/entities/device.ts';
import { hashOfDataKey, hashOfSealedEntry, type PublicKey, type SealedStatement, verifiedStatement } from '#contract/rules/sealed-copy-signature.ts';
import { type Db, sql } from '#server/db/sql.ts';

/** This many keys of one person are kept, the newest: far more than anybody has devices. */
const mostKeys = 200;

/** Stores the key with which a person's device signs their sealed copies. They are signed in on it. */
export const noteCopyKey = async (db: Db, userId: string, deviceId: string, key: CopyKey, now: Date): Promise<void> => {
  const added = await db.run(sql`insert into copy_keys (user_id, kid, data_key_hash, device_id, public_jwk, registered_at)
    values (${userId}, ${key.kid}, ${key.data_key_hash}, ${deviceId}, ${JSON.stringify(key.jwk)}, ${now}) on conflict do nothing`);
  if (added > 0)
    await db.run(sql`delete from copy_keys where user_id = ${userId} and (kid, data_key_hash) not in
      (select kid, data_key_hash from copy_keys where user_id = ${userId} order by registered_at desc, kid limit ${mostKeys})`);
};

export type Proof = { statement: SealedStatement; knownSince: Date };
/**
 * What proves that a copy was sealed by its person, on a device on which they were signed in: a signature by the key that the device
 * registered then, over work sealed with the data key of that time. Null if any of that is missing.
 */
export const proofOf = async (db: Db, work: SealedWork, dataKey: Uint8Array): Promise<Proof | null> => {
  if (!work.signed) return null;
  const key = await db.one<{ device_id: string; public_jwk: PublicKey; registered_at: Date | string }>(
    sql`select device_id, public_jwk, registered_at from copy_keys
      where user_id = ${work.person_id} and kid = ${work.signed.kid} and data_key_hash = ${await hashOfDataKey(work.person_id, dataKey)}`,
  );
  const statement = key && (await verifiedStatement(key.public_jwk, work.signed));
  if (!key || !statement || statement.person_id !== work.person_id || statement.device_id !== key.device_id) return null;
  return { statement, knownSince: new Date(key.registered_at) };
};

/** Which entries of a copy are unaltered since they were signed, by index. */
export const provedEntries = async (work: SealedWork, proof: Proof | null): Promise<boolean[]> => {
  const signed = new Set(proof?.statement.entries);
  return Promise.all(work.entries.map(async (entry) => signed.has(await hashOfSealedEntry(entry))));
};
