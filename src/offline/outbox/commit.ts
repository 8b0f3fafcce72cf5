import Dexie, { type Table } from 'dexie';
import { skewMs } from '#src/offline/clock.ts';
import { journalOf } from '#src/offline/journal/journal.ts';
import { giveUpOne } from '#src/offline/media/budget.ts';
import { mayMerge, mergeEntry } from '#src/offline/outbox/merge-entry.ts';
import type { Entry, NewEntry } from '#src/offline/ports.ts';
import { askQuietly } from '#src/offline/store/persistence.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';
import { logWrites, type RowWrite } from '#src/offline/store/sealed-rows.ts';

/** Thrown if a change could not be stored: the form stays open and says so. */
export class NotSaved extends Error {
  readonly reason: 'full' | 'closed';
  constructor(reason: 'full' | 'closed', cause: unknown) {
    super(reason === 'full' ? 'This device is full.' : 'The store on this device cannot be written.', { cause });
    this.reason = reason;
  }
}

const listeners = new Set<() => void>();
/** Subscribes to commits, so that sending can start. */
export const whenCommitted = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

type AskedListener = (db: PersonDb, lane: string) => unknown;
const askedListeners = new Set<AskedListener>();
/** Called when this page has put a question to the person. */
export const whenAsked = (listener: AskedListener) => {
  askedListeners.add(listener);
  return () => askedListeners.delete(listener);
};
export const tellAsked = (db: PersonDb, lane: string) => Promise.all([...askedListeners].map((listener) => listener(db, lane)));

/** Writes that have begun and are not yet on disk, in this page. */
let saving = 0;
const savingListeners = new Set<() => void>();
export const savingNow = (): number => saving;
export const whenSaving = (listener: () => void): (() => void) => {
  savingListeners.add(listener);
  return () => savingListeners.delete(listener);
};
const countSaving = (by: 1 | -1) => {
  saving += by;
  for (const listener of savingListeners) listener();
};
/** Counts a write until it is on disk or has failed. Every way of writing a person's work or draft goes through it. */
export const whileSaving = async <T>(write: () => Promise<T>): Promise<T> => {
  countSaving(1);
  try {
    return await write();
  } finally {
    countSaving(-1);
  }
};

let journalled: boolean | null = null;
const noteJournal = (ok: boolean) => {
  journalled = ok;
};
/** Whether the last commit is in the second journal; null before the first. */
export const hasSecondCopy = (): boolean | null => journalled;

/** Maximum number of course files evicted for one change. */
const mostGivenUp = 3;

const isFull = (error: unknown): boolean => {
  for (let e = error as { name?: string; inner?: unknown } | undefined; e; e = e.inner as typeof e) if (e.name === 'QuotaExceededError') return true;
  return false;
};

/** The error to show for a store failure. */
export const notSaved = (error: unknown): NotSaved => (error instanceof NotSaved ? error : new NotSaved(isFull(error) ? 'full' : 'closed', error));

/**
 * Positions of this tab's unsent entries that may still be merged into. Only a hint: unknown ones are not merged, and the entry
 * itself is read again before merging, so other tabs do not matter.
 */
const places = new WeakMap<PersonDb, Map<string, number>>();
const placesOf = (db: PersonDb): Map<string, number> => {
  const kept = places.get(db);
  if (kept && kept.size < 500) return kept;
  const fresh = new Map<string, number>();
  places.set(db, fresh);
  return fresh;
};

/** The last position assigned to this tab; the next is most likely one higher. */
const lastPlaces = new WeakMap<PersonDb, number>();
/** The rows with the positions that new entries will most likely get; null if unknown. */
const foreseen = (db: PersonDb, log: readonly RowWrite[]): RowWrite[] | null => {
  const last = lastPlaces.get(db);
  if (last === undefined) return null;
  let next = last;
  return log.map(({ table, row }) => ({ table, row: table === 'outbox' && row.n === undefined ? { ...row, n: ++next } : { ...row } }));
};
const placesIn = (log: readonly RowWrite[]) => log.map(({ row }) => String(row.n)).join();

/**
 * The only way the product writes on a device: the visible change and the entry to be sent are one transaction. Resolves when
 * that transaction and its line in the second journal are on disk; only then may the screen say *Saved on this device*. `change`
 * may use only the given tables and await nothing else. If entries depend on stored data, `entries` is a function that reads it
 * in the same transaction, so that two tabs cannot count from the same number. `gone`: entries removed from the outbox. `atOnce`:
 * `change` starts all its writes synchronously, so the journal line need not wait for them. Throws NotSaved if nothing was
 * written.
 */
export const commit = async (
  db: PersonDb,
  actor: string,
  tables: Table[],
  entries: readonly NewEntry[] | (() => Promise<readonly NewEntry[]>),
  change: () => unknown,
  { gone = [], atOnce = false }: { gone?: readonly string[]; atOnce?: boolean } = {},
): Promise<void> => {
  askQuietly();
  const actingAs = null;
  const known = placesOf(db);
  const journal = journalOf(db.personId);
  let log: RowWrite[] = [];
  let line: Promise<boolean> | null = null;
  let given = 0;
  let made: readonly NewEntry[] = [];
  const write = () =>
    db.transaction('rw', [db.outbox, ...tables], async () => {
      log = logWrites((Dexie.currentTransaction as unknown as { idbtrans: object }).idbtrans);
      made = typeof entries === 'function' ? await entries() : entries;
      // A person's store contains only their own work; anything else could never be sent from it.
      if (made.length > 0 && actor !== db.personId) throw new Error('an entry in another person’s name');
      const placed: PromiseLike<unknown>[] = [];
      for (const entry of made) {
        const { dependsOn = [], baseRev = null, join: _, ...rest } = entry;
        const n = entry.mergeKey === null ? undefined : known.get(entry.mergeKey);
        const older = n === undefined ? undefined : await db.outbox.get(n);
        if (older && mayMerge(older) && older.mergeKey === entry.mergeKey) {
          placed.push(db.outbox.put({ ...older, ...mergeEntry(older, entry) }));
          continue;
        }
        const added = db.outbox[rest.n === undefined ? 'add' : 'put']({
          ...rest,
          dependsOn,
          baseRev,
          version: 1,
          actor,
          actingAs,
          skewMs: skewMs(),
          state: 'waiting',
          tries: 0,
          nextAt: 0,
          trouble: null,
        } as unknown as Entry);
        const { mergeKey } = entry;
        placed.push(mergeKey === null ? added : added.then((place) => known.set(mergeKey, place)));
      }
      const changed = change();
      // If an entry cannot be written, the change fails too; this prevents a second, unhandled error.
      void Promise.resolve(changed).catch(() => undefined);
      const append = (rows: RowWrite[]): Promise<boolean> | null => {
        const ids = [...new Set(rows.filter((w) => w.table === 'outbox').map((w) => String(w.row.id)))];
        return ids.length > 0 ? journal.append({ kind: 'rows', ids, rows, ...(given > 0 ? { again: true } : {}) }) : null;
      };
      // The journal line is written while the transaction completes; both are awaited.
      const early = atOnce ? foreseen(db, log) : null;
      line = early && append(early);
      await Promise.all([...placed, changed]);
      // Another tab has written meanwhile, so the line is written again with the actual positions.
      if (!early || placesIn(early) !== placesIn(log)) line = append(log);
      for (const { table, row } of log) if (table === 'outbox') lastPlaces.set(db, Math.max(lastPlaces.get(db) ?? 0, Number(row.n)));
    });
  for (;;) {
    try {
      await whileSaving(write);
      break;
    } catch (error) {
      // What was not saved must not be restored. An older entry that it would have been merged into keeps its lines.
      if (line) void journal.append({ kind: 'gone', ids: made.map((e) => e.id) });
      // On a full disk, course files are evicted one by one.
      if (given++ < mostGivenUp && isFull(error) && (await giveUpOne().catch(() => false))) continue;
      throw notSaved(error);
    }
  }
  const written = line as Promise<boolean> | null;
  if (written) noteJournal(await whileSaving(() => written));
  if (gone.length > 0) void journal.append({ kind: 'gone', ids: [...gone] });
  for (const listener of listeners) listener();
};
