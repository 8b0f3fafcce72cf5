import type Dexie from 'dexie';
import { closeJournal, journalOf } from '#src/offline/journal/journal.ts';
import { heldIds, heldLines, holdLine } from '#src/offline/journal/held-lines.ts';
import { type JournalLine, stillOpen } from '#src/offline/journal/journal-format.ts';
import { restoreKeyRecord } from '#src/offline/keys/key-record.ts';
import { openKey } from '#src/offline/keys/keyring.ts';
import { dataKeyOf } from '#src/offline/keys/unlocked.ts';
import { deviceDb, openAgain } from '#src/offline/store/device-db.ts';
import { noteNeverCame } from '#src/offline/store/never-came.ts';
import { dataLossOf, noteRestored, wasClosedByBrowser } from '#src/offline/store/noticed-factory.ts';
import { draftFilePrefix, draftIdsIn, draftJournalId, draftPrefix, isOpen, type PersonDb, schemaVersion } from '#src/offline/store/person-db.ts';
import { openRow, sealedTables, storedRow } from '#src/offline/store/sealed-rows.ts';
import { unsentMarkOf } from '#src/offline/store/unsent-mark.ts';

/**
 * A store lost by the browser, and what was recovered; reported to the person, and to the server at the next contact. `lost`: entries
 * that were waiting and could not be recovered.
 */
export type Incident = {
  at: string;
  person_id: string;
  kind: 'store-lost' | 'entries-lost';
  recovered: number;
  lost?: number;
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

/** Stores whose loss under this page would be noticed. */
const watched = new WeakSet<PersonDb>();

/**
 * What an open page still holds after the browser has emptied the device's storage. `waiting`: entries that could not be written again
 * so far, which exist only in this page. Null: nothing is known to be lost.
 */
export type Emptied = { personId: string; waiting: readonly string[] };
let emptied: Emptied | null = null;
const listeners = new Set<() => void>();
export const emptiedStore = (): Emptied | null => emptied;
/** Called when the browser has emptied the storage under this page, and when its work has been written again. */
export const whenEmptied = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
let times = 0;
/** How often the browser has emptied the storage under this page, or its work was written again. */
export const emptiedTimes = (): number => times;
const tellEmptied = (next: Emptied | null) => {
  emptied = next;
  times++;
  for (const listener of listeners) listener();
};

const canary = () => ({ key: 'canary', value: `${new Date().toISOString()} ${crypto.randomUUID().slice(0, 4)}` });
const hasCanary = async (db: PersonDb) => (await db.kv.where('key').equals('canary').count()) > 0;
const isEntryId = (id: string) => !isDraftId(id);

/** Writes everything that this page holds of a person into an emptied store: their key, unsent entries and drafts. */
const writeAgain = async (db: PersonDb): Promise<void> => {
  await restoreKeyRecord(db.personId);
  const waiting = heldIds(db.personId).filter(isEntryId);
  const lines = heldLines(db.personId);
  const recovered = await putBack(db, lines);
  // The journal's file went with the rest.
  closeJournal(db.personId);
  for (const line of lines) void journalOf(db.personId).append(line);
  const there = new Set<unknown>(await db.outbox.orderBy('id').keys());
  const lost = waiting.filter((id) => !there.has(id));
  await noteNeverCame(
    db.personId,
    lost.map((id) => ({ id, at: new Date().toISOString() })),
  );
  await noteLoss(db.personId, 'store-lost', recovered, 'emptied', lost.length);
  await db.kv.put(canary());
  noteRestored(db.name);
  tellEmptied(null);
  setTimeout(() => void secureAgain(db.personId), settledMs);
};
/** The browser may still be emptying private files while the database is back: key and journal are written once more. */
const settledMs = 3000;
const secureAgain = async (personId: string): Promise<void> => {
  await restoreKeyRecord(personId).catch(() => undefined);
  closeJournal(personId);
  for (const line of heldLines(personId)) void journalOf(personId).append(line);
};

const againMs = 3000;
/** Called whenever the store is opened again in this page, before anything else can read it. */
const lookAfterReopening = async (db: PersonDb): Promise<void> => {
  if (!wasClosedByBrowser(db.name)) return;
  if (await hasCanary(db)) return noteRestored(db.name);
  // The key is discarded while the person is locked: their work is written again when they unlock.
  if (!dataKeyOf(db.personId)) return;
  try {
    await writeAgain(db);
  } catch {
    // The disk is still full, or the store cannot be written: the page says so, and tries again for as long as it is open.
    tellEmptied({ personId: db.personId, waiting: heldIds(db.personId).filter(isEntryId) });
    tryLater(db);
  }
};
let later: ReturnType<typeof setTimeout> | undefined;
const tryLater = (db: PersonDb) => {
  clearTimeout(later);
  later = setTimeout(() => void tryWritingAgain(db), againMs);
};
/** Tries to write again what only this page holds. Returns whether everything is written. */
export const tryWritingAgain = async (db: PersonDb): Promise<boolean> => {
  if (!emptied || emptied.personId !== db.personId || !isOpen(db)) return true;
  try {
    await writeAgain(db);
    return true;
  } catch {
    tryLater(db);
    return false;
  }
};

/** The unsent entries that this page holds, readable, for a copy that the person takes away. */
export const heldEntries = (personId: string): object[] =>
  heldLines(personId).flatMap(({ rows }) =>
    rows.filter(({ table }) => table === 'outbox').map(({ row }) => ({ ...openRow(() => dataKeyOf(personId) ?? new Uint8Array(), 'outbox', row) })),
  );

const watch = (db: PersonDb): void => {
  if (watched.has(db)) return;
  watched.add(db);
  // While it is open already, nothing is passed.
  db.on('ready', (reopened?: Dexie) => (reopened ? lookAfterReopening(reopened as PersonDb) : undefined), true);
  // Opened again at once, so that a loss is noticed when it happens.
  db.on('close', () =>
    setTimeout(() =>
      openAgain(
        db,
        () => isOpen(db) && wasClosedByBrowser(db.name),
        () => tellEmptied({ personId: db.personId, waiting: heldIds(db.personId).filter(isEntryId) }),
      ),
    ),
  );
};

/** Holds in memory what is waiting, because it may have been written by an earlier page. */
const holdWhatWaits = async (db: PersonDb): Promise<void> => {
  const known = new Set(heldIds(db.personId));
  for (const entry of await db.outbox.toArray())
    if (!known.has(entry.id)) holdLine(db.personId, { kind: 'rows', ids: [entry.id], rows: [{ table: 'outbox', row: storedRow(entry) }] });
  for (const draft of await db.kv.where('key').startsWithAnyOf(draftPrefix, draftFilePrefix).toArray()) {
    const id = draftJournalId(draft.key);
    if (!known.has(id)) holdLine(db.personId, { kind: 'rows', ids: [id], rows: [{ table: 'kv', row: storedRow(draft) }] });
  }
};

/** What waited according to the note in local storage and is not in the store, after it was found to be lost. */
const missingSince = async (db: PersonDb): Promise<{ id: string; at: string }[]> => {
  const mark = unsentMarkOf(db.personId);
  if (!mark) return [];
  const known = new Set<unknown>([...(await db.outbox.orderBy('id').keys()), ...(await db.settled.toCollection().primaryKeys())]);
  return mark.ids.filter((id) => !known.has(id)).map((id) => ({ id, at: mark.at }));
};

/**
 * Opens a person's store and returns its state. A database lost by the browser is detected by a missing canary while a journal, a key
 * or a note of waiting work still exists, and is restored from the journal and from this page's memory; what cannot be restored is
 * listed. A database written by a newer release, or unreadable, is left untouched: nothing is ever wiped.
 */
export const openStore = async (db: PersonDb): Promise<'ok' | 'locked' | 'too-new' | 'unreadable'> => {
  try {
    await db.open();
    // Dexie multiplies versions by ten.
    if (db.backendDB().version > schemaVersion * 10) return 'too-new';
    const known = await hasCanary(db);
    if (!(await openKey(db.personId))) return 'locked';
    if (!known) {
      const lines = [...(await journalOf(db.personId).read()), ...heldLines(db.personId)];
      const recovered = await putBack(db, lines);
      const dataLoss = dataLossOf(db.name);
      const missing = await missingSince(db);
      await noteNeverCame(db.personId, missing);
      if (recovered > 0 || missing.length > 0 || dataLoss !== null) await noteLoss(db.personId, 'store-lost', recovered, dataLoss, missing.length);
      await db.kv.put(canary());
    }
    watch(db);
    await holdWhatWaits(db);
    return 'ok';
  } catch (error) {
    return (error as Error).name === 'VersionError' ? 'too-new' : 'unreadable';
  }
};

const noteLoss = (personId: string, kind: Incident['kind'], recovered: number, dataLoss: string | null, lost = 0) =>
  noteIncidents(personId, (before) => [
    ...before,
    { at: new Date().toISOString(), person_id: personId, kind, recovered, lost, data_loss: dataLoss, seen: false },
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
