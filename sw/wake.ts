import { replayFor } from '#src/offline/engine.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';

/** Wakes open pages; without any, sends waiting work of the people on this device. The server refuses people who are not signed in. */
export const wake = async (clients: Clients): Promise<void> => {
  const pages = await clients.matchAll({ type: 'window' });
  if (pages.length > 0) {
    for (const page of pages) page.postMessage({ type: 'wake' });
    return;
  }
  const people = await deviceDb().people.orderBy('last_at').reverse().toArray();
  // Locked people cannot be sent for.
  for (const person of people)
    await replayFor(person.id, () => undefined)
      .wake()
      .catch(() => undefined);
};
