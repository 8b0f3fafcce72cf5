import { siteMap } from '#contract/site-map.ts';
import { currentUser, forgetSession } from '#src/access/session.ts';

/** Where a path belongs: the layout of the route that it matches, or null. */
const layoutAt = (path: string) =>
  siteMap.find((r) => new RegExp(`^${r.path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`).test(path))?.layout ?? null;

/**
 * What a refused call does to the page (specification section 4): 401 and 419 sign out unless the page is for signing in,
 * 403 goes to /403. The outbox is not touched: it lies in the person's own database.
 */
export const answerRefusal = (status: number, go: (to: string) => void) => {
  if (status === 403) {
    go('/403');
    return;
  }
  if (layoutAt(location.pathname) === 'auth' || !currentUser()) return;
  const redirect = `${location.pathname}${location.search}`;
  forgetSession();
  go(`/login?redirect=${encodeURIComponent(redirect)}`);
};
