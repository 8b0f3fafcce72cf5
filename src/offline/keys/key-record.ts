import { deviceDb, type PersonRow, restoreDevice } from '#src/offline/store/device-db.ts';
import type { RecoveryWrap, Wrapped } from '#src/offline/keys/lock-keys.ts';
import { keepSecondCopy, readSecondCopy } from '#src/offline/journal/second-copy.ts';

/**
 * How one person's data key is stored on this device. Without a lock the key itself is stored beside the data, so that encryption
 * protects nothing, and the app says so. With a lock only wrapped copies are stored, which need the PIN, the passkey or the
 * organisation.
 */
export type KeyRecord = {
  person_id: string;
  open: string | null;
  /** A known text encrypted with the data key, which verifies a key. */
  check: string;
  pin: { salt: string; iterations: number; wrapped: Wrapped } | null;
  passkeys: { id: string; salt: string; wrapped: Wrapped }[];
  /** The key wrapped with the person's password, so that it can be verified and opens their work without a connection. Absent: none is known here. */
  password?: { salt: string; wrapped: Wrapped };
  recovery: RecoveryWrap | null;
  /** Wrong PINs and passwords since the last correct one, and when the next may be tried (milliseconds since 1970). */
  fails: number;
  next_try_at: number;
};
export const isLockable = (record: KeyRecord): boolean => record.open === null;

/** Records as this page last read or wrote them. */
const lastKnown = new Map<string, KeyRecord>();

// Without its key, nothing that is written again could ever be read.
restoreDevice(async ({ keys }) => {
  for (const known of lastKnown.values()) if (!(await keys.get(known.person_id))) await keys.put(known);
});

/** Makes sure that a person's record is in the database and in its second copy, after the browser has emptied the storage under the page. */
export const restoreKeyRecord = async (personId: string): Promise<void> => {
  const known = lastKnown.get(personId);
  if (!known) return;
  const kept = await deviceDb().keys.get(personId);
  if (!kept || !(await readSecondCopy(`key-${personId}`))) await writeKeyRecord(kept ?? known);
};

/** A person's record, from the device's database or, if that was lost, from its second copy. */
export const readKeyRecord = async (personId: string): Promise<KeyRecord | null> => {
  const kept = await deviceDb().keys.get(personId);
  if (kept) {
    lastKnown.set(personId, kept);
    return kept;
  }
  const stored = await readSecondCopy<KeyRecord & { name?: string }>(`key-${personId}`);
  if (!stored) return null;
  const { name: _, ...copy } = stored;
  await deviceDb().keys.put(copy);
  return copy;
};

/** Removes the names and addresses that earlier releases stored in clear beside ids. */
export const forgetNames = async (): Promise<void> => {
  const { keys, people } = deviceDb();
  type Former<T> = T & { name?: string; email?: string };
  const named = (row: object) => 'name' in row || 'email' in row;
  for (const { name: _, email: __, ...row } of (await people.filter(named).toArray()) as Former<PersonRow>[]) await people.put(row);
  for (const { name: _, ...record } of (await keys.filter(named).toArray()) as Former<KeyRecord>[]) await writeKeyRecord(record);
};

/**
 * Changes a record as it is now: several parts of it are written at about the same time, after computing for a while, and none may undo
 * another. Nothing happens for a person without one.
 */
export const changeKeyRecord = async (personId: string, change: (now: KeyRecord) => KeyRecord): Promise<void> => {
  const { keys } = deviceDb();
  const changed = await deviceDb().transaction('rw', keys, async () => {
    const now = await keys.get(personId);
    if (!now) return null;
    const next = change(now);
    await keys.put(next);
    return next;
  });
  if (!changed) return;
  lastKnown.set(personId, changed);
  await keepSecondCopy(`key-${personId}`, changed);
};

/** Stores the record and its second copy; both are on disk when this resolves. */
export const writeKeyRecord = async (record: KeyRecord): Promise<void> => {
  lastKnown.set(record.person_id, record);
  await deviceDb().keys.put(record);
  await keepSecondCopy(`key-${record.person_id}`, record);
};
