import { letGoWhenLeft } from '#src/offline/store/let-go.ts';

/** What the browser said of databases it could not read back and began anew. Chromium says so only here. */
const losses = new Map<string, string>();
export const dataLossOf = (database: string): string | null => losses.get(database) ?? null;

/** Options for Dexie: the browser's databases, with a note of each that was lost, and none that a page holds which was left. */
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
      letGoWhenLeft(request);
      return request;
    },
    deleteDatabase: (name: string) => real.deleteDatabase(name),
    cmp: (a: unknown, b: unknown) => real.cmp(a, b),
    ...('databases' in real ? { databases: () => real.databases() } : {}),
  };
  return { indexedDB: factory as IDBFactory };
};
