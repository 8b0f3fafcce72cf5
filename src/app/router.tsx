import type { ComponentType } from 'react';
import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom';
import { type Layout, type RouteId, type SiteRoute, siteMap } from '#contract/site-map.ts';
import { currentUser } from '#src/access/session.ts';
import { AuthLayout } from '#src/app/layouts/auth-layout.tsx';
import { CrashScreen } from '#src/app/crash-screen.tsx';
import { insteadOf, mayEnter } from '#src/app/may-enter.ts';
import { beforeEntering, pages } from '#src/app/pages.ts';
import { pictureId } from '#src/device/last-known.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import type { Page } from '#src/lib/feature.ts';
import { PageLoading, RootLayout } from '#src/app/root-layout.tsx';

/** Access to a route: signed-out people are sent to sign-in and back; a person without the permission goes to /403. */
const guard =
  (route: SiteRoute) =>
  ({ request }: { request: Request }) => {
    if (route.access === 'public') return null;
    const url = new URL(request.url);
    const user = currentUser();
    // A request has no hash: it is in the address being opened.
    const { hash } = router?.state.navigation.location ?? location;
    if (!user) return redirect(`/login?redirect=${encodeURIComponent(url.pathname + url.search + hash)}`);
    if (user.password_expired && route.id !== 'update-password') return redirect('/update-password');
    const id = route.id as RouteId;
    return mayEnter(user, id) ? null : redirect(insteadOf(id));
  };

const pictured = document.getElementById(pictureId) !== null;

const toRouterPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '') || '/';

/** The route pattern is stored in the route's handle, to choose help articles. */
export type RouteHandle = { pattern: string; id: string };

/** A page in its layout: the layout is shown immediately, the page as soon as it is loaded. */
const inLayout = (page: Page): ComponentType => {
  const Loaded = loadedLater(() => page().then(({ Component }) => Component));
  return () => <Loaded meanwhile={<PageLoading />} />;
};
const notFound: Page = () => import('#src/app/not-found.page.tsx').then((m) => ({ Component: m.NotFoundPage }));

const loaderOf = (route: SiteRoute, page: Page | undefined): Pick<RouteObject, 'loader' | 'shouldRevalidate'> => {
  const work = beforeEntering[route.id as keyof typeof beforeEntering];
  // Work before a page is entered runs only once.
  if (work) return { loader: ({ params }) => work(params), shouldRevalidate: () => false };
  return page || route.id === 'learner-dashboard' ? { loader: guard(route) } : {};
};
const routeOf = (route: SiteRoute): RouteObject => {
  const page = pages[route.id as keyof typeof pages];
  const handle: RouteHandle = { pattern: route.path, id: route.id };
  const base = { path: toRouterPath(route.path), handle, ...loaderOf(route, page) };
  // While the home snapshot is shown, nothing else needs to be: wait for the whole page and paint it once.
  return pictured && page ? { ...base, lazy: page, HydrateFallback: () => null } : { ...base, Component: inLayout(page ?? notFound) };
};
const routesOf = (...layouts: Layout[]): RouteObject[] => (siteMap as readonly SiteRoute[]).filter((r) => layouts.includes(r.layout)).map(routeOf);

const shell = (): Promise<{ Component: ComponentType }> => import('#src/app/layouts/shell-layout.tsx').then((m) => ({ Component: m.ShellLayout }));

const external = (): Promise<{ Component: ComponentType }> =>
  import('#src/app/layouts/external-layout.tsx').then((m) => ({ Component: m.ExternalLayout }));

export const router: ReturnType<typeof createBrowserRouter> = createBrowserRouter([
  {
    Component: RootLayout,
    ErrorBoundary: CrashScreen,
    HydrateFallback: () => null,
    children: [
      { Component: AuthLayout, ErrorBoundary: CrashScreen, children: routesOf('auth') },
      { lazy: shell, ErrorBoundary: CrashScreen, children: routesOf('dashboard', 'default') },
      { lazy: external, ErrorBoundary: CrashScreen, children: routesOf('external', 'help-desk') },
      { path: '*', loader: () => redirect('/404?resource=page') },
    ],
  },
]);
