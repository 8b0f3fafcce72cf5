import type { ReactNode } from 'react';
import { NavLink } from 'react-router-dom';
import { can } from '#contract/can.ts';
import { needOf, pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import { useSession } from '#src/access/session.ts';
import classes from '#src/app/layouts/settings-list.module.css';
import { settingsPlaces, titleOf } from '#src/app/page-titles.ts';

/** The settings of an organisation that the signed-in person may open. */
export const useSettings = (slug: string) => {
  const user = useSession();
  const brand = useBrand();
  return settingsPlaces
    .filter(({ route }) => can(user, needOf(route)))
    .map(({ route, about }) => ({
      title: titleOf(route, brand),
      about,
      to: pathTo(route, { slug }) + (route === 'audit-log' ? `?filter=${slug}` : ''),
    }));
};

/** A settings page, with the list of all settings at its left if there is room. */
export const WithSettingsList = ({ slug, children }: { slug: string; children: ReactNode }) => (
  <div className={classes.beside}>
    <nav aria-label="Settings" className={classes.list}>
      {useSettings(slug).map(({ title, to }) => (
        <NavLink key={to} to={to} className={classes.item}>
          {title}
        </NavLink>
      ))}
    </nav>
    <div className={classes.page}>{children}</div>
  </div>
);
