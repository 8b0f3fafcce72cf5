import { siteMap } from '#contract/site-map.ts';
import { type ErrorCode, errors } from '#contract/errors.ts';
import { actFor, currentUser, expectBack, forgetSession, noteSessionEnded } from '#src/access/session.ts';
import { notify } from '#src/ui/notify.ts';

/** The layout of the route that a path matches, or null. */
const layoutAt = (path: string) =>
  siteMap.find((r) => new RegExp(`^${r.path.replace(/\/$/, '').replace(/\{\w+\}/g, '[^/]+')}/?$`).test(path))?.layout ?? null;

/**
 * The effect of a refused call on the page (specification section 4): 401 and 419 sign out unless the page is for signing in,
 * 403 goes to /403. The outbox is not touched: it is in the person's own database.
 * A person who may no longer act for another organisation continues for their own.
 */
export const answerRefusal = (status: number, code: ErrorCode | undefined, go: (to: string) => void) => {
  if (code === 'acting_as_refused') {
    actFor(null);
    notify('error', errors[code].message);
    return;
  }
  if (status === 403) {
    go('/403');
    return;
  }
  if (layoutAt(location.pathname) === 'auth' || !currentUser()) return;
  const redirect = `${location.pathname}${location.search}${location.hash}`;
  noteSessionEnded(true);
  expectBack();
  forgetSession();
  go(`/login?redirect=${encodeURIComponent(redirect)}`);
};
