import { useSyncExternalStore, type ReactNode } from 'react';
import type { RouteId } from '#contract/site-map.ts';
import { pages } from '#src/app/pages.ts';
import classes from '#src/app/layouts/with-list.module.css';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { BesideDetail } from '#src/screens/beside.ts';

const desktop = matchMedia('(min-width: 1200px)');
const watchDesktop = (changed: () => void) => {
  desktop.addEventListener('change', changed);
  return () => desktop.removeEventListener('change', changed);
};
const lists = new Map<RouteId, ReturnType<typeof loadedLater>>();
/** The page of a list, loaded when it is first shown beside another. */
const listOf = (id: RouteId) => {
  const known = lists.get(id);
  if (known) return known;
  const page = pages[id];
  const list = loadedLater(async () => (page ? (await page()).Component : () => null));
  lists.set(id, list);
  return list;
};

/** A detail page, keyed by its address; on a desktop with its list at its left. */
export const WithList = ({ list, path, children }: { list: RouteId; path: string; children: ReactNode }) => {
  const List = listOf(list);
  const shown = useSyncExternalStore(watchDesktop, () => desktop.matches);
  return (
    <div className={classes.beside}>
      {shown && (
        <BesideDetail value={path}>
          <List key={list} />
        </BesideDetail>
      )}
      <div key={path} className={classes.page}>
        {children}
      </div>
    </div>
  );
};
