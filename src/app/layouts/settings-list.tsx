import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useActingAs, useSession } from '#src/access/session.ts';
import classes from '#src/app/layouts/settings-list.module.css';
import { useSettings } from '#src/app/layouts/use-settings.ts';
import { crumbsOf } from '#src/app/trail.ts';

const plain = (to: string) => to.replace(/\/?(\?.*)?$/, '');

/** A settings page, with the list of all settings at its left if there is room. */
export const WithSettingsList = ({ slug, children }: { slug: string; children: ReactNode }) => {
  const { pathname } = useLocation();
  const user = useSession();
  const acting = useActingAs();
  // A page below one of the settings, such as the courses of a job role, belongs to it.
  const trail = user ? crumbsOf(pathname, user, acting?.slug ?? slug).map(({ path }) => path) : [];
  const settings = useSettings(slug);
  const here = settings.filter(({ to }) => trail.includes(plain(to))).sort((a, b) => trail.indexOf(plain(b.to)) - trail.indexOf(plain(a.to)))[0];
  return (
    <div className={classes.beside}>
      <nav aria-label="Settings" className={classes.list}>
        {settings.map(({ title, to }) => (
          <Link
            key={to}
            to={to}
            className={classes.item}
            aria-current={here?.to === to ? (plain(to) === plain(pathname) ? 'page' : 'true') : undefined}
          >
            {title}
          </Link>
        ))}
      </nav>
      <div className={classes.page}>{children}</div>
    </div>
  );
};
