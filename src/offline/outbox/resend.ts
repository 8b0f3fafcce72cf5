import Dexie from 'dexie';
import { journalOf } from '#src/offline/journal/journal.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';
import { logWrites, type RowWrite } from '#src/offline/store/sealed-rows.ts';

/** Ids acknowledged by the server, newest first. */
export const acknowledgedIds = async (db: PersonDb, limit: number, offset = 0): Promise<string[]> =>
  (
    await db.settled
      .orderBy('settled_at')
      .reverse()
      .filter((e) => e.outcome !== 'discarded')
      .offset(offset)
      .limit(limit)
      .toArray()
  ).map((e) => e.id);

/**
 * Queues acknowledged entries that the server has forgotten again, with their old position and id, so that a server that does
 * remember applies nothing twice. Returns how many.
 */
export const resend = async (db: PersonDb, ids: readonly string[]): Promise<number> => {
  let log: RowWrite[] = [];
  const count = await db.transaction('rw', [db.outbox, db.settled], async () => {
    log = logWrites((Dexie.currentTransaction as unknown as { idbtrans: object }).idbtrans);
    const entries = (
      await db.settled
        .where('id')
        .anyOf([...ids])
        .toArray()
    )
      .filter((e) => e.outcome !== 'discarded')
      .sort((a, b) => a.n - b.n);
    for (const { settled_at: _at, outcome: _outcome, ...entry } of entries.map((e) => ({ ...e }))) {
      const taken = (await db.outbox.where('n').equals(entry.n).count()) > 0;
      const { n, ...unplaced } = entry;
      // Entries that were sent are never merged, because the server may know them.
      const again = { ...unplaced, state: 'waiting' as const, tries: Math.max(1, entry.tries), nextAt: 0, trouble: null };
      await db.outbox.put((taken ? again : { ...again, n }) as typeof entry);
    }
    await db.settled.bulkDelete(entries.map((e) => e.id));
    return entries.length;
  });
  // They are unsent again, so they are journalled again.
  if (log.length > 0) await journalOf(db.personId).append({ kind: 'rows', ids: log.map((w) => String(w.row.id)), rows: log, again: true });
  return count;
};
