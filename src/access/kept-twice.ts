import { storedKeys, tellStored, watchStored } from '#src/lib/stored-value.ts';
import { deviceDbName } from '#src/offline/store/person-db-name.ts';

/**
 * The signed-in person, and the remaining steps of a sign-out, are stored twice: browsers write local storage to disk
 * seconds later, and lose it if they are killed before. The second copy is written before anything is shown as available
 * offline; when the app starts, the newer copy counts.
 */
const keptKeys: readonly string[] = storedKeys.keptTwice;
const turnKey = 'keptTurn';
const rowKey = 'kept-twice';

type Kept = { turn: number; values: Record<string, string | null> };

const turnHere = (): number => Number(localStorage.getItem(turnKey)) || 0;
const deviceMeta = async () => (await import('#src/offline/store/device-db.ts')).deviceDb().meta;
const rowOf = (value: unknown): Kept | null => (value as Kept | undefined) ?? null;

const write = async (): Promise<void> => {
  const meta = await deviceMeta();
  const kept: Kept = { turn: turnHere(), values: Object.fromEntries(keptKeys.map((key) => [key, localStorage.getItem(key)])) };
  await meta.db.transaction('rw', meta, async () => {
    const row = rowOf((await meta.get(rowKey))?.value);
    if (!row || row.turn <= kept.turn) await meta.put({ key: rowKey, value: kept });
  });
};

/** Writes the second copy whenever one of its values changes. Called once, before anyone can sign in. */
export const keepTwice = (): void => {
  watchStored((key) => {
    if (!keptKeys.includes(key)) return;
    localStorage.setItem(turnKey, String(turnHere() + 1));
    // A failed write is repeated before anything is shown as available offline.
    void write().catch(() => undefined);
  });
};

/** Brings the second copy up to date. Returns whether it is. */
export const isKeptTwice = async (): Promise<boolean> => {
  try {
    const turn = turnHere();
    const row = rowOf((await (await deviceMeta()).get(rowKey))?.value);
    if (!row || row.turn < turn) await write();
    return true;
  } catch {
    return false;
  }
};

/** Restores values from the second copy if the browser lost newer ones. Returns whether it did. */
export const restoreKept = async (): Promise<boolean> => {
  // Creates no database on a device that nobody has used.
  const known = await indexedDB.databases?.();
  if (known && !known.some(({ name }) => name === deviceDbName)) return false;
  const row = rowOf((await (await deviceMeta()).get(rowKey))?.value);
  if (!row || row.turn <= turnHere()) return false;
  for (const [key, text] of Object.entries(row.values)) {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  }
  localStorage.setItem(turnKey, String(row.turn));
  tellStored();
  return true;
};
