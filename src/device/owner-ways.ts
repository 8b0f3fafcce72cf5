import { hasDeclinedPin, sharedDevice } from '#src/device/handed-over.ts';
import { knowsPassword, lockOf } from '#src/offline/keys/keyring.ts';

/** How a person could prove here, without a connection, that the device is theirs to use: by their lock, by their password. */
export const waysBack = async (personId: string): Promise<{ lock: boolean; password: boolean }> => ({
  lock: (await lockOf(personId)) !== null,
  password: await knowsPassword(personId),
});

/** Whether a person without a lock is to be offered one at their first use of a shared device. */
export const offersPin = async (personId: string): Promise<boolean> =>
  sharedDevice.get() === true && !hasDeclinedPin(personId) && (await lockOf(personId)) === null;
