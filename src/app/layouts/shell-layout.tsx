import { useEffect, useState, useSyncExternalStore } from 'react';
import { Navigate, NavLink, Outlet, useLocation, useMatches } from 'react-router-dom';
import { webAddress } from '#contract/rules/links.ts';
import { useBrand } from '#src/access/brand.ts';
import { actFor, useActingAs, useSession } from '#src/access/session.ts';
import { LockScreen } from '#src/features/account/shell.tsx';
import { useLocked } from '#src/device/lock-hint.ts';
import { ComponentLibrary } from '#src/app/layouts/component-library.tsx';
import { Crumbs } from '#src/app/layouts/crumbs.tsx';
import { MainNavigation, narrowNavigation } from '#src/app/layouts/main-navigation.tsx';
import { StoreBoundary } from '#src/app/layouts/store-boundary.tsx';
import { WithList } from '#src/app/layouts/with-list.tsx';
import { WithSettingsList } from '#src/app/layouts/settings-list.tsx';
import classes from '#src/app/layouts/shell-layout.module.css';
import { settingsPlaces } from '#src/app/page-titles.ts';
import { crumbsOf, listAbove } from '#src/app/trail.ts';
import type { RouteHandle } from '#src/app/router.tsx';
import { leavesHere, leavingMark } from '#src/device/leaving-mark.ts';
import { otherPageIsReady } from '#src/device/last-known.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import { leaveForms } from '#src/screens/unsaved.ts';
import { RemindHost } from '#src/screens/remind-host.tsx';
import { WhyHost } from '#src/screens/why-host.tsx';
import { LanternMark } from '#src/ui/lantern-mark.tsx';
import { PlainButton } from '#src/ui/plain/button.tsx';

const ShellTools = loadedLater(() => import('#src/app/layouts/shell-tools.tsx').then((m) => m.ShellTools));
const StoreProblem = loadedLater(() => import('#src/app/layouts/store-problem.tsx').then((m) => m.StoreProblem));

/** The signed-in app: the navigation beside the page, on a phone below it; the save state is always visible. */
export const ShellLayout = () => {
  const user = useSession();
  const brand = useBrand();
  const acting = useActingAs();
  const locked = useLocked();
  const leaving = useSyncExternalStore(leavingMark.subscribe, leavingMark.get);
  const matches = useMatches();
  const pattern = (matches.at(-1)?.handle as RouteHandle | undefined)?.pattern ?? '/';
  const [store, setStore] = useState<'ok' | 'locked' | 'too-new' | 'unreadable' | 'silent'>('ok');
  const [without, setWithout] = useState(false);
  const location = useLocation();
  const narrow = useSyncExternalStore(narrowNavigation.subscribe, narrowNavigation.get);
  useEffect(() => {
    if (store !== 'ok' || locked) otherPageIsReady();
  }, [store, locked]);
  // Signed out, here or in another tab.
  if (!user)
    return leaving === null && !leavesHere() ? (
      <Navigate to={`/login?redirect=${encodeURIComponent(location.pathname + location.search + location.hash)}`} replace />
    ) : null;
  if (locked) return <LockScreen />;
  const ownSlug = acting?.slug ?? user.primary_entity.slug;
  const crumbs = crumbsOf(location.pathname, user, ownSlug);
  const list = listAbove(crumbs, user);
  const inSettings = crumbs.some(({ id }) => settingsPlaces.some(({ route }) => route === id));
  const logoLink = webAddress(brand.logoRedirectUrl);
  const page = (
    <StoreBoundary key={location.pathname} instead={<StoreProblem state="silent" />}>
      <Outlet key={acting?.id} />
    </StoreBoundary>
  );
  const sign = (
    <>
      {brand.logo ? <img src={brand.logo} alt="" height={36} /> : <LanternMark size={36} />}
      <span className={classes.company}>{brand.companyName}</span>
    </>
  );
  return (
    <ComponentLibrary>
      <div className={classes.shell} data-narrow={narrow || undefined}>
        <a className={classes.skip} href="#main">
          Skip to main content
        </a>
        <header className={classes.header}>
          {logoLink ? (
            <a href={logoLink} className={classes.sign} aria-label={`${brand.companyName}, their own site`}>
              {sign}
            </a>
          ) : (
            <NavLink to="/" className={classes.sign} aria-label={`${brand.companyName}, start page`}>
              {sign}
            </NavLink>
          )}
          <div className={classes.tools}>
            <ShellTools personId={user.uuid} pattern={pattern} onStore={setStore} />
          </div>
        </header>
        <MainNavigation user={user} slug={ownSlug} />
        <main id="main" className={classes.main} tabIndex={-1}>
          {acting && (
            <p className={classes.acting}>
              <span>
                You act for <strong>{acting.name}</strong>.
              </span>
              <PlainButton kind="default" onClick={() => leaveForms(() => actFor(null))}>
                Stop
              </PlainButton>
            </p>
          )}
          <Crumbs user={user} />
          {store !== 'ok' && store !== 'locked' && !(store === 'silent' && without) ? (
            <StoreProblem state={store} {...(store === 'silent' ? { onGoOn: () => setWithout(true) } : {})} />
          ) : inSettings ? (
            <WithSettingsList slug={matches.at(-1)?.params.slug ?? ownSlug}>{page}</WithSettingsList>
          ) : list ? (
            <WithList list={list.id} path={location.pathname}>
              {page}
            </WithList>
          ) : (
            page
          )}
        </main>
      </div>
      <WhyHost />
      <RemindHost />
    </ComponentLibrary>
  );
};
