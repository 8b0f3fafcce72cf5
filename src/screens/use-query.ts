import { useCallback, useContext } from 'react';
import { type createBrowserRouter, UNSAFE_DataRouterContext, useLocation, useSearchParams } from 'react-router-dom';

type Router = Pick<ReturnType<typeof createBrowserRouter>, 'state' | 'navigate'>;
type Query = string | URLSearchParams | Record<string, string>;
type Options = {
  replace?: boolean;
  /** Parameters that are set even if the shown address has the same value, such as the page of a list with another search. */
  afresh?: readonly string[];
};

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((value, i) => value === b[i]);

/** `newest` with each parameter in which `to` differs from `shown`. */
export const merged = (newest: URLSearchParams, shown: URLSearchParams, to: URLSearchParams, afresh: readonly string[] = []): URLSearchParams => {
  const next = new URLSearchParams(newest);
  for (const name of new Set([...shown.keys(), ...to.keys(), ...afresh])) {
    if (isSame(shown.getAll(name), to.getAll(name)) && !afresh.includes(name)) continue;
    next.delete(name);
    for (const value of to.getAll(name)) next.append(name, value);
  }
  return next;
};

/** Changes the address that the router has by now. Does nothing if another page is shown or being opened. */
export const changeQuery = (
  router: Router,
  shown: { pathname: string; search: string },
  to: Query,
  { replace = false, afresh }: Options = {},
): void => {
  const newest = router.state.navigation.location ?? router.state.location;
  if (newest.pathname !== shown.pathname) return;
  const query = merged(new URLSearchParams(newest.search), new URLSearchParams(shown.search), new URLSearchParams(to), afresh);
  void router.navigate(`${newest.pathname}?${query}`, { replace });
};

/**
 * The query of the address, and how to change it. A page is drawn some time after its address changes, so a change can be made on a page
 * that still shows the address before: only what it changes is applied to the address of that moment. Nothing else is undone.
 */
export const useQuery = (): [URLSearchParams, (to: Query, options?: Options) => void] => {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const [query] = useSearchParams();
  const { pathname, search } = useLocation();
  const change = useCallback(
    (to: Query, options?: Options) => {
      if (router) changeQuery(router, { pathname, search }, to, options);
    },
    [router, pathname, search],
  );
  return [query, change];
};
