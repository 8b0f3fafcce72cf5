import Dexie from 'dexie';
import { useLiveQuery as useDexieQuery } from 'dexie-react-hooks';

/** What reading throws while the browser has taken the database away under an open page. */
const goneErrors = new Set(['DatabaseClosedError', 'InvalidStateError', 'NotFoundError', 'UnknownError', 'OpenFailedError', 'AbortError']);
/** How often it is asked whether the store is back, and for how long, in milliseconds. */
const lookEveryMs = 300;
const mostMs = 15_000;

/**
 * The newest answer of a query of the device's stores; undefined until there is one. While a store is gone and being brought back
 * (`src/offline/store/open-store.ts`) the screen stays as it is: the query waits, and is answered from what was brought back.
 */
export const useLiveQuery = <T>(query: () => Promise<T> | T, deps: unknown[]): T | undefined =>
  useDexieQuery(async () => {
    for (let waited = 0; ; waited += lookEveryMs) {
      try {
        return await query();
      } catch (error) {
        if (!(error instanceof Error) || !goneErrors.has(error.name) || waited >= mostMs) throw error;
        await Dexie.waitFor(new Promise((resolve) => setTimeout(resolve, lookEveryMs)));
      }
    }
  }, deps);
