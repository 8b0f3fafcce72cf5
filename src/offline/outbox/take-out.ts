import type { Entry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';

/**
 * Takes an entry that was never sent, or that the server refused, out of the outbox, because its person does without it: it stays in the
 * archive of this device. Within the transaction of `commit`, over `settled`.
 */
export const takeOut = async (db: PersonDb, entry: Entry, at: string): Promise<void> => {
  await db.settled.put({ ...entry, settled_at: at, outcome: 'discarded' });
  await db.outbox.delete(entry.n);
};
