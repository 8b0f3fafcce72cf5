import Dexie from 'dexie';
import { journalOf } from '#src/offline/journal/journal.ts';
import { whileSaving } from '#src/offline/outbox/commit.ts';
import { draftJournalId, type PersonDb } from '#src/offline/store/person-db.ts';
import { logWrites, type RowWrite } from '#src/offline/store/sealed-rows.ts';

/**
 * Drafts of unsaved input. They are stored at every keystroke and in the second journal once a second, so a browser that loses
 * its store loses at most the last second. Input chosen once, such as a photograph, is in both when `keepDraft` with `atOnce`
 * resolves.
 */
const journalEveryMs = 1000;
const last = new Map<string, { at: number; timer: ReturnType<typeof setTimeout> | null; rows: RowWrite[] }>();
const placeOf = (db: PersonDb, key: string) => `${db.personId} ${key}`;

export const keepDraft = async (db: PersonDb, key: string, value: unknown, atOnce = false): Promise<void> => {
  let log: RowWrite[] = [];
  await whileSaving(() =>
    db.transaction('rw', db.kv, async () => {
      log = logWrites((Dexie.currentTransaction as unknown as { idbtrans: object }).idbtrans);
      await db.kv.put({ key, value });
    }),
  );
  const append = (rows: RowWrite[]) => journalOf(db.personId).append({ kind: 'rows', ids: [draftJournalId(key)], rows });
  if (atOnce) {
    await append(log);
    return;
  }
  const place = placeOf(db, key);
  const known = last.get(place) ?? { at: 0, timer: null, rows: [] };
  last.set(place, known);
  known.rows = log;
  known.timer ??= setTimeout(
    () => {
      known.timer = null;
      known.at = Date.now();
      // The store has it; the journal is tried again with the next keystroke.
      append(known.rows).catch(() => undefined);
    },
    Math.max(0, known.at + journalEveryMs - Date.now()),
  );
};

export const dropDraft = async (db: PersonDb, key: string): Promise<void> => {
  const known = last.get(placeOf(db, key));
  if (known?.timer) clearTimeout(known.timer);
  last.delete(placeOf(db, key));
  await journalOf(db.personId).append({ kind: 'gone', ids: [draftJournalId(key)] });
  await db.kv.delete(key);
};
