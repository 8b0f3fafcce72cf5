import { useSyncExternalStore } from 'react';
import { currentUser } from '#src/access/session.ts';
import type { Widths } from '#src/features/matrix/grid/geometry.ts';
import { storedValue } from '#src/lib/stored-value.ts';

const noChanges: Widths = { courses: {} };
const stores = new Map<string, ReturnType<typeof storedValue<Widths>>>();

/** The column widths that the signed-in person has changed, stored on the device. */
export const useWidths = (): { widths: Widths; setWidths: (widths: Widths) => void } => {
  const key = `matrix:widths:${currentUser()?.uuid ?? ''}`;
  const store = stores.get(key) ?? storedValue<Widths>(key);
  stores.set(key, store);
  const stored = useSyncExternalStore(store.subscribe, store.get);
  return { widths: stored ?? noChanges, setWidths: store.set };
};
