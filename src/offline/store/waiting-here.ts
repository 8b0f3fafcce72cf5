import { personDbPrefix } from '#src/offline/store/person-db-name.ts';

/**
 * How much of other people's work waits on this device, without opening any of it and without the library that opens
 * databases: the sign-in screen asks. Where the browser does not list its databases the answer is nobody.
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

const countIn = (name: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    // It was there a moment ago: one that is made only now is not wanted.
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
