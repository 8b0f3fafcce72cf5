import { storedKeys, tellStored, watchStored } from '#src/lib/stored-value.ts';
import { deviceDbName } from '#src/offline/store/person-db-name.ts';

/**
 * Who is signed in here, and what is still to be done about somebody who signed out, is kept twice: browsers write local
 * storage to the disk seconds later, and one that is killed before has forgotten it. The second record is written before
 * anything is said to be available offline; at the start of the app the newer of the two counts.
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

/** Writes the second record whenever one of its values changes. Called once, before anybody can sign in. */
export const keepTwice = (): void => {
  watchStored((key) => {
    if (!keptKeys.includes(key)) return;
    localStorage.setItem(turnKey, String(turnHere() + 1));
    // One that fails is written again before anything is promised.
    void write().catch(() => undefined);
  });
};

/** Sees to it that the second record is as new as the first. Answers whether it is. */
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

/** Takes the values of the second record where the browser has lost newer ones of the first. Answers whether it had. */
export const restoreKept = async (): Promise<boolean> => {
  // On a device that nobody has used, no database is made.
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
