import { personDbName, personDbPrefix } from '#src/offline/store/person-db-name.ts';

/**
 * Counts other people's unsent work on this device, for the sign-in screen, without decrypting it or loading the database
 * library. Zero if the browser cannot list its databases.
 */
export const waitingHere = async (except: string | null): Promise<{ things: number; people: number }> => {
  const databases = (await globalThis.indexedDB?.databases?.()) ?? [];
  const counts = await Promise.all(
    databases
      .map((d) => d.name ?? '')
      .filter((name) => name.startsWith(personDbPrefix) && name !== `${personDbPrefix}${except ?? ''}`)
      .map((name) => countIn(name).catch(() => 0)),
  );
  return { things: counts.reduce((sum, n) => sum + n, 0), people: counts.filter((n) => n > 0).length };
};

/** Counts one person's unsent work on this device in the same way. */
export const waitingOf = async (personId: string): Promise<number> => {
  const name = personDbName(personId);
  const databases = (await globalThis.indexedDB?.databases?.()) ?? [];
  return databases.some((d) => d.name === name) ? countIn(name) : 0;
};

const countIn = (name: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    // The database was deleted meanwhile and must not be recreated.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const db = opening.result;
      const counting = db.transaction('outbox').objectStore('outbox').count();
      counting.onsuccess = () => {
        db.close();
        resolve(counting.result);
      };
      counting.onerror = () => {
        db.close();
        reject(counting.error);
      };
    };
  });
