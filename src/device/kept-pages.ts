import type { DashboardId } from '#contract/dashboard-titles.ts';
import { currentActingAs, currentUser } from '#src/access/session.ts';
import { correctedNow } from '#src/offline/clock.ts';
import { personDb } from '#src/offline/store/person-db.ts';

/**
 * The person's own pages (training record, courses for submitting a certificate, pathways, bookings, lists of session documents, keys of check-in
 * codes, inspection packs, arrangements of dashboards) as last opened online, for offline use. Encrypted with the person's other data, and deleted at sign-out.
 */
export type KeptPage<T> = { at: string; value: T };
export type KeptName =
  | 'own-record'
  | 'own-courses'
  | 'own-pathways'
  | 'own-bookings'
  | `pathway:${string}`
  | `check-in-key:${string}`
  | `inspection:${string}`
  | `session-documents:${string}`
  | `dashboard:${DashboardId}`;
const keyOf = (name: KeptName) => `page:${name}`;

/** Stores a page's data; null deletes it. Pages seen while acting for another organisation are not stored. */
export const keepPage = async (name: KeptName, value: object | null): Promise<void> => {
  const user = currentUser();
  if (!user || currentActingAs()) return;
  const { kv } = personDb(user.uuid);
  await (value === null ? kv.delete(keyOf(name)) : kv.put({ key: keyOf(name), value: { at: correctedNow().toISOString(), value } }));
};

/** The stored data of a page; null if it was not opened here, or while acting for another organisation. */
export const keptPage = async <T>(name: KeptName): Promise<KeptPage<T> | null> => {
  const user = currentUser();
  if (!user || currentActingAs()) return null;
  return ((await personDb(user.uuid).kv.get(keyOf(name)))?.value as KeptPage<T> | undefined) ?? null;
};

/** All stored pages whose names have this prefix. */
export const keptPages = async <T>(begins: 'inspection:'): Promise<KeptPage<T>[]> => {
  const user = currentUser();
  if (!user || currentActingAs()) return [];
  const rows = await personDb(user.uuid).kv.where('key').startsWith(`page:${begins}`).toArray();
  return rows.map((row) => row.value as KeptPage<T>);
};
