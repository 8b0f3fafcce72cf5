import Dexie, { type EntityTable, type Table } from 'dexie';
import { type StoredMatrix, packStored, unpackStored } from '#contract/matrix/stored-matrix.ts';
import { toHex } from '#contract/rules/bytes.ts';
import { dataKeyOf } from '#src/offline/keys/unlocked.ts';
import { noticedFactory } from '#src/offline/store/noticed-factory.ts';

/**
 * Matrices that this device has received, so that only changes have to be sent the next time. In a separate database, because all of it may be
 * lost at any time: it contains no work. Cells and names are encrypted with the person's key and bound to their place; nothing of other people
 * is kept. Its functions never fail: what cannot be stored or read counts as absent.
 */
export const keptMatricesName = 'lantern-matrices';
/** The matrix of one person; bytes as stored. */
const most = { matrices: 6, bytes: 60_000_000, days: 14 };
const dayMs = 86_400_000;

/** The person, the organisation, and the filter. */
export type MatrixPlace = { person: string; place: string; filter: string };
/** `id` reveals nothing about the filter. `at` in ms since 1970. */
type Kept = { id: string; person: string; place: string; at: number; bytes: number };
type Sealed = { id: string; iv: Uint8Array<ArrayBuffer>; data: ArrayBuffer };
type MatricesDb = Dexie & { kept: EntityTable<Kept, 'id'>; sealed: Table<Sealed, string> };

let db: MatricesDb | null = null;
const matricesDb = (): MatricesDb => {
  if (!db) {
    db = new Dexie(keptMatricesName, noticedFactory()) as MatricesDb;
    db.version(1).stores({ kept: 'id, person', sealed: 'id' });
  }
  return db;
};
const utf8 = new TextEncoder();
const idOf = async ({ person, place, filter }: MatrixPlace): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', utf8.encode(JSON.stringify([person, place, filter]))));
/** Encryption in one go, outside transactions, unlike the rows of work (docs/decisions/008). Null while locked. */
const keyOf = async (person: string): Promise<CryptoKey | null> => {
  const key = dataKeyOf(person);
  return key ? crypto.subtle.importKey('raw', new Uint8Array(key), 'AES-GCM', false, ['encrypt', 'decrypt']) : null;
};
const how = (iv: Uint8Array<ArrayBuffer>, id: string) => ({ name: 'AES-GCM', iv, additionalData: utf8.encode(`matrix:${id}`) });

const drop = (which: (kept: Kept) => boolean): Promise<void> => {
  const { kept, sealed } = matricesDb();
  return matricesDb().transaction('rw', kept, sealed, async () => {
    const ids = (await kept.toArray()).filter(which).map((k) => k.id);
    await kept.bulkDelete(ids);
    await sealed.bulkDelete(ids);
  });
};
const isThere = (): Promise<boolean> => Dexie.exists(keptMatricesName);

/** Removes matrices of other people and other organisations, and old ones. */
export const dropOtherMatrices = async (person: string, place: string, now: number): Promise<void> => {
  if (!(await isThere().catch(() => false))) return;
  await drop((k) => k.person !== person || k.place !== place || Math.abs(now - k.at) > most.days * dayMs).catch(() => undefined);
};
/** Removes all of a person's matrices: they have signed out, or may no longer see matrices. */
export const dropMatricesOf = async (person: string): Promise<void> => {
  if (!(await isThere().catch(() => false))) return;
  await drop((k) => k.person === person).catch(() => undefined);
};

/** The stored matrix, if the person can read it. A damaged one is deleted. */
export const keptMatrix = async (matrixPlace: MatrixPlace, now: number): Promise<StoredMatrix | null> => {
  try {
    await dropOtherMatrices(matrixPlace.person, matrixPlace.place, now);
    const key = await keyOf(matrixPlace.person);
    if (!key || !(await isThere())) return null;
    const id = await idOf(matrixPlace);
    const row = await matricesDb().sealed.get(id);
    if (!row) return null;
    const opened = await crypto.subtle.decrypt(how(row.iv, id), key, row.data).catch(() => null);
    const had = opened && unpackStored(opened);
    if (!had) await drop((k) => k.id === id);
    return had;
  } catch {
    return null;
  }
};

/** Stores a matrix, replacing the oldest if there are many. */
export const keepMatrix = async (matrixPlace: MatrixPlace, matrix: StoredMatrix, now: number, room = most): Promise<void> => {
  try {
    const { person, place } = matrixPlace;
    const key = await keyOf(person);
    const bytes = packStored(matrix);
    if (!key || bytes.length > room.bytes) return;
    const id = await idOf(matrixPlace);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const data = await crypto.subtle.encrypt(how(iv, id), key, bytes);
    const { kept, sealed } = matricesDb();
    await dropOtherMatrices(person, place, now);
    const others = (await kept.where('person').equals(person).toArray()).filter((k) => k.id !== id).sort((a, b) => b.at - a.at);
    let left = room.bytes - data.byteLength;
    const tooMany = others.filter((k, i) => {
      left -= k.bytes;
      return i + 1 >= room.matrices || left < 0;
    });
    await drop((k) => tooMany.some((t) => t.id === k.id));
    await matricesDb().transaction('rw', kept, sealed, async () => {
      // They have signed out or locked the device in the meantime.
      if (!dataKeyOf(person)) return;
      await kept.put({ id, person, place, at: now, bytes: data.byteLength });
      await sealed.put({ id, iv, data });
    });
  } catch {
    // A full disk, or a browser that stores nothing: the next time everything is sent.
  }
};
