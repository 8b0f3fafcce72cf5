import { deleteKeptFile } from '#src/offline/media/package-keeper.ts';
import { deviceDb, type MediaRow } from '#src/offline/store/device-db.ts';

/**
 * How much space course files may use. People's work comes first: at least half of the browser's quota is left for it, and when
 * the disk is full, course files are evicted.
 */
const budgetKey = 'media-budget';
export const defaultBudget = 1_000_000_000;
const shareOfQuota = 0.5;
/** Files of people absent for longer than this are evicted first. */
const awayMs = 14 * 86_400_000;
const hourMs = 3_600_000;

/** The budget in bytes. */
export const mediaBudget = async (): Promise<number> => {
  const chosenBytes = (await deviceDb().meta.get(budgetKey))?.value;
  const quota = (await globalThis.navigator?.storage?.estimate?.().catch(() => null))?.quota;
  return Math.min(typeof chosenBytes === 'number' ? chosenBytes : defaultBudget, quota ? quota * shareOfQuota : Number.POSITIVE_INFINITY);
};
export const setMediaBudget = async (bytes: number): Promise<void> => {
  await deviceDb().meta.put({ key: budgetKey, value: bytes });
};
export const mediaUsed = async (): Promise<number> => (await deviceDb().media.toArray()).reduce((sum, m) => sum + m.bytes, 0);

/** Records the use of a file, at most once an hour, for least-recently-used eviction. */
export const noteMediaUse = async (url: string): Promise<void> => {
  const { media } = deviceDb();
  const row = await media
    .filter((m) => m.url === url)
    .first()
    .catch(() => undefined);
  if (row && Date.now() - Date.parse(row.used_at) > hourMs)
    await media.update(row.hash, { used_at: new Date().toISOString() }).catch(() => undefined);
};

const remove = async (row: MediaRow) => {
  await deleteKeptFile(row.url);
  await deviceDb().media.delete(row.hash);
};

/** Files that may be evicted without asking: unpinned, or pinned only by absent people; least recently used first. */
const evictable = async (): Promise<MediaRow[]> => {
  const { media, people } = deviceDb();
  const activePeople = new Set((await people.toArray()).filter((p) => Date.now() - Date.parse(p.last_at) < awayMs).map((p) => p.id));
  const rows = (await media.toArray()).filter((m) => !m.pinned_by.some((p) => activePeople.has(p)));
  return rows.sort((a, b) => (a.used_at < b.used_at ? -1 : 1));
};

/** Thrown if a download exceeds the budget even after eviction. */
export class OverBudget extends Error {
  readonly missingBytes: number;
  constructor(missingBytes: number) {
    super('The space for courses on this device is used up.');
    this.missingBytes = missingBytes;
  }
}

/** Evicts files until this many bytes fit into the budget; throws OverBudget if impossible. */
export const makeRoom = async (bytes: number): Promise<void> => {
  const budget = await mediaBudget();
  let used = await mediaUsed();
  if (used + bytes <= budget) return;
  for (const row of await evictable()) {
    await remove(row);
    used -= row.bytes;
    if (used + bytes <= budget) return;
  }
  throw new OverBudget(used + bytes - budget);
};

/** For a full disk: evicts the least recently used course file, even if pinned. Returns whether there was one. */
export const giveUpOne = async (): Promise<boolean> => {
  const rows = [...(await evictable()), ...(await deviceDb().media.orderBy('hash').toArray()).sort((a, b) => (a.used_at < b.used_at ? -1 : 1))];
  const row = rows[0];
  if (!row) return false;
  await remove(row);
  return true;
};
