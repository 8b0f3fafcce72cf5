import { fromBase64 } from '#contract/rules/bytes.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { currentUser } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { countOf } from '#src/lib/format.ts';
import { keepKnown, forgetKnown, isKnown, passwordSalt, renewKnown } from '#src/offline/keys/known-people.ts';
import {
  keepPassword,
  knowsPassword,
  openKey,
  recoveryOf,
  type Unlocked,
  unlockRecovered,
  unlockWithKnownPassword,
} from '#src/offline/keys/keyring.ts';
import { keyFromPassword } from '#src/offline/keys/lock-keys.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/** Where the key to what this device knows of a person is stored: with their own data, encrypted. */
const profileKeyName = 'known-key';

/**
 * Remembers a password that the server has just accepted, so that it can be verified here without a connection. `alone`: it was all that
 * the server asked for; then it is also enough to sign in here without a connection.
 */
export const rememberPassword = async (user: AuthUser, password: string, alone: boolean): Promise<void> => {
  const salt = await passwordSalt();
  const key = await keyFromPassword(user.email, password, salt);
  // They may have signed out while the key was derived.
  if (currentUser()?.uuid !== user.uuid) return;
  if (await openKey(user.uuid)) await keepPassword(user.uuid, key, salt);
  if (!alone) return forgetKnown(user.uuid);
  await keepProfileKey(user.uuid, await keepKnown(user.uuid, user, key, salt));
};

/** Replaces a remembered password by the new one; signing in here without a connection stays as possible as it was. */
export const passwordChanged = async (user: AuthUser, password: string): Promise<void> => rememberPassword(user, password, await isKnown(user.uuid));

/** Stores the key with which what is shown of a person can be renewed. */
export const keepProfileKey = async (personId: string, profileKey: string): Promise<void> => {
  if (await openKey(personId)) await personDb(personId).kv.put({ key: profileKeyName, value: profileKey });
};

/** Brings up to date what this device would show of a person who signs in without a connection. Nothing happens for others. */
export const renewProfile = async (user: AuthUser): Promise<void> => {
  if (!(await openKey(user.uuid))) return;
  const kept = await personDb(user.uuid).kv.get(profileKeyName);
  if (typeof kept?.value === 'string') await renewKnown(user.uuid, user, kept.value);
};

const waitWords = (waitMs: number) => `Try again in ${countOf(Math.ceil(waitMs / 1000), 'second')}.`;
/** What to say about a guess that did not open; null if it did. */
export const guessWords = (answer: Unlocked, what: 'PIN' | 'password'): string | null => {
  if (answer.kind === 'open') return null;
  if (answer.kind === 'wait') return `Too many attempts. ${waitWords(answer.waitMs)}`;
  return `The ${what} is incorrect.${answer.waitMs > 0 ? ` ${waitWords(answer.waitMs)}` : ''}`;
};

/**
 * Verifies the signed-in person's password: by what this device knows, otherwise by the server, because it may have been changed elsewhere.
 * Opens their work if it was locked. Returns null or an error message.
 */
export const proveOwnPassword = async (password: string): Promise<string | null> => {
  const user = currentUser();
  if (!user) return 'You have been signed out.';
  const here = await unlockWithKnownPassword(user.uuid, user.email, password, false);
  if (here.kind === 'open') return null;
  const recovery = here.kind === 'wrong' ? await recoveryOf(user.uuid) : null;
  if (!recovery) return guessWords(here, 'password');
  const answer = await call(
    'POST /users/{id}/recover-key',
    { params: { id: user.uuid }, body: { recovery, password } },
    { quiet: true, timeoutMs: 8000 },
  );
  if (answer.kind === 'ok') {
    await unlockRecovered(user.uuid, fromBase64(answer.data.key), false);
    await rememberPassword(user, password, false).catch(() => undefined);
    return null;
  }
  if (answer.kind === 'unreachable' && !(await knowsPassword(user.uuid)))
    return 'Your password can be checked here only with a connection. Use your PIN, or try again with a signal.';
  return guessWords(here, 'password');
};
