import type { SealedWork } from '#contract/entities/device.ts';
import { protocol } from '#contract/protocol.ts';
import { toBase64 } from '#contract/rules/bytes.ts';
import { hashOfSealedEntry, signStatement } from '#contract/rules/sealed-copy-signature.ts';
import { recoveryOf } from '#src/offline/keys/keyring.ts';
import { secondCopies } from '#src/offline/journal/second-copy.ts';
import { signingKeyOf } from '#src/offline/keys/signing-key.ts';
import { deviceDb, deviceId } from '#src/offline/store/device-db.ts';
import { storedOutbox, unsentOf } from '#src/offline/store/person-db.ts';

/** A person's unsent work on this device, counted without decrypting it. `last_at`: when they last signed in here, if that is known. */
export type PersonHere = { id: string; last_at: string | null; unsent: number; sealable: boolean };
export const peopleHere = async (): Promise<PersonHere[]> => {
  const known = new Map<string, string | null>((await deviceDb().people.orderBy('last_at').reverse().toArray()).map((p) => [p.id, p.last_at]));
  for (const copy of await secondCopies()) {
    const id = copy.startsWith('key-') ? copy.slice('key-'.length) : null;
    if (id && !known.has(id)) known.set(id, null);
  }
  return Promise.all(
    [...known].map(async ([id, last_at]) => ({
      id,
      last_at,
      unsent: await unsentOf(id).catch(() => 0),
      sealable: (await recoveryOf(id).catch(() => null)) !== null,
    })),
  );
};

/** Splits a sealed copy into requests that the server accepts, preserving the order. */
export const partsOfSealedCopy = (copy: SealedWork): SealedWork[] => {
  const room = protocol.sealedWorkLimitBytes / 2;
  const parts: SealedWork[] = [];
  let letters = 0;
  for (const entry of copy.entries) {
    letters += entry.sealed.length;
    if (parts.length === 0 || letters > room || parts.at(-1)?.entries.length === protocol.sealedEntriesAtOnce) {
      parts.push({ ...copy, entries: [] });
      letters = entry.sealed.length;
    }
    parts.at(-1)?.entries.push(entry);
  }
  return parts;
};

/**
 * A sealed copy of all of a person's unsent work, which can be created without their PIN and opened only by their organisation's
 * server. It is signed if the server knows this person's key for this device. Null if nothing is unsent or the device has never
 * received the organisation's key. Changes nothing on the device.
 */
export const sealedCopyOf = async (personId: string): Promise<SealedWork | null> => {
  const [rows, recovery, signing] = await Promise.all([storedOutbox(personId), recoveryOf(personId), signingKeyOf(personId)]);
  if (rows.length === 0 || !recovery) return null;
  const entries = rows.flatMap((row) => (row.sealed ? [{ ...row, id: String(row.id), sealed: toBase64(row.sealed) }] : []));
  const about = { person_id: personId, device_id: await deviceId(), made_at: new Date().toISOString() };
  const hashes = signing && (await Promise.all(entries.map(hashOfSealedEntry)));
  const signed = signing && hashes && (await signStatement(signing.kid, signing.key, { ...about, entries: hashes }));
  return { format: 'lantern-sealed-work', version: 1, ...about, recovery, entries, ...(signed ? { signed } : {}) };
};
