import { currentUser, endSession } from '#src/access/session.ts';
import { stopEngine } from '#src/device/engine-lifetime.ts';
import { leavingMark, noteLeavingHere, unsealedMark } from '#src/device/leaving-mark.ts';
import { noteLock } from '#src/device/lock.ts';
import { sealForSignOut } from '#src/offline/keys/keyring.ts';
import { dropDataKey } from '#src/offline/keys/unlocked.ts';
import { removeAllPacks } from '#src/offline/media/packs.ts';
import { deletePersonDb, draftsIn, personDb } from '#src/offline/store/person-db.ts';

/** The server is told within this, or at the next start: milliseconds. */
const tellServerMs = 500;

/**
 * Signs out. The person is gone from the screen at once; what a closed page or a dead line cuts short is finished when
 * the app starts again. With nothing unsent and nothing half written, everything of theirs leaves this device; else it
 * stays, sealed for them.
 */
export const leave = async (): Promise<void> => {
  const user = currentUser();
  if (!user) return;
  noteLeavingHere();
  leavingMark.set(user.uuid);
  stopEngine();
  await Promise.race([endSession(), new Promise((resolve) => setTimeout(resolve, tellServerMs))]);
  await finishLeaving();
  location.assign('/');
};

/** Whether it is sealed now. A store that is busy or full for a moment may take it when it is asked again. */
const sealedForSignOut = async (person: string): Promise<boolean> => {
  for (let tries = 0; tries < 3; tries++) {
    const sealed = await sealForSignOut(person).catch(() => null);
    if (sealed !== null) return sealed;
    await new Promise((resolve) => setTimeout(resolve, 200 * (tries + 1)));
  }
  return false;
};

/** Takes away, or seals, what is here of the person who has signed out. Nothing where they have come back. */
export const finishLeaving = async (): Promise<void> => {
  const person = leavingMark.get() ?? unsealedMark.get();
  if (person !== null && person !== currentUser()?.uuid) {
    const db = personDb(person);
    const kept = await Promise.all([db.outbox.count(), draftsIn(db)]).catch(() => [1]);
    if (kept.every((n) => n === 0)) {
      await removeAllPacks(person).catch(() => undefined);
      await deletePersonDb(person).catch(() => undefined);
    } else if (!(await sealedForSignOut(person))) {
      // It stays written down, is said on the sign-in page, and is tried again at each start. The key is not left in this tab.
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
