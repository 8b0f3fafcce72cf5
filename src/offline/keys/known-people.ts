import { fromBase64, toBase64, toHex } from '#contract/rules/bytes.ts';
import { newDataKey, seal, unseal } from '#contract/rules/seal.ts';
import { type Unlocked, waitAfter } from '#src/offline/keys/keyring.ts';
import { keyFromPassword, unwrap, wrap, type Wrapped } from '#src/offline/keys/lock-keys.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

/**
 * The people whom this device knows: who signed in here with their e-mail address and password, and may do so again without a connection.
 *
 * Of each, their id is stored, and what the app needs to show of them, encrypted. Only address and password together open it: neither a
 * name nor an address can be read here, and whether a person is known can only be found out by knowing both.
 */
type Known = { salt: string; wrapped: Wrapped; profile: string };

const prefix = 'known:';
const saltName = 'password-salt';
const place = (personId: string) => `known:${personId}`;

/** The salt of this device, created once: with one for all, a sign-in costs one derivation however many people are known. */
export const passwordSalt = async (): Promise<Uint8Array<ArrayBuffer>> => {
  const { meta } = deviceDb();
  const fresh = toBase64(crypto.getRandomValues(new Uint8Array(16)));
  return deviceDb().transaction('rw', meta, async () => {
    const kept = (await meta.get(saltName))?.value;
    if (typeof kept === 'string') return fromBase64(kept);
    await meta.put({ key: saltName, value: fresh });
    return fromBase64(fresh);
  });
};

/** Remembers a person whose address and password the server has just accepted. Returns the key that later changes to `profile` need. */
export const keepKnown = async (personId: string, profile: object, key: CryptoKey, salt: Uint8Array): Promise<string> => {
  const profileKey = newDataKey() as Uint8Array<ArrayBuffer>;
  const value: Known = {
    salt: toBase64(salt),
    wrapped: await wrap(key, profileKey),
    profile: toBase64(seal(profileKey, profile, place(personId))),
  };
  await deviceDb().meta.put({ key: place(personId), value });
  return toBase64(profileKey);
};

/** Replaces what is shown of a known person. */
export const renewKnown = async (personId: string, profile: object, profileKey: string): Promise<void> => {
  const sealed = toBase64(seal(fromBase64(profileKey), profile, place(personId)));
  await deviceDb()
    .meta.where('key')
    .equals(place(personId))
    .modify((row) => {
      row.value = { ...(row.value as Known), profile: sealed };
    });
};

/** Whether a person could sign in here without a connection. */
export const isKnown = async (personId: string): Promise<boolean> => (await deviceDb().meta.get(place(personId))) !== undefined;
export const forgetKnown = (personId: string): Promise<void> => deviceDb().meta.delete(place(personId));

/** Wrong guesses for one address, under a hash that only this device can compute. */
type Guesses = { fails: number; next_try_at: number };
const longestWaitMs = 15 * 60_000;
const guessesName = async (email: string, salt: Uint8Array<ArrayBuffer>): Promise<string> => {
  const key = await crypto.subtle.importKey('raw', salt, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return `guesses:${toHex(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(email.trim().toLowerCase()))).slice(0, 16)}`;
};

type Opened<T> = { kind: 'open'; profile: T; profileKey: string; key: CryptoKey; salt: Uint8Array<ArrayBuffer> };

/**
 * Opens what this device knows of the person with this address and password. Each guess is counted for its address before it is tried, so
 * that several at once gain nothing; after three wrong ones each further attempt has to wait, as with a PIN.
 */
export const openKnown = async <T>(email: string, password: string): Promise<Opened<T> | Exclude<Unlocked, { kind: 'open' }>> => {
  const { meta } = deviceDb();
  const salt = await passwordSalt();
  const name = await guessesName(email, salt);
  const now = Date.now();
  const counted = await deviceDb().transaction('rw', meta, async (): Promise<Guesses | { waitMs: number }> => {
    const before = ((await meta.get(name))?.value as Guesses | undefined) ?? { fails: 0, next_try_at: 0 };
    // A clock that was set back must not refuse for longer than the longest wait.
    const waitMs = Math.min(before.next_try_at - now, longestWaitMs);
    if (waitMs > 0) return { waitMs };
    const fails = before.fails + 1;
    const value = { fails, next_try_at: now + waitAfter(fails) };
    await meta.put({ key: name, value });
    return value;
  });
  if ('waitMs' in counted) return { kind: 'wait', waitMs: counted.waitMs };
  const keys = new Map<string, CryptoKey>();
  for (const row of await meta.where('key').startsWith(prefix).toArray()) {
    const known = row.value as Known;
    const key = keys.get(known.salt) ?? (await keyFromPassword(email, password, fromBase64(known.salt)));
    keys.set(known.salt, key);
    const profileKey = await unwrap(key, known.wrapped);
    if (!profileKey) continue;
    await meta.delete(name);
    const profile = unseal(profileKey, fromBase64(known.profile), row.key) as T;
    return { kind: 'open', profile, profileKey: toBase64(profileKey), key, salt: fromBase64(known.salt) };
  }
  return { kind: 'wrong', waitMs: waitAfter(counted.fails) };
};
