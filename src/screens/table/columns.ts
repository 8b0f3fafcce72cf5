import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { currentUser } from '#src/access/session.ts';
import { storedValue } from '#src/lib/stored-value.ts';

export type Cell = string | number | null;

/** A column as data: the table decides how it is shown, sorted and exported. */
export type Column<R> = {
  id: string;
  header: string;
  /** Its value: shown if there is no `cell`, and exported. */
  value: (row: R) => Cell;
  cell?: (row: R) => ReactNode;
  /** The sort value of a table that is loaded as a whole, if different. */
  order?: (row: R) => Cell;
  /** The server's sort name. In a table that is loaded as a whole, true. */
  sort?: string | true;
  /** Its minimum width in pixels; it also gets its share of the rest. */
  width?: number;
  /** Its share of the remaining width; 0 for a fixed one. */
  grow?: number;
  align?: 'end';
  /** It stays a column when others are folded into the first: a status. */
  keep?: true;
  /** Hidden until it is chosen. */
  optional?: true;
  /** Buttons: cannot be hidden, not exported. */
  actions?: true;
};

/** A person's settings for a table. */
export type View = { shown: Record<string, boolean>; widths: Record<string, number>; dense: boolean };
const plain: View = { shown: {}, widths: {}, dense: false };

const views = new Map<string, ReturnType<typeof storedValue<View>>>();
/** The view of one person and one table, stored on the device. */
export const useView = (name: string) => {
  const key = `table:${name}:${currentUser()?.uuid ?? ''}`;
  const stored = views.get(key) ?? storedValue<View>(key);
  views.set(key, stored);
  const kept = useSyncExternalStore(stored.subscribe, stored.get);
  return { view: kept ?? plain, changed: kept !== null, setView: stored.set };
};
