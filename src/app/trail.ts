import { matchPath } from 'react-router-dom';
import { can } from '#contract/can.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { needOf, type RouteId, type SiteRoute, siteMap } from '#contract/site-map.ts';
import { settingsPlaces } from '#src/app/page-titles.ts';
import { kindOf } from '#src/access/person-kind.ts';
import { lists, pages } from '#src/app/pages.ts';
import { placesAbove } from '#src/lib/placed-below.ts';

/** Pages whose parent is not given by their address; null if only the content of the page determines it. */
const parents: Partial<Record<RouteId, RouteId | null>> = {
  ...Object.fromEntries(settingsPlaces.map(({ route }) => [route, 'entities-one-settings'])),
  'check-in-by-id': 'your-bookings',
  'update-password': 'sign-in-ways',
  'request-verify-email': 'sign-in-ways',
  'entities-one-role-by-role-courses': 'entities-one-roles',
  'entities-one-role-by-role-pathways': 'entities-one-roles',
  'entities-one-update-role-by-role-course-by-course-compliance': 'entities-one-role-by-role-courses',
  'importer-create': 'importer-logs',
  'importer-logs-one': 'importer-logs',
  'results-historical-create': null,
  'results-historical-submit': null,
  'results-historical-update-by-id': 'results-by-id',
  'results-exempt-update-by-id': 'results-by-id',
  'results-pending-by-type': null,
  'results-by-id': null,
};

/** Pages whose heading is the name of a page above: the one on which that thing is shown. */
export const headingOf: Partial<Record<RouteId, RouteId>> = {
  'users-update-by-uuid': 'users-by-uuid',
  'pathways-update-by-id': 'pathways-by-id',
  'entities-one-update': 'entities-one',
};

const plain = (path: string) => path.replace(/\/$/, '') || '/';
const patternOf = (path: string) => plain(path).replace(/\{(\w+)\}/g, ':$1');
const routes = siteMap as readonly (SiteRoute & { id: RouteId })[];
const parametersIn = (path: string) => path.split('{').length;

/** The page at an address: of two matches, the more specific one. */
const pageAt = (path: string) =>
  routes
    .filter((r) => pages[r.id as keyof typeof pages] && matchPath(patternOf(r.path), path))
    .sort((a, b) => parametersIn(a.path) - parametersIn(b.path))[0];

/** The address of the parent page, or null: the configured one, or the next in the address. Editing a thing is below the thing. */
const above = (route: SiteRoute & { id: RouteId }, path: string, slug: string): string | null => {
  const named = parents[route.id];
  if (named === null) return placesAbove.get().get(path)?.path ?? null;
  if (named) {
    const { params } = matchPath(patternOf(route.path), path) ?? { params: {} };
    return plain((routes.find((r) => r.id === named) as SiteRoute).path).replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent((params as Record<string, string>)[name] ?? (name === 'slug' ? slug : '')),
    );
  }
  const segments = path.split('/').filter(Boolean);
  const parentSegments = segments.at(-2) === 'update' ? [...segments.slice(0, -2), segments.at(-1) as string, ''] : segments;
  for (let n = parentSegments.length - 1; n > 0; n--) {
    const parentPath = `/${parentSegments.slice(0, n).join('/')}`;
    if (pageAt(parentPath)) return parentPath;
  }
  return null;
};

/** Edit pages without a separate detail page: their heading is the name of the thing. */
const named = /^\/content-creator\//;
/** `ofOneThing`: the page's title is its heading. */
export type Crumb = { id: RouteId; path: string; ofOneThing: boolean };

/** The page at an address and its parents, from the top, as far as `user` may open them. Settings without an organisation are those of `slug`. */
export const crumbsOf = (pathname: string, user: AuthUser, slug = user.primary_entity.slug): Crumb[] => {
  const found: Crumb[] = [];
  for (let path: string | null = plain(pathname); path; ) {
    const route = pageAt(path);
    if (!route) break;
    const need = needOf(route.id);
    if (found.length === 0 || need.length === 0 || can(user, need))
      found.unshift({ id: route.id, path, ofOneThing: /\}$/.test(route.path) && (!route.path.includes('/update/') || named.test(route.path)) });
    // Somebody whose password has expired can open nothing else.
    path = user.password_expired ? null : above(route, path, slug);
  }
  return found;
};

/** The list of a detail page, as its crumb; null if there is none. Learners have few things, and no list beside them. */
export const listAbove = (crumbs: readonly Crumb[], user: AuthUser): Crumb | null => {
  const [list, page] = crumbs.slice(-2);
  return list && page?.ofOneThing && lists.has(list.id) && kindOf(user) !== 'learner' ? list : null;
};
