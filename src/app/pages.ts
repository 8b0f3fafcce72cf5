import type { RouteId } from '#contract/site-map.ts';
import { features } from '#src/app/features.ts';
import type { BeforeEntering, Page } from '#src/lib/feature.ts';

/** The component of each route. A route of the site map without one shows the 404 screen, and nothing links to it. */
export const pages: Partial<Record<RouteId, Page>> = Object.assign(
  { '403': () => import('#src/app/forbidden.page.tsx'), 'entities-one-settings': () => import('#src/app/settings.page.tsx') },
  ...features.map((f) => f.pages),
);
export const beforeEntering: Partial<Record<RouteId, BeforeEntering>> = Object.assign({}, ...features.map((f) => f.before ?? {}));

/** Lists that are shown beside their detail pages if the screen has room. */
export const lists: ReadonlySet<RouteId> = new Set(features.flatMap((f) => f.lists ?? []));
