import { currentUser, endSession, handedOver } from '#src/access/session.ts';
import { call } from '#src/api/call.ts';
import { forgetCsrfToken } from '#src/api/transport.ts';
import { keepLockHint, isLocked, setLocked } from '#src/device/lock-hint.ts';
import { sendNow, stopEngine } from '#src/device/engine-lifetime.ts';
import { lastKnownCacheName } from '#src/offline/cache-names.ts';
import { fromBase64 } from '#contract/rules/bytes.ts';
import {
  knowsPassword,
  lock,
  lockOf,
  recoveryOf,
  sessionSecretOf,
  unlockRecovered,
  unlockWithKnownPassword,
  watchLocks,
} from '#src/offline/keys/keyring.ts';

/**
 * The device lock for the signed-in person. The screen is covered first, then unsent work is sent if the connection allows,
 * then the key is discarded in every tab and the server session is locked too.
 */
const pendingKey = 'lantern-session-lock';
const minutesKey = 'lantern-lock-minutes';
const defaultMinutes = 5;

/** Updates the lock hint; called whenever a lock is set or removed. */
export const noteLock = async (personId: string): Promise<void> => {
  const set = (await lockOf(personId)) !== null;
  keepLockHint(personId, set);
  // The home page of a locked person is not shown before they unlock.
  if ((set || handedOver.get() !== null) && 'caches' in window) await caches.delete(lastKnownCacheName);
};

const sendForMs = 4000;

let underWay: Promise<void> = Promise.resolve();
/** Resolves when a lock in progress is complete: until then the key still exists and must not be used. */
export const untilLocked = (): Promise<void> => underWay;

export const lockNow = async (): Promise<void> => {
  const user = currentUser();
  if (!user || isLocked() || !(await lockOf(user.uuid))) return;
  setLocked(true);
  underWay = lockBehindScreen(user);
  await underWay;
};

const lockBehindScreen = async (user: { uuid: string }): Promise<void> => {
  await Promise.race([sendNow().catch(() => undefined), new Promise((resolve) => setTimeout(resolve, sendForMs))]);
  stopEngine();
  const secret = await sessionSecretOf(user.uuid);
  await lock(user.uuid);
  if (secret) localStorage.setItem(pendingKey, secret.hash);
  await lockSessionIfPending();
};

/** Locks and unlocks the session in the order of the person's actions. */
let locking: Promise<void> = Promise.resolve();
/** Tells the server that this device is locked, now or as soon as there is a connection. */
export const lockSessionIfPending = (): Promise<void> => {
  locking = locking.then(async () => {
    const hash = localStorage.getItem(pendingKey);
    if (hash === null || !isLocked()) return;
    const result = await call('POST /session/lock', { body: { unlock_hash: hash } }, { quiet: true, timeoutMs: 4000 });
    if (result.kind !== 'unreachable') localStorage.removeItem(pendingKey);
  });
  return locking;
};

/** Unlocks the server session if it was locked. Returns whether it is unlocked now. */
export const unlockSession = async (): Promise<boolean> => {
  const user = currentUser();
  const secret = user && (await sessionSecretOf(user.uuid));
  if (!secret) return false;
  await locking;
  localStorage.removeItem(pendingKey);
  forgetCsrfToken();
  const result = await call('POST /session/unlock', { body: { secret: secret.secret } }, { quiet: true, timeoutMs: 4000 });
  forgetCsrfToken();
  return result.kind === 'ok';
};

/** Called once the key is available. */
export const afterUnlock = async (): Promise<void> => {
  await unlockSession();
  setLocked(false);
};

/**
 * Unlocks with the person's password: by what this device knows of it, otherwise with the organisation's copy of the key. Returns null or an
 * error message.
 */
export const unlockWithPassword = async (password: string, forgetPin: boolean): Promise<string | null> => {
  const user = currentUser();
  const here = user && (await unlockWithKnownPassword(user.uuid, user.email, password, await forgetsLock(user.uuid, forgetPin)));
  if (user && here?.kind === 'open') {
    await noteLock(user.uuid);
    return null;
  }
  if (here?.kind === 'wait') return 'Too many attempts. Wait a moment; nothing has been deleted.';
  const recovery = user && (await recoveryOf(user.uuid));
  if (!user || !recovery) return 'This device has not connected to your organisation’s server yet, so only your PIN can unlock it.';
  let result = await call('POST /users/{id}/recover-key', { params: { id: user.uuid }, body: { recovery, password } }, { quiet: true });
  if (result.kind === 'refused' && result.status === 401) {
    // The session is locked together with the device; signing in creates a new one.
    const signedIn = await call('POST /login', { body: { email: user.email, password } }, { quiet: true });
    if (signedIn.kind === 'refused' && signedIn.error.code === 'second_step_needed')
      return 'Your session has ended, and your account also needs a code. Choose “Sign in as someone else” and sign in as yourself; your work stays here.';
    if (signedIn.kind === 'refused') return 'The password is incorrect.';
    forgetCsrfToken();
    if (signedIn.kind === 'ok')
      result = await call('POST /users/{id}/recover-key', { params: { id: user.uuid }, body: { recovery, password } }, { quiet: true });
  }
  if (result.kind === 'unreachable')
    return (await knowsPassword(user.uuid))
      ? 'That password is incorrect. If it was changed elsewhere, the new one needs a connection. Your work stays on this device.'
      : 'This needs a connection. Your work stays on this device.';
  if (result.kind === 'refused') return result.error.message;
  await unlockRecovered(user.uuid, fromBase64(result.data.key), await forgetsLock(user.uuid, forgetPin));
  await noteLock(user.uuid);
  return null;
};

/** Whether unlocking removes the lock: if its PIN was forgotten, and of work that was encrypted only at sign-out and had none. */
const forgetsLock = async (personId: string, forgetPin: boolean): Promise<boolean> => {
  const kept = await lockOf(personId);
  return forgetPin || (kept !== null && !kept.pin && kept.passkeys === 0);
};

/** After a sign-in with password: unlocks this person's data with it if the organisation has a copy of the key. */
export const unlockAtSignIn = async (password: string): Promise<void> => {
  const user = currentUser();
  if (!user) return;
  setLocked((await lockOf(user.uuid)) !== null && (await unlockWithPassword(password, false)) !== null);
};

/** Leaves the person locked and lets another person sign in. */
export const switchPerson = async (): Promise<void> => {
  localStorage.removeItem(pendingKey);
  await endSession();
  location.assign('/login');
};

export const lockMinutes = (): number => Number(localStorage.getItem(minutesKey) ?? defaultMinutes) || defaultMinutes;
export const setLockMinutes = (minutes: number): void => localStorage.setItem(minutesKey, String(minutes));

/** Locks after a period of inactivity, including while the device was suspended. */
export const watchIdleness = (): (() => void) => {
  let touched = Date.now();
  const touch = () => {
    touched = Date.now();
  };
  const look = () => {
    if (Date.now() - touched >= lockMinutes() * 60_000) {
      touched = Date.now();
      void lockNow();
    }
  };
  const events = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
  for (const event of events) window.addEventListener(event, touch, { passive: true, capture: true });
  document.addEventListener('visibilitychange', look);
  const timer = setInterval(look, 5000);
  const unwatch = watchLocks((person, state) => {
    if (person === currentUser()?.uuid) {
      if (state === 'locked') stopEngine();
      setLocked(state === 'locked');
    }
  });
  return () => {
    for (const event of events) window.removeEventListener(event, touch, { capture: true });
    document.removeEventListener('visibilitychange', look);
    clearInterval(timer);
    unwatch();
  };
};
