import { deviceDb } from '#src/offline/store/device-db.ts';

/** Work that was saved on this device, is no longer on it, and has not reached the server. `at`: when it was known to be here. */
export type NeverCame = { id: string; at: string; seen: boolean };

const keyOf = (personId: string) => `never-came-${personId}`;
export const neverCame = async (personId: string): Promise<NeverCame[]> =>
  ((await deviceDb().meta.get(keyOf(personId)))?.value as NeverCame[] | undefined) ?? [];

const most = 500;
/** Changes the list in one transaction. An empty list is not stored. */
const change = async (personId: string, next: (before: NeverCame[]) => NeverCame[]): Promise<void> => {
  const { meta } = deviceDb();
  await deviceDb().transaction('rw', meta, async () => {
    const before = ((await meta.get(keyOf(personId)))?.value as NeverCame[] | undefined) ?? [];
    const after = next(before).slice(-most);
    if (after.length > 0) await meta.put({ key: keyOf(personId), value: after });
    else if (before.length > 0) await meta.delete(keyOf(personId));
  });
};

/** Adds work of which this device or the server knew; what is listed already stays as it is. */
export const noteNeverCame = (personId: string, items: readonly { id: string; at: string }[]): Promise<void> =>
  change(personId, (before) => {
    const known = new Set(before.map(({ id }) => id));
    return [...before, ...items.filter(({ id }) => !known.has(id)).map(({ id, at }) => ({ id, at, seen: false }))];
  });
/** Removes what has turned up after all. */
export const cameAfterAll = (personId: string, ids: ReadonlySet<string>): Promise<void> =>
  change(personId, (before) => before.filter(({ id }) => !ids.has(id)));
export const seenNeverCame = (personId: string): Promise<void> => change(personId, (before) => before.map((item) => ({ ...item, seen: true })));
