import type { ComponentType } from 'react';
import { createBrowserRouter, redirect, type RouteObject } from 'react-router-dom';
import { can } from '#contract/permissions.ts';
import { type Layout, type SiteRoute, siteMap } from '#contract/site-map.ts';
import { currentUser } from '#src/access/session.ts';
import { AuthLayout } from '#src/app/layouts/auth-layout.tsx';
import { ExternalLayout } from '#src/app/layouts/external-layout.tsx';
import { CrashScreen } from '#src/app/crash-screen.tsx';
import { NotFoundPage } from '#src/app/not-found.page.tsx';
import { pages } from '#src/app/pages.ts';
import { RootLayout } from '#src/app/root-layout.tsx';

/** Who may enter: nobody signed in goes to sign in and comes back; a person without the permission goes to /403. */
const guard =
  (route: SiteRoute) =>
  ({ request }: { request: Request }) => {
    if (route.access === 'public') return null;
    const url = new URL(request.url);
    const user = currentUser();
    if (!user) return redirect(`/login?redirect=${encodeURIComponent(url.pathname + url.search)}`);
    if (user.password_expired && route.id !== 'update-password') return redirect('/update-password');
    if (route.access !== 'signed-in' && !can(user, route.access)) return redirect('/403');
    return null;
  };

const toRouterPath = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '') || '/';

/** The route pattern is kept on the route, so that help can be chosen by it. */
export type RouteHandle = { pattern: string; id: string };

const routeOf = (route: SiteRoute): RouteObject => {
  const page = pages[route.id as keyof typeof pages];
  const handle: RouteHandle = { pattern: route.path, id: route.id };
  if (!page) return { path: toRouterPath(route.path), handle, Component: NotFoundPage };
  return { path: toRouterPath(route.path), loader: guard(route), handle, lazy: page, HydrateFallback: () => null };
};
const routesOf = (...layouts: Layout[]): RouteObject[] => (siteMap as readonly SiteRoute[]).filter((r) => layouts.includes(r.layout)).map(routeOf);

const shell = (): Promise<{ Component: ComponentType }> => import('#src/app/layouts/shell-layout.tsx').then((m) => ({ Component: m.ShellLayout }));

export const router = createBrowserRouter([
  {
    Component: RootLayout,
    ErrorBoundary: CrashScreen,
    HydrateFallback: () => null,
    children: [
      { Component: AuthLayout, ErrorBoundary: CrashScreen, children: routesOf('auth') },
      { lazy: shell, ErrorBoundary: CrashScreen, children: routesOf('dashboard', 'default') },
      { Component: ExternalLayout, ErrorBoundary: CrashScreen, children: routesOf('external', 'help-desk') },
      { path: '*', loader: () => redirect('/404?resource=page') },
    ],
  },
]);
