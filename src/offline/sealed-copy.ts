import type { SealedWork } from '#contract/entities/device.ts';
import { protocol } from '#contract/protocol.ts';
import { toBase64 } from '#contract/rules/bytes.ts';
import { recoveryOf } from '#src/offline/keys/keyring.ts';
import { secondCopies } from '#src/offline/journal/second-copy.ts';
import { readKeyRecord } from '#src/offline/keys/key-record.ts';
import { deviceDb, deviceId } from '#src/offline/store/device-db.ts';
import { storedOutbox, unsentOf } from '#src/offline/store/person-db.ts';

/** What waits on this device for its people, without opening any of it. */
export type PersonHere = { id: string; name: string; unsent: number; sealable: boolean };
export const peopleHere = async (): Promise<PersonHere[]> => {
  const known = new Map((await deviceDb().people.orderBy('last_at').reverse().toArray()).map((p) => [p.id, p.name]));
  for (const copy of await secondCopies()) {
    const id = copy.startsWith('key-') ? copy.slice('key-'.length) : null;
    if (id && !known.has(id)) known.set(id, (await readKeyRecord(id))?.name || 'A colleague');
  }
  return Promise.all(
    [...known].map(async ([id, name]) => ({
      id,
      name,
      unsent: await unsentOf(id).catch(() => 0),
      sealable: (await recoveryOf(id).catch(() => null)) !== null,
    })),
  );
};

/** A sealed copy in parts that the server takes, each in a request of its own: what comes before what stays before it. */
export const partsOfSealedCopy = (copy: SealedWork): SealedWork[] => {
  const parts: SealedWork[] = [];
  let letters = 0;
  for (const entry of copy.entries) {
    letters += entry.sealed.length;
    if (parts.length === 0 || letters > protocol.sealedWorkLimitBytes / 2) {
      parts.push({ ...copy, entries: [] });
      letters = entry.sealed.length;
    }
    parts.at(-1)?.entries.push(entry);
  }
  return parts;
};

/** Not more than the server takes in one piece. */
const entriesAtOnce = 2000;

/**
 * A sealed copy of a person's unsent work: made without their PIN, opened only by their organisation's server. Null where
 * nothing is unsent, or where this device has never heard the organisation's key. Taking it changes nothing here.
 */
export const sealedCopyOf = async (personId: string): Promise<SealedWork | null> => {
  const [rows, recovery] = await Promise.all([storedOutbox(personId), recoveryOf(personId)]);
  if (rows.length === 0 || !recovery) return null;
  return {
    format: 'lantern-sealed-work',
    version: 1,
    person_id: personId,
    device_id: await deviceId(),
    made_at: new Date().toISOString(),
    recovery,
    entries: rows.slice(0, entriesAtOnce).flatMap((row) => (row.sealed ? [{ ...row, id: String(row.id), sealed: toBase64(row.sealed) }] : [])),
  };
};
