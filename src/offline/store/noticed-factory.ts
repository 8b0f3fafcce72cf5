import { releaseWhenLeft } from '#src/offline/store/release-when-left.ts';

/** Browser errors about databases that could not be read and were recreated. Chromium reports this only here. */
const losses = new Map<string, string>();
export const dataLossOf = (database: string): string | null => losses.get(database) ?? null;

/** Databases that the browser itself closed under this page, as it does when it empties a site's storage. */
const closedByBrowser = new Set<string>();
/** Whether the browser has closed it under this page, until `noteRestored`. */
export const wasClosedByBrowser = (database: string): boolean => closedByBrowser.has(database);
export const noteRestored = (database: string): void => void closedByBrowser.delete(database);

/** Options for Dexie: the browser's databases, recording lost ones, and releasing those held by a page that was left. */
export const noticedFactory = (): { indexedDB?: IDBFactory } => {
  const real = globalThis.indexedDB;
  if (!real) return {};
  const factory = {
    open: (name: string, version?: number) => {
      const request = version === undefined ? real.open(name) : real.open(name, version);
      request.addEventListener('upgradeneeded', (event) => {
        const { dataLoss } = event as IDBVersionChangeEvent & { dataLoss?: string };
        if (dataLoss && dataLoss !== 'none') losses.set(name, dataLoss);
      });
      // Not sent when the page closes it, or another tab deletes it.
      request.addEventListener('success', () => request.result.addEventListener('close', () => closedByBrowser.add(name)));
      releaseWhenLeft(request);
      return request;
    },
    deleteDatabase: (name: string) => real.deleteDatabase(name),
    cmp: (a: unknown, b: unknown) => real.cmp(a, b),
    ...('databases' in real ? { databases: () => real.databases() } : {}),
  };
  return { indexedDB: factory as IDBFactory };
};
