import { fromBase64, toBase64, toHex } from '#contract/rules/bytes.ts';
import { changeKeyRecord, isLockable, type KeyRecord, readKeyRecord, writeKeyRecord } from '#src/offline/keys/key-record.ts';
import {
  keyFromPassword,
  keyFromPin,
  keyFromPrf,
  type OrganisationKey,
  pinIterations,
  unwrap,
  wrap,
  type Wrapped,
  wrapForOrganisation,
} from '#src/offline/keys/lock-keys.ts';
import { newDataKey, seal, unseal } from '#contract/rules/seal.ts';
import { dataKeyOf, dropDataKey, holdDataKey, Locked } from '#src/offline/keys/unlocked.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

/**
 * The lock of one person on this device.
 *
 *   first use ─▶ open: the key lies beside the data ── setPin / addPasskey ─▶ locked: only wrapped keys lie here
 *                                                                              │ PIN, passkey, another tab, the organisation
 *                                                                              ▼
 *   lock(), reload, idle ◀──────────────────────────────────────────────── unlocked: the key is in memory
 *
 * It never throws work away: a forgotten PIN is answered by the organisation's copy of the key, and a wrong one only waits.
 */
type Message = { kind: 'ask' | 'lock' | 'unlocked'; person: string } | { kind: 'give'; person: string; key: string };

const channelName = 'lantern-keys';
let channel: BroadcastChannel | null | undefined;
const listeners = new Set<(person: string, state: 'locked' | 'unlocked') => void>();
const tell = (person: string, state: 'locked' | 'unlocked') => {
  for (const listener of listeners) listener(person, state);
};

/** Tabs of one browser share the lock state. */
const tabs = (): BroadcastChannel | null => {
  if (channel !== undefined) return channel;
  channel = typeof location === 'undefined' || typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(channelName);
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'ask') {
      const key = dataKeyOf(data.person);
      if (key) channel?.postMessage({ kind: 'give', person: data.person, key: toBase64(key) } satisfies Message);
    } else if (data.kind === 'lock' && dataKeyOf(data.person)) {
      dropDataKey(data.person);
      tell(data.person, 'locked');
    }
  });
  return channel;
};

const askOtherTabs = (personId: string): Promise<Uint8Array<ArrayBuffer> | null> => {
  const other = tabs();
  if (!other) return Promise.resolve(null);
  return new Promise((resolve) => {
    const done = (key: Uint8Array<ArrayBuffer> | null) => {
      other.removeEventListener('message', hear);
      clearTimeout(timer);
      resolve(key);
    };
    const hear = ({ data }: MessageEvent<Message>) => {
      if (data.kind === 'give' && data.person === personId) done(fromBase64(data.key));
    };
    const timer = setTimeout(() => done(null), 120);
    other.addEventListener('message', hear);
    other.postMessage({ kind: 'ask', person: personId } satisfies Message);
  });
};

/** Subscribes to people being locked or unlocked, in this tab or another. */
export const watchLocks = (listener: (person: string, state: 'locked' | 'unlocked') => void) => {
  listeners.add(listener);
  tabs();
  return () => listeners.delete(listener);
};

const newRecord = (personId: string, key: Uint8Array): KeyRecord => ({
  person_id: personId,
  open: toBase64(key),
  check: toBase64(seal(key, 'lantern', 'check')),
  pin: null,
  passkeys: [],
  recovery: null,
  fails: 0,
  next_try_at: 0,
});

const opening = new Map<string, Promise<boolean>>();
/**
 * Makes the person's data key available if it is not locked; creates it at their first use of this device. Returns whether their
 * store can be read now.
 */
export const openKey = (personId: string): Promise<boolean> => {
  if (dataKeyOf(personId)) return Promise.resolve(true);
  const running = opening.get(personId);
  if (running) return running;
  const run = (async () => {
    let record = await readKeyRecord(personId);
    if (!record) {
      const minted = newRecord(personId, newDataKey());
      const { keys } = deviceDb();
      // Two tabs at once end with one key.
      record = await deviceDb().transaction('rw', keys, async () => {
        const other = await keys.get(personId);
        if (other) return other;
        await keys.put(minted);
        return minted;
      });
      if (record === minted) await writeKeyRecord(minted);
    }
    const key = record.open === null ? await askOtherTabs(personId) : fromBase64(record.open);
    if (key) holdDataKey(personId, key);
    return key !== null;
  })().finally(() => opening.delete(personId));
  opening.set(personId, run);
  return run;
};

const need = async (personId: string): Promise<{ record: KeyRecord; key: Uint8Array<ArrayBuffer> }> => {
  const key = dataKeyOf(personId);
  const record = await readKeyRecord(personId);
  if (!key || !record) throw new Locked();
  return { record, key: key as Uint8Array<ArrayBuffer> };
};

/** Whether a lock is set, even if it is unlocked at the moment. */
export const lockOf = async (personId: string): Promise<{ pin: boolean; passkeys: number; recoverable: boolean; waitMs: number } | null> => {
  const record = await readKeyRecord(personId);
  if (!record || !isLockable(record)) return null;
  return {
    pin: record.pin !== null,
    passkeys: record.passkeys.length,
    recoverable: record.recovery !== null,
    waitMs: Math.max(0, record.next_try_at - Date.now()),
  };
};

/** Sets a PIN. The unwrapped key is no longer stored when this resolves. */
export const setPin = async (personId: string, pin: string): Promise<void> => {
  const { key } = await need(personId);
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const wrapped = await wrap(await keyFromPin(pin, salt, pinIterations), key);
  await changeKeyRecord(personId, (now) => ({
    ...now,
    open: null,
    pin: { salt: toBase64(salt), iterations: pinIterations, wrapped },
    fails: 0,
    next_try_at: 0,
  }));
};

/** Adds a passkey that opens the lock, beside or instead of the PIN. `secret` is the passkey's answer for `salt`. */
export const addPasskey = async (personId: string, id: string, salt: Uint8Array, secret: BufferSource): Promise<void> => {
  const { key } = await need(personId);
  const wrapped = await wrap(await keyFromPrf(secret), key);
  await changeKeyRecord(personId, (now) => ({
    ...now,
    open: null,
    passkeys: [...now.passkeys.filter((p) => p.id !== id), { id, salt: toBase64(salt), wrapped }],
  }));
};

/** Removes all locks: the key is stored beside the data again. */
export const removeLock = async (personId: string): Promise<void> => {
  const { key } = await need(personId);
  await changeKeyRecord(personId, (now) => ({ ...now, open: toBase64(key), pin: null, passkeys: [], fails: 0, next_try_at: 0 }));
};

/**
 * Encrypts a person's work at sign-out: the stored key is discarded if the organisation has a copy, so that only signing in again
 * opens it. Returns whether it is encrypted now.
 */
export const sealForSignOut = async (personId: string): Promise<boolean> => {
  const record = await readKeyRecord(personId);
  if (!record || (record.open !== null && record.recovery === null)) return false;
  if (record.open !== null) await changeKeyRecord(personId, (now) => ({ ...now, open: null }));
  await lock(personId);
  return true;
};

/** Stores a copy of the key that only the organisation's server can open. */
export const keepRecovery = async (personId: string, organisation: OrganisationKey): Promise<void> => {
  const { record, key } = await need(personId);
  if (record.recovery?.kid === organisation.kid) return;
  const recovery = await wrapForOrganisation(organisation, personId, key);
  await changeKeyRecord(personId, (now) => ({ ...now, recovery }));
};

const opened = (personId: string, key: Uint8Array) => {
  holdDataKey(personId, key);
  tell(personId, 'unlocked');
};

const freeTries = 3;
const firstWaitMs = 5_000;
const longestWaitMs = 15 * 60_000;

/** How long to wait after so many wrong guesses, in milliseconds. */
export const waitAfter = (fails: number): number => (fails < freeTries ? 0 : Math.min(firstWaitMs * 2 ** (fails - freeTries), longestWaitMs));

export type Unlocked = { kind: 'open' } | { kind: 'wrong'; waitMs: number } | { kind: 'wait'; waitMs: number };

/** Tries a PIN. */
const tryPin = async (personId: string, pin: string): Promise<{ key: Uint8Array } | Exclude<Unlocked, { kind: 'open' }>> => {
  const record = await readKeyRecord(personId);
  const { pin: kept } = record ?? {};
  if (!record || !kept) return { kind: 'wrong', waitMs: 0 };
  return guessed(record, async () => unwrap(await keyFromPin(pin, fromBase64(kept.salt), kept.iterations), kept.wrapped));
};

/** Opens a record with a guess, which is counted before it is tried, so that several at once gain nothing. */
const guessed = async (
  record: KeyRecord,
  open: () => Promise<Uint8Array | null>,
): Promise<{ key: Uint8Array } | Exclude<Unlocked, { kind: 'open' }>> => {
  const at = Date.now();
  const counted = { fails: 0, waitMs: 0 };
  await changeKeyRecord(record.person_id, (now) => {
    // A clock that was set back must not lock for longer than the longest wait.
    counted.waitMs = Math.min(now.next_try_at - at, longestWaitMs);
    if (counted.waitMs > 0) return now;
    counted.fails = now.fails + 1;
    return { ...now, fails: counted.fails, next_try_at: at + waitAfter(counted.fails) };
  });
  if (counted.waitMs > 0) return { kind: 'wait', waitMs: counted.waitMs };
  const key = await open();
  if (!key) return { kind: 'wrong', waitMs: waitAfter(counted.fails) };
  await changeKeyRecord(record.person_id, (now) => ({ ...now, fails: 0, next_try_at: 0 }));
  return { key };
};

/** Tries a PIN. After three wrong ones each further attempt has to wait, twice as long each time; nothing is ever deleted. */
export const unlockWithPin = async (personId: string, pin: string): Promise<Unlocked> => {
  const tried = await tryPin(personId, pin);
  if (!('key' in tried)) return tried;
  opened(personId, tried.key);
  return { kind: 'open' };
};

/** Verifies a person's PIN on this device as proof of identity, without opening anything. Counts like unlocking. */
export const provePin = async (personId: string, pin: string): Promise<Unlocked> => {
  const tried = await tryPin(personId, pin);
  return 'key' in tried ? { kind: 'open' } : tried;
};

/** Wraps an unlocked person's data key with their password as well, which the server has just accepted. */
export const keepPassword = async (personId: string, key: CryptoKey, salt: Uint8Array<ArrayBuffer>): Promise<void> => {
  const { key: dataKey } = await need(personId);
  const wrapped = await wrap(key, dataKey);
  await changeKeyRecord(personId, (now) => ({ ...now, password: { salt: toBase64(salt), wrapped } }));
};

/** Whether a person's password can be verified here without a connection. */
export const knowsPassword = async (personId: string): Promise<boolean> => (await readKeyRecord(personId))?.password !== undefined;

/** Forgets the password of a person on this device, because the server no longer accepts it. Their PIN and the organisation still open their work. */
export const forgetPassword = async (personId: string): Promise<void> => {
  const record = await readKeyRecord(personId);
  if (!record?.password) return;
  await changeKeyRecord(personId, ({ password: _, ...rest }) => rest);
};

/**
 * Tries a person's password without a connection. Counts like a PIN. With `forgetLock`, their forgotten PIN and passkeys are removed,
 * so that new ones can be set.
 */
export const unlockWithKnownPassword = async (personId: string, email: string, password: string, forgetLock: boolean): Promise<Unlocked> => {
  const record = await readKeyRecord(personId);
  const kept = record?.password;
  if (!record || !kept) return { kind: 'wrong', waitMs: 0 };
  const tried = await guessed(record, async () => unwrap(await keyFromPassword(email, password, fromBase64(kept.salt)), kept.wrapped));
  if (!('key' in tried)) return tried;
  await unlockRecovered(personId, tried.key, forgetLock);
  return { kind: 'open' };
};

/** Unlocks a person's work with the key of the password with which they signed in. False if it opens nothing. */
export const unlockWithPasswordKey = async (personId: string, key: CryptoKey): Promise<boolean> => {
  const record = await readKeyRecord(personId);
  const dataKey = record?.password ? await unwrap(key, record.password.wrapped) : null;
  if (!record || !dataKey) return false;
  // Work that was encrypted only at sign-out had no lock.
  await unlockRecovered(personId, dataKey, !record.pin && record.passkeys.length === 0);
  return true;
};

/** The passkeys that can open the lock. */
export const passkeysOf = async (personId: string): Promise<{ id: string; salt: string; wrapped: Wrapped }[]> =>
  (await readKeyRecord(personId))?.passkeys ?? [];

/** Opens the lock with a passkey's answer. */
export const unlockWithPasskey = async (personId: string, id: string, secret: BufferSource): Promise<boolean> => {
  const passkey = (await passkeysOf(personId)).find((p) => p.id === id);
  const key = passkey && (await unwrap(await keyFromPrf(secret), passkey.wrapped));
  if (!key) return false;
  opened(personId, key);
  return true;
};

/** The organisation's copy of the key, for its server to open. */
export const recoveryOf = async (personId: string) => (await readKeyRecord(personId))?.recovery ?? null;

/**
 * Unlocks with the key that the organisation's server has opened for the person's password. Keeps the lock or, if the PIN was
 * forgotten, removes it, so that a new one can be set. Throws if it is another key.
 */
export const unlockRecovered = async (personId: string, dataKey: Uint8Array, forgetLock: boolean): Promise<void> => {
  const record = await readKeyRecord(personId);
  if (!record) throw new Locked();
  // Throws before anything is changed if it is another key.
  unseal(dataKey, fromBase64(record.check), 'check');
  opened(personId, dataKey);
  await changeKeyRecord(personId, (now) => ({
    ...now,
    fails: 0,
    next_try_at: 0,
    ...(forgetLock ? { open: toBase64(dataKey), pin: null, passkeys: [] } : {}),
  }));
};

/** The secret that unlocks the server session; only a holder of the data key can derive it. */
export const sessionSecretOf = async (personId: string): Promise<{ secret: string; hash: string } | null> => {
  const key = dataKeyOf(personId);
  if (!key) return null;
  const sha = async (bytes: Uint8Array<ArrayBuffer>) => toHex(await crypto.subtle.digest('SHA-256', bytes));
  const utf8 = new TextEncoder();
  const secret = await sha(utf8.encode(`session:${toBase64(key)}`));
  return { secret, hash: await sha(utf8.encode(secret)) };
};

/** Locks in every tab. False if the person has no lock. */
export const lock = async (personId: string): Promise<boolean> => {
  const record = await readKeyRecord(personId);
  if (!record || !isLockable(record)) return false;
  dropDataKey(personId);
  tabs()?.postMessage({ kind: 'lock', person: personId } satisfies Message);
  tell(personId, 'locked');
  return true;
};
