import { currentUser, endSession } from '#src/access/session.ts';
import { stopEngine } from '#src/device/engine-lifetime.ts';
import { leavingMark, noteLeavingHere, unsealedMark } from '#src/device/leaving-mark.ts';
import { noteLock } from '#src/device/lock.ts';
import { renewProfile } from '#src/device/password-here.ts';
import { sealForSignOut } from '#src/offline/keys/keyring.ts';
import { dropDataKey } from '#src/offline/keys/unlocked.ts';
import { removeAllPacks } from '#src/offline/media/packs.ts';
import { dropMatricesOf } from '#src/offline/store/kept-matrices.ts';
import { deletePersonDb, draftsIn, formDraftPrefix, personDb } from '#src/offline/store/person-db.ts';

/** Time limit for bringing up to date what this device knows of the person, in milliseconds. */
const renewMs = 500;
/** Time limit for notifying the server, in milliseconds; otherwise at the next start. */
const tellServerMs = 500;

/**
 * Signs out. The person disappears from the screen immediately; steps interrupted by a closed page or lost connection are
 * completed when the app next starts. Without unsent work or drafts, all their data is deleted from this device; otherwise
 * it stays, encrypted for them.
 */
export const leave = async (): Promise<void> => {
  const user = currentUser();
  if (!user) return;
  noteLeavingHere();
  leavingMark.set(user.uuid);
  stopEngine();
  await Promise.race([renewProfile(user).catch(() => undefined), new Promise((resolve) => setTimeout(resolve, renewMs))]);
  await Promise.race([endSession(), new Promise((resolve) => setTimeout(resolve, tellServerMs))]);
  await finishLeaving();
  location.assign('/');
};

/** Whether the data is encrypted now. Retried, because the store may be busy or full for a moment. */
const sealedForSignOut = async (person: string): Promise<boolean> => {
  for (let tries = 0; tries < 3; tries++) {
    const sealed = await sealForSignOut(person).catch(() => null);
    if (sealed !== null) return sealed;
    await new Promise((resolve) => setTimeout(resolve, 200 * (tries + 1)));
  }
  return false;
};

/** Deletes or encrypts the data of the person who has signed out. Does nothing if they have signed in again. */
export const finishLeaving = async (): Promise<void> => {
  const person = leavingMark.get() ?? unsealedMark.get();
  if (person !== null && person !== currentUser()?.uuid) {
    await dropMatricesOf(person);
    const db = personDb(person);
    await db.kv
      .where('key')
      .startsWith(formDraftPrefix)
      .delete()
      .catch(() => 0);
    const kept = await Promise.all([db.outbox.count(), draftsIn(db)]).catch(() => [1]);
    if (kept.every((n) => n === 0)) {
      await removeAllPacks(person).catch(() => undefined);
      await deletePersonDb(person).catch(() => undefined);
    } else if (!(await sealedForSignOut(person))) {
      // Recorded, shown on the sign-in page, and retried at each start. The key does not remain in this tab.
      unsealedMark.set(person);
      dropDataKey(person);
      leavingMark.set(null);
      return;
    }
    await noteLock(person).catch(() => undefined);
  }
  leavingMark.set(null);
  unsealedMark.set(null);
};
