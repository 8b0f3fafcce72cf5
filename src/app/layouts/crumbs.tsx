import { useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { AuthUser } from '#contract/entities/user.ts';
import { pathTo } from '#contract/site-map.ts';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/app/layouts/crumbs.module.css';
import { titleOf } from '#src/app/page-titles.ts';
import { useActingAs } from '#src/access/session.ts';
import { type Crumb, crumbsOf, headingOf, listAbove } from '#src/app/trail.ts';
import { placesAbove } from '#src/lib/placed-below.ts';
import { withTab } from '#src/screens/tab-address.ts';
import { IconChevronLeft } from '#src/ui/icons.tsx';

/** The headings of detail pages shown since the start, by address: the names of their things. */
const headings = new Map<string, string>();

/** Calls `found` with the page's heading, now and whenever its text changes. Returns a function that stops it. */
const watchHeading = (found: (heading: HTMLElement) => void): (() => void) => {
  let last: string | null = null;
  const look = () => {
    const heading = document.querySelector<HTMLElement>('#main h1');
    if (!heading || heading.textContent === last) return;
    last = heading.textContent;
    found(heading);
  };
  look();
  const watch = new MutationObserver(look);
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  return () => watch.disconnect();
};

let openedBefore: string | null = null;

/**
 * The breadcrumbs of a page: those above it as links, unless it is at the top. It also sets the window's title and, after
 * a navigation, moves the focus to the page's heading, where a screen reader goes on reading.
 */
export const Crumbs = ({ user }: { user: AuthUser }) => {
  const { pathname, search, hash } = useLocation();
  const brand = useBrand();
  const [, setHeading] = useState('');
  const acting = useActingAs();
  const above = useSyncExternalStore(placesAbove.subscribe, placesAbove.get).get(pathname);
  const trail = crumbsOf(pathname, user, acting?.slug);
  const page = trail.at(-1);
  const list = listAbove(trail, user);
  const headed = page && trail.find(({ id }) => id === headingOf[page.id]);
  const named = page?.ofOneThing ? page.path : (headed?.path ?? null);
  const known = new Map(
    [acting, user.primary_entity].flatMap((place) => (place ? [[pathTo('entities-one', { slug: place.slug }), place.name]] : [])),
  );
  const nameOf = (crumb: Crumb) =>
    headings.get(crumb.path) ?? (crumb.path === above?.path ? above.name : known.get(crumb.path)) ?? titleOf(crumb.id, brand, crumb.path);
  const title = [page, headed].flatMap((crumb) => (crumb ? [nameOf(crumb)] : [])).join(' · ');
  useEffect(() => {
    document.title = title ? `${title} · ${brand.companyName}` : brand.companyName;
  }, [title, brand]);
  useEffect(() => {
    let focused = openedBefore === null || openedBefore === pathname || hash !== '';
    openedBefore = pathname;
    return watchHeading((heading) => {
      const name = heading.textContent ?? '';
      // The heading of a placeholder is not the name of the thing.
      if (named !== null && !heading.closest('[role=status], [role=alert]')) {
        headings.set(named, name);
        setHeading(name);
      }
      const busy = document.activeElement?.closest('input, select, textarea, [role=dialog]');
      if (!focused && !busy) {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      focused = true;
    });
  }, [pathname, hash, named]);
  if (trail.length < 2) return null;
  return (
    <nav className={classes.crumbs} aria-label="Breadcrumbs">
      <ol>
        {trail.map((crumb, i) => (
          <li key={crumb.path}>
            {i === trail.length - 1 ? (
              <span aria-current="page">{nameOf(crumb)}</span>
            ) : (
              <Link to={crumb === list ? crumb.path + withTab(search, null) : crumb.path}>
                <IconChevronLeft size={18} />
                {nameOf(crumb)}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
};
