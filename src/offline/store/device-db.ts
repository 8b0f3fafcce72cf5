import Dexie, { type EntityTable } from 'dexie';
import type { KeyRecord } from '#src/offline/keys/key-record.ts';
import { localStore } from '#src/offline/store/local-store.ts';
import { noteRestored, noticedFactory, wasClosedByBrowser } from '#src/offline/store/noticed-factory.ts';
import { deviceDbName } from '#src/offline/store/person-db-name.ts';

/** A person who has signed in on this device: their id, and never their name or address, which would outlive their signing out. */
export type PersonRow = { id: string; last_at: string };
/** A media file on this device, and the people who need it. Size in bytes. */
export type MediaRow = { hash: string; url: string; bytes: number; pinned_by: string[]; used_at: string };
export type MetaRow = { key: string; value: unknown };

export type DeviceDb = Dexie & {
  meta: EntityTable<MetaRow, 'key'>;
  people: EntityTable<PersonRow, 'id'>;
  keys: EntityTable<KeyRecord, 'person_id'>;
  media: EntityTable<MediaRow, 'hash'>;
};

let db: DeviceDb | null = null;

const againMs = 3000;
/** Opens a database that the browser has closed, until it is open or no longer wanted: a failed attempt would otherwise be final. */
export const openAgain = (closed: Dexie, isWanted: () => boolean, onFailed: () => void = () => undefined): void => {
  if (!isWanted() || closed.isOpen()) return;
  closed.open().catch(() => {
    onFailed();
    setTimeout(() => openAgain(closed, isWanted, onFailed), againMs);
  });
};

const restorers = new Set<(device: DeviceDb) => Promise<void>>();
/** Adds what is to be written again, before anything else can read it, when the browser has emptied this database under the page. */
export const restoreDevice = (restorer: (device: DeviceDb) => Promise<void>): void => void restorers.add(restorer);
const restore = async (device: DeviceDb): Promise<void> => {
  if (!wasClosedByBrowser(deviceDbName)) return;
  try {
    for (const restorer of restorers) await restorer(device);
    noteRestored(deviceDbName);
  } catch {
    // The disk is full: the database stays open, and a key is written with the work that needs it.
  }
};

/** Data of the device rather than a person: its id, the people who signed in, and its media files. */
export const deviceDb = (): DeviceDb => {
  if (!db) {
    db = new Dexie(deviceDbName, { chromeTransactionDurability: 'strict', ...noticedFactory() }) as DeviceDb;
    db.version(1).stores({ meta: 'key', people: 'id, last_at', keys: 'person_id', media: 'hash, *pinned_by' });
    const own = db;
    own.on('ready', (reopened?: Dexie) => (reopened ? restore(reopened as DeviceDb) : undefined), true);
    // Opened again at once, before a page that is loaded meanwhile takes the device for a new one.
    own.on('close', () => setTimeout(() => openAgain(own, () => wasClosedByBrowser(deviceDbName))));
  }
  return db;
};

/** The `meta` key of the signing key for a person's sealed copies. */
export const signingKeyName = (personId: string): string => `signing-key:${personId}`;

const idRow = 'device-id';
/** Survives in local storage when the browser empties the site's databases: it is still the same device. */
const rememberedId = () => localStore()?.getItem(idRow) ?? null;
let idCache: string | null = null;
/** This installation's id, created once; it names its time counters. */
export const deviceId = async (): Promise<string> => {
  if (idCache) return idCache;
  const { meta } = deviceDb();
  const fresh = rememberedId() ?? crypto.randomUUID().slice(0, 8);
  const id = await deviceDb().transaction('rw', meta, async () => {
    const row = await meta.get(idRow);
    if (typeof row?.value === 'string') return row.value;
    await meta.put({ key: idRow, value: fresh });
    return fresh;
  });
  idCache = id;
  localStore()?.setItem(idRow, id);
  return id;
};

restoreDevice(async ({ meta }) => {
  if (idCache && !(await meta.get(idRow))) await meta.put({ key: idRow, value: idCache });
});
