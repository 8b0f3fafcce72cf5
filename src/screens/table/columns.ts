import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { currentUser } from '#src/access/session.ts';
import { storedValue } from '#src/lib/stored-value.ts';

export type Cell = string | number | null;

/** A column of a table, as data: the table decides how it is shown, sorted and exported. */
export type Column<R> = {
  id: string;
  header: string;
  /** What stands in it: shown where there is no `cell`, and exported. */
  value: (row: R) => Cell;
  cell?: (row: R) => ReactNode;
  /** What a table that is here whole is sorted by, where that is not the value. */
  order?: (row: R) => Cell;
  /** Under which name the server sorts by it. In a table that is here whole, true. */
  sort?: string | true;
  /** How narrow it can be, in pixels; it takes its share of what is left. */
  width?: number;
  /** Its share; 0 where it stays as narrow as it can be. */
  grow?: number;
  align?: 'end';
  /** It stays a column where others move into the first: how somebody or something stands. */
  keep?: true;
  /** It is shown when it has been chosen. */
  optional?: true;
  /** Buttons: not hidden, not exported. */
  actions?: true;
};

/** How somebody wants to see a table. */
export type View = { shown: Record<string, boolean>; widths: Record<string, number>; dense: boolean };
const plain: View = { shown: {}, widths: {}, dense: false };

const views = new Map<string, ReturnType<typeof storedValue<View>>>();
/** The view of one person and one table, kept on the device. */
export const useView = (name: string) => {
  const key = `table:${name}:${currentUser()?.uuid ?? ''}`;
  const stored = views.get(key) ?? storedValue<View>(key);
  views.set(key, stored);
  const kept = useSyncExternalStore(stored.subscribe, stored.get);
  return { view: kept ?? plain, changed: kept !== null, setView: stored.set };
};
