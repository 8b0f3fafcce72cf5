import { journalOf } from '#src/offline/journal/journal.ts';
import { type JournalLine, stillOpen } from '#src/offline/journal/journal-format.ts';
import { openKey } from '#src/offline/keys/keyring.ts';
import { deviceDb } from '#src/offline/store/device-db.ts';
import { dataLossOf } from '#src/offline/store/noticed-factory.ts';
import { draftIdsIn, draftJournalId, type PersonDb, schemaVersion } from '#src/offline/store/person-db.ts';
import { sealedTables } from '#src/offline/store/sealed-rows.ts';

/** A store lost by the browser, and what was recovered; reported to the person, and to the server at the next contact. */
export type Incident = {
  at: string;
  person_id: string;
  kind: 'store-lost' | 'entries-lost';
  recovered: number;
  data_loss: string | null;
  seen: boolean;
};

export const incidentsOf = async (personId: string): Promise<Incident[]> =>
  ((await deviceDb().meta.get(`incidents-${personId}`))?.value as Incident[] | undefined) ?? [];
export const noteIncidents = async (personId: string, change: (before: Incident[]) => Incident[]): Promise<void> => {
  const { meta } = deviceDb();
  await deviceDb().transaction('rw', meta, async () => {
    const key = `incidents-${personId}`;
    await meta.put({ key, value: change(((await meta.get(key))?.value as Incident[] | undefined) ?? []) });
  });
};

const isDraftId = (id: string) => id.startsWith(draftJournalId(''));
const idsOf = (lines: readonly JournalLine[]) => lines.flatMap((l) => l.ids);

/**
 * Restores rows of the second journal that are missing in the database. Rows that the database has, or whose entries were
 * acknowledged, are left alone. Safe to repeat, because the server knows entries by id. Returns the number of restored entries.
 */
const putBack = async (db: PersonDb, lines: readonly JournalLine[]): Promise<number> => {
  const open = stillOpen(lines);
  if (open.ids.size === 0) return 0;
  return db.transaction('rw', [db.outbox, db.settled, ...sealedTables.map((t) => db.table(t))], async () => {
    const ids = [...open.ids];
    const known = new Set(await db.outbox.where('id').anyOf(ids).keys());
    for (const id of await draftIdsIn(db)) known.add(id);
    for (const id of await db.settled.where('id').anyOf(ids).primaryKeys()) known.add(id);
    const missing = new Set(ids.filter((id) => !known.has(id)));
    if (missing.size === 0) return 0;
    const missingLines = lines.filter((l) => l.kind === 'rows' && l.ids.some((id) => missing.has(id)));
    for (const { table, row } of stillOpen(missingLines).rows) {
      if (table !== 'outbox') await db.table(table).put(row);
      else if (missing.has(String(row.id))) {
        const queuedKeys = await db.outbox.where('id').equals(String(row.id)).primaryKeys();
        // Its position may have been reused.
        const taken = queuedKeys.length === 0 && (await db.outbox.where('n').equals(Number(row.n)).count()) > 0;
        const { n: _n, ...unplaced } = row;
        await db.table('outbox').put(queuedKeys.length > 0 ? { ...row, n: queuedKeys[0] } : taken ? unplaced : row);
      }
    }
    return missing.size;
  });
};

/**
 * Opens a person's store and returns its state. A database lost by the browser is detected by a missing canary while a journal or
 * key still exists, and is restored from the journal. A database written by a newer release, or unreadable, is left untouched:
 * nothing is ever wiped.
 */
export const openStore = async (db: PersonDb): Promise<'ok' | 'locked' | 'too-new' | 'unreadable'> => {
  try {
    await db.open();
    // Dexie multiplies versions by ten.
    if (db.backendDB().version > schemaVersion * 10) return 'too-new';
    const known = await db.kv.where('key').equals('canary').count();
    if (!(await openKey(db.personId))) return 'locked';
    if (known === 0) {
      const lines = await journalOf(db.personId).read();
      const recovered = await putBack(db, lines);
      const dataLoss = dataLossOf(db.name);
      if (recovered > 0 || dataLoss !== null) await noteLoss(db.personId, 'store-lost', recovered, dataLoss);
      await db.kv.put({ key: 'canary', value: `${new Date().toISOString()} ${crypto.randomUUID().slice(0, 4)}` });
    }
    return 'ok';
  } catch (error) {
    return (error as Error).name === 'VersionError' ? 'too-new' : 'unreadable';
  }
};

const noteLoss = (personId: string, kind: Incident['kind'], recovered: number, dataLoss: string | null) =>
  noteIncidents(personId, (before) => [
    ...before,
    { at: new Date().toISOString(), person_id: personId, kind, recovered, data_loss: dataLoss, seen: false },
  ]);

/** Compares journals of earlier tabs with the database, restores what is missing, and deletes finished journals. */
export const checkJournal = async (db: PersonDb): Promise<number> => {
  const journal = journalOf(db.personId);
  const lines = await journal.read();
  // If the store was not lost, a missing draft was saved or discarded.
  const recovered = await putBack(
    db,
    lines.filter((l) => !l.ids.every(isDraftId)),
  );
  if (recovered > 0) await noteLoss(db.personId, 'entries-lost', recovered, null);
  const waiting = new Set<unknown>([...(await db.outbox.orderBy('id').keys()), ...(await draftIdsIn(db))]);
  await journal.tidy(async (line) => idsOf(line).every((id) => !waiting.has(id)));
  return recovered;
};
