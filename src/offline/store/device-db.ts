import Dexie, { type EntityTable } from 'dexie';
import type { KeyRecord } from '#src/offline/keys/key-record.ts';
import { noticedFactory } from '#src/offline/store/noticed-factory.ts';
import { deviceDbName } from '#src/offline/store/person-db-name.ts';

/** A person who has signed in on this device. */
export type PersonRow = { id: string; name: string; email: string; last_at: string };
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

/** Data of the device rather than a person: its id, the people who signed in, and its media files. */
export const deviceDb = (): DeviceDb => {
  if (!db) {
    db = new Dexie(deviceDbName, { chromeTransactionDurability: 'strict', ...noticedFactory() }) as DeviceDb;
    db.version(1).stores({ meta: 'key', people: 'id, last_at', keys: 'person_id', media: 'hash, *pinned_by' });
  }
  return db;
};

/** The `meta` key of the signing key for a person's sealed copies. */
export const signingKeyName = (personId: string): string => `signing-key:${personId}`;

let idCache: string | null = null;
/** This installation's id, created once; it names its time counters. */
export const deviceId = async (): Promise<string> => {
  if (idCache) return idCache;
  const { meta } = deviceDb();
  const fresh = crypto.randomUUID().slice(0, 8);
  idCache = await deviceDb().transaction('rw', meta, async () => {
    const row = await meta.get('device-id');
    if (typeof row?.value === 'string') return row.value;
    await meta.put({ key: 'device-id', value: fresh });
    return fresh;
  });
  return idCache;
};
