import '#src/ui/mantine-styles-signed-in.ts';
import { useEffect, useState } from 'react';
import { NavLink, Outlet, useMatches } from 'react-router-dom';
import { can } from '#contract/permissions.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/app/layouts/shell-layout.module.css';
import { navigation } from '#src/app/pages.ts';
import type { RouteHandle } from '#src/app/router.tsx';
import { startEngine } from '#src/device/engine-lifetime.ts';
import { AccountMenu } from '#src/features/account/shell.tsx';
import { HelpButton } from '#src/features/help-desk/shell.tsx';
import { SaveChip, SyncCentre } from '#src/features/sync-centre/shell.tsx';
import { StoreProblem } from '#src/app/layouts/store-problem.tsx';
import { checkPersonStore, type StoreState } from '#src/device/use-person-db.ts';
import { LanternMark } from '#src/ui/lantern-mark.tsx';

/** The signed-in app: a rail beside the page from 768 px, a bar below it under that; the save state always in sight. */
export const ShellLayout = () => {
  const user = useSession();
  const brand = useBrand();
  const matches = useMatches();
  const pattern = (matches.at(-1)?.handle as RouteHandle | undefined)?.pattern ?? '/';
  const [store, setStore] = useState<StoreState>('ok');
  const personId = user?.uuid;
  useEffect(() => {
    if (!personId) return;
    void checkPersonStore(personId).then((state) => {
      setStore(state);
      if (state === 'ok') startEngine();
    });
  }, [personId]);
  if (!user) return null;
  if (store !== 'ok') return <StoreProblem state={store} />;
  const items = navigation.filter((item) => item.need === undefined || can(user, item.need));
  return (
    <div className={classes.shell} data-alone={items.length > 1 ? undefined : true}>
      <a className={classes.skip} href="#main">
        Skip to the page
      </a>
      <header className={classes.header}>
        <NavLink to="/" className={classes.sign} aria-label={`${brand.companyName}, start page`}>
          {brand.logo ? <img src={brand.logo} alt="" height={36} /> : <LanternMark size={36} />}
          <span className={classes.company}>{brand.companyName}</span>
        </NavLink>
        <div className={classes.tools}>
          <SaveChip />
          <HelpButton pattern={pattern} />
          <AccountMenu />
        </div>
      </header>
      {items.length > 1 && (
        <nav className={classes.nav} aria-label="Main">
          {items.map(({ route, label, icon: Icon }) => (
            <NavLink key={route} to={pathTo(route)} end={route === 'learner-events' || pathTo(route) === '/'} className={classes.item}>
              <Icon size={26} />
              <span>{label}</span>
            </NavLink>
          ))}
        </nav>
      )}
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <SyncCentre />
    </div>
  );
};
