import { replayFor } from '#src/offline/engine.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

/** Wakes the pages where there are any; else sends what waits for the people of this device. The server refuses whoever is not signed in. */
export const wake = async (clients: Clients): Promise<void> => {
  const pages = await clients.matchAll({ type: 'window' });
  if (pages.length > 0) {
    for (const page of pages) page.postMessage({ type: 'wake' });
    return;
  }
  const people = await deviceDb().people.orderBy('last_at').reverse().toArray();
  // One who is locked cannot be sent for; the others can.
  for (const person of people)
    await replayFor(person.id, () => undefined)
      .wake()
      .catch(() => undefined);
};
