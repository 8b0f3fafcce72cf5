import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import { Navigate, NavLink, Outlet, useLocation, useMatches } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { actFor, useActingAs, useSession } from '#src/access/session.ts';
import { LockScreen } from '#src/features/account/shell.tsx';
import { useLocked } from '#src/device/lock-hint.ts';
import { ComponentLibrary } from '#src/app/layouts/component-library.tsx';
import classes from '#src/app/layouts/shell-layout.module.css';
import { navigation } from '#src/app/pages.ts';
import type { RouteHandle } from '#src/app/router.tsx';
import { leavesHere, leavingMark } from '#src/device/leaving-mark.ts';
import { otherPageIsReady } from '#src/device/last-known.ts';
import type { NavIcon, NavItem } from '#src/lib/feature.ts';
import { loadedLater } from '#src/lib/loaded-later.tsx';
import {
  IconBook,
  IconBuilding,
  IconCertificate,
  IconHome,
  IconMail,
  IconMenu,
  IconPathway,
  IconPeople,
  IconRegister,
  IconTablet,
} from '#src/ui/icons.tsx';
import { LanternMark } from '#src/ui/lantern-mark.tsx';
import { PlainButton } from '#src/ui/plain/button.tsx';

const icons: Record<NavIcon, ComponentType<{ size?: number }>> = {
  book: IconBook,
  building: IconBuilding,
  certificate: IconCertificate,
  home: IconHome,
  mail: IconMail,
  pathway: IconPathway,
  people: IconPeople,
  register: IconRegister,
  tablet: IconTablet,
};

const ShellTools = loadedLater(() => import('#src/app/layouts/shell-tools.tsx').then((m) => m.ShellTools));
const StoreProblem = loadedLater(() => import('#src/app/layouts/store-problem.tsx').then((m) => m.StoreProblem));

/** The signed-in app: a rail beside the page from 768 px, a bar below it under that; the save state always in sight. */
export const ShellLayout = () => {
  const user = useSession();
  const brand = useBrand();
  const acting = useActingAs();
  const locked = useLocked();
  const leaving = useSyncExternalStore(leavingMark.subscribe, leavingMark.get);
  const matches = useMatches();
  const pattern = (matches.at(-1)?.handle as RouteHandle | undefined)?.pattern ?? '/';
  const [store, setStore] = useState<'ok' | 'locked' | 'too-new' | 'unreadable'>('ok');
  const at = useLocation();
  const [open, setOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever has gone somewhere is done with the menu
  useEffect(() => setOpen(false), [at.key]);
  useEffect(() => {
    if (!open) return;
    const close = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false);
    addEventListener('keydown', close);
    return () => removeEventListener('keydown', close);
  }, [open]);
  useEffect(() => {
    if (store !== 'ok' || locked) otherPageIsReady();
  }, [store, locked]);
  // Signed out, here or in another tab.
  if (!user)
    return leaving === null && !leavesHere() ? (
      <Navigate to={`/login?redirect=${encodeURIComponent(at.pathname + at.search + at.hash)}`} replace />
    ) : null;
  if (locked) return <LockScreen />;
  const items = navigation.filter((item) => item.need === undefined || can(user, item.need));
  // A phone has room for five: where there are more, the last of the five opens the rest.
  const first = items.length > 5 ? 4 : items.length;
  const link = ({ route, label, icon }: NavItem) => {
    const Icon = icons[icon];
    return (
      <NavLink key={route} to={pathTo(route)} end={pathTo(route) === '/'} className={classes.item}>
        <Icon size={26} />
        <span>{typeof label === 'string' ? label : label(brand)}</span>
      </NavLink>
    );
  };
  const sign = (
    <>
      {brand.logo ? <img src={brand.logo} alt="" height={36} /> : <LanternMark size={36} />}
      <span className={classes.company}>{brand.companyName}</span>
    </>
  );
  return (
    <ComponentLibrary>
      <div className={classes.shell} data-alone={items.length > 1 ? undefined : true}>
        <a className={classes.skip} href="#main">
          Skip to the page
        </a>
        <header className={classes.header}>
          {brand.logoRedirectUrl ? (
            <a href={brand.logoRedirectUrl} className={classes.sign} aria-label={`${brand.companyName}, their own site`}>
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
        {items.length > 1 && (
          <nav className={classes.nav} aria-label="Main">
            {items.slice(0, first).map(link)}
            {items.length > first && (
              <>
                <button
                  type="button"
                  className={`${classes.item} ${classes.more}`}
                  aria-expanded={open}
                  aria-controls="more-places"
                  data-here={items.slice(first).some((i) => pattern.startsWith(pathTo(i.route))) || undefined}
                  onClick={() => setOpen(!open)}
                >
                  <IconMenu size={26} />
                  <span>More</span>
                </button>
                <div id="more-places" className={classes.rest} data-open={open || undefined}>
                  {items.slice(first).map(link)}
                </div>
              </>
            )}
          </nav>
        )}
        <main id="main" className={classes.main} tabIndex={-1}>
          {acting && (
            <p className={classes.acting}>
              <span>
                You act for <strong>{acting.name}</strong>.
              </span>
              <PlainButton kind="default" onClick={() => actFor(null)}>
                Stop
              </PlainButton>
            </p>
          )}
          {store === 'ok' || store === 'locked' ? <Outlet key={acting?.id} /> : <StoreProblem state={store} />}
        </main>
      </div>
    </ComponentLibrary>
  );
};
