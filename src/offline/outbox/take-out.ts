import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/**
 * Removes an entry that was never sent, or that the server refused, from the outbox, because the person no longer needs it: it stays in
 * this device's archive. Within the transaction of `commit`, over `settled`.
 */
export const takeOut = async (db: PersonDb, entry: Entry, at: string): Promise<void> => {
  await db.settled.put({ ...entry, settled_at: at, outcome: 'discarded' });
  await db.outbox.delete(entry.n);
};
