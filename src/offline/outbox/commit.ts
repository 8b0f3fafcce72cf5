import Dexie, { type Table } from 'dexie';
import { skewMs } from '#src/offline/clock.ts';
import { journalOf } from '#src/offline/journal/journal.ts';
import { giveUpOne } from '#src/offline/media/budget.ts';
import { mayMerge, mergeEntry } from '#src/offline/outbox/merge-entry.ts';
import type { Entry, NewEntry } from '#src/offline/ports.ts';
import type { PersonDb } from '#src/offline/store/person-db.ts';
import { logWrites, type RowWrite } from '#src/offline/store/sealed-rows.ts';

/** Thrown when a change could not be stored: the form stays open and says so. */
export class NotSaved extends Error {
  readonly reason: 'full' | 'closed';
  constructor(reason: 'full' | 'closed', cause: unknown) {
    super(reason === 'full' ? 'This device is full.' : 'The store on this device cannot be written.', { cause });
    this.reason = reason;
  }
}

const listeners = new Set<() => void>();
/** Called after every commit, so that sending can start. */
export const whenCommitted = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

let journalled: boolean | null = null;
const noteJournal = (ok: boolean) => {
  journalled = ok;
};
/** Whether the last commit has its second copy; null before the first. */
export const hasSecondCopy = (): boolean | null => journalled;

/** How many course files give way to one thing that somebody did. */
const mostGivenUp = 3;

const isFull = (error: unknown): boolean => {
  for (let e = error as { name?: string; inner?: unknown } | undefined; e; e = e.inner as typeof e) if (e.name === 'QuotaExceededError') return true;
  return false;
};

/** What a failure of the store means for the person. */
export const notSaved = (error: unknown): NotSaved => (error instanceof NotSaved ? error : new NotSaved(isFull(error) ? 'full' : 'closed', error));

/**
 * Where this tab has put unsent entries that may still grow. A hint only: what it does not know is simply not joined, so
 * it need not be right about other tabs, and the entry itself is read again before anything is joined to it.
 */
const places = new WeakMap<PersonDb, Map<string, number>>();
const placesOf = (db: PersonDb): Map<string, number> => {
  const kept = places.get(db);
  if (kept && kept.size < 500) return kept;
  const fresh = new Map<string, number>();
  places.set(db, fresh);
  return fresh;
};

/** The last place that a commit of this tab was given: the next one is most likely the one after it. */
const lastPlaces = new WeakMap<PersonDb, number>();
/** The rows with the places that new entries will most likely get; null where there is nothing to go by. */
const foreseen = (db: PersonDb, log: readonly RowWrite[]): RowWrite[] | null => {
  const last = lastPlaces.get(db);
  if (last === undefined) return null;
  let next = last;
  return log.map(({ table, row }) => ({ table, row: table === 'outbox' && row.n === undefined ? { ...row, n: ++next } : { ...row } }));
};
const placesIn = (log: readonly RowWrite[]) => log.map(({ row }) => String(row.n)).join();

/**
 * The only way in which the product writes on a device: the change to what the person sees and the entry that will be
 * sent are one transaction, and this resolves when that transaction is on the disk and its line in the second journal
 * too. From then on, and not before, the screen may say *Saved on this device*.
 *
 * `change` may use the given tables only; nothing else may be awaited in it. What an entry says of what lies in them is
 * read in the same transaction: `entries` is a function then, and no two tabs count from the same number. `gone` names
 * entries that are taken out of the outbox; `atOnce` says that `change` begins all its writes when it is called, so that
 * the line need not wait for them either. Throws NotSaved when nothing was written.
 */
export const commit = async (
  db: PersonDb,
  actor: string,
  tables: Table[],
  entries: readonly NewEntry[] | (() => Promise<readonly NewEntry[]>),
  change: () => unknown,
  { gone = [], atOnce = false }: { gone?: readonly string[]; atOnce?: boolean } = {},
): Promise<void> => {
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
      // It could never be sent from here: a person's store holds what they did themselves.
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
      // Where an entry could not be written the change fails with it, and is said once.
      void Promise.resolve(changed).catch(() => undefined);
      const append = (rows: RowWrite[]): Promise<boolean> | null => {
        const ids = [...new Set(rows.filter((w) => w.table === 'outbox').map((w) => String(w.row.id)))];
        return ids.length > 0 ? journal.append({ kind: 'rows', ids, rows, ...(given > 0 ? { again: true } : {}) }) : null;
      };
      // The line is written while the transaction is being completed; what is said waits for both.
      const early = atOnce ? foreseen(db, log) : null;
      line = early && append(early);
      await Promise.all([...placed, changed]);
      // Another tab has written in between: the line is written again as it has turned out.
      if (!early || placesIn(early) !== placesIn(log)) line = append(log);
      for (const { table, row } of log) if (table === 'outbox') lastPlaces.set(db, Math.max(lastPlaces.get(db) ?? 0, Number(row.n)));
    });
  for (;;) {
    try {
      await write();
      break;
    } catch (error) {
      // What was not saved must not come back. An older entry that it would have been joined to keeps its lines.
      if (line) void journal.append({ kind: 'gone', ids: made.map((e) => e.id) });
      // A full disk: course files give way to what a person did, one after the other.
      if (given++ < mostGivenUp && isFull(error) && (await giveUpOne().catch(() => false))) continue;
      throw notSaved(error);
    }
  }
  if (line) noteJournal(await line);
  if (gone.length > 0) void journal.append({ kind: 'gone', ids: [...gone] });
  for (const listener of listeners) listener();
};
