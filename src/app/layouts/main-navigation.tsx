import { type ComponentType, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { AuthUser } from '#contract/entities/user.ts';
import { useBrand } from '#src/access/brand.ts';
import classes from '#src/app/layouts/main-navigation.module.css';
import { badges, countAt } from '#src/app/layouts/navigation-badges.ts';
import { type NavEntry, type NavIcon, type NavLinkItem, navigationOf } from '#src/app/navigation.ts';
import { crumbsOf } from '#src/app/trail.ts';
import { storedValue } from '#src/lib/stored-value.ts';
import {
  IconBook,
  IconBuilding,
  IconCalendar,
  IconCertificate,
  IconChart,
  IconDashboard,
  IconChevronLeft,
  IconChevronRight,
  IconDown,
  IconClock,
  IconHistory,
  IconHome,
  IconMail,
  IconMenu,
  IconPathway,
  IconPeople,
  IconRecord,
  IconBasket,
  IconRegister,
  IconSettings,
  IconTablet,
  IconTag,
} from '#src/ui/icons.tsx';

const icons: Record<NavIcon, ComponentType<{ size?: number }>> = {
  book: IconBook,
  building: IconBuilding,
  calendar: IconCalendar,
  certificate: IconCertificate,
  chart: IconChart,
  dashboard: IconDashboard,
  clock: IconClock,
  history: IconHistory,
  tag: IconTag,
  home: IconHome,
  mail: IconMail,
  pathway: IconPathway,
  people: IconPeople,
  record: IconRecord,
  register: IconRegister,
  basket: IconBasket,
  settings: IconSettings,
  device: IconTablet,
};

/** Whether the sidebar is collapsed to its icons; stored per device. */
export const narrowNavigation = storedValue<boolean>('narrowNavigation');

const wide = matchMedia('(min-width: 1200px)');
const phone = matchMedia('(max-width: 767px)');
type Form = 'bar' | 'rail' | 'sidebar';
const formOf = (): Form => (phone.matches ? 'bar' : wide.matches && !narrowNavigation.get() ? 'sidebar' : 'rail');
const watchForm = (tell: () => void) => {
  const stop = narrowNavigation.subscribe(tell);
  for (const media of [wide, phone]) media.addEventListener('change', tell);
  return () => {
    stop();
    for (const media of [wide, phone]) media.removeEventListener('change', tell);
  };
};

/** A phone's bottom bar has room for five. */
const roomOnPhone = 5;
const more = 'more';
const keysOf = (entry: NavEntry): string[] => ('items' in entry ? entry.items.map((i) => i.key) : [entry.key]);

/** The count at an entry, or the total of a closed group. */
const Counted = ({ at, counts }: { at: readonly string[]; counts: Partial<Record<string, number>> }) => {
  const counted = countAt(counts, at);
  return (
    counted && (
      <span className={classes.badge} data-live="">
        {counted.count > 99 ? '99+' : counted.count}
        <span className="visually-hidden"> {counted.words}</span>
      </span>
    )
  );
};

/** The main navigation: a sidebar with labels on a desktop, a rail on a tablet, a bottom bar on a phone. */
export const MainNavigation = ({ user, slug }: { user: AuthUser; slug: string }) => {
  const brand = useBrand();
  const counts = useSyncExternalStore(badges.subscribe, badges.get);
  const form = useSyncExternalStore(watchForm, formOf);
  const location = useLocation();
  const nav = useRef<HTMLElement>(null);
  // In a sidebar groups open in place and stay open; elsewhere one opens beside the navigation and closes again.
  const [toggled, setToggled] = useState<Partial<Record<string, boolean>>>({});
  const [opened, setOpened] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes after each navigation
  useEffect(() => setOpened(null), [location.key, form]);
  useEffect(() => {
    if (opened === null) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpened(null);
      nav.current?.querySelector<HTMLElement>('[aria-expanded=true]')?.focus();
    };
    const onPress = (event: PointerEvent) => !nav.current?.contains(event.target as Node) && setOpened(null);
    addEventListener('keydown', onKey);
    addEventListener('pointerdown', onPress);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('pointerdown', onPress);
    };
  }, [opened]);

  const entries = navigationOf(user, brand, slug);
  const trail = crumbsOf(location.pathname, user, slug).reverse();
  const links = entries.flatMap((e) => ('items' in e ? e.items : [e]));
  const fewPlaces = links.length <= 8;
  // The page itself, or the nearest page above it that is in the navigation.
  const nearest = trail.find(({ path }) => links.some((l) => l.to.replace(/\/$/, '') === path.replace(/\/$/, '')))?.path;
  const here = links.find((l) => nearest !== undefined && (l.to.replace(/\/$/, '') || '/') === nearest);
  const isHere = (entry: NavEntry) => here !== undefined && keysOf(entry).includes(here.key);

  // Within a group only the labels: the icon is at the group's name.
  const link = ({ key, label, icon, to, hint }: NavLinkItem, inGroup = false) => {
    const Icon = icons[icon];
    return (
      <Link key={key} to={to} className={classes.item} aria-current={here?.key === key ? (nearest === trail[0]?.path ? 'page' : 'true') : undefined}>
        {!inGroup && <Icon size={24} />}
        <span className={classes.label}>
          <span>{label}</span>
          {inGroup && hint && <small className={classes.hint}> {hint}</small>}
        </span>
        <Counted at={[key]} counts={counts} />
      </Link>
    );
  };
  const group = (entry: NavEntry, inMore = false) => {
    if (!('items' in entry)) return link(entry);
    if (inMore)
      return (
        <div key={entry.key} className={classes.group}>
          <p className={classes.heading}>{entry.label}</p>
          {entry.items.map((item) => link(item, true))}
        </div>
      );
    const Icon = icons[entry.icon];
    const open = form === 'sidebar' ? (toggled[entry.key] ?? (fewPlaces || isHere(entry))) : opened === entry.key;
    const id = `places-${entry.key.replace(/\W/g, '-')}`;
    return (
      <div key={entry.key} className={classes.group} data-group="">
        <button
          type="button"
          className={classes.item}
          aria-expanded={open}
          aria-controls={id}
          data-here={isHere(entry) || undefined}
          onClick={() => (form === 'sidebar' ? setToggled({ ...toggled, [entry.key]: !open }) : setOpened(open ? null : entry.key))}
        >
          <Icon size={24} />
          <span className={classes.label}>{entry.label}</span>
          {!open && <Counted at={keysOf(entry)} counts={counts} />}
          <span className={classes.arrow}>
            <IconDown size={18} />
          </span>
        </button>
        <div id={id} className={classes.items} hidden={!open}>
          <p className={classes.heading}>{entry.label}</p>
          {entry.items.map((item) => link(item, true))}
        </div>
      </div>
    );
  };
  const first = form !== 'bar' || entries.length <= roomOnPhone ? entries : entries.slice(0, roomOnPhone - 1);
  const rest = entries.slice(first.length);
  return (
    <nav ref={nav} className={classes.nav} data-form={form} aria-label="Main">
      {first.map((e) => group(e))}
      {rest.length > 0 && (
        <div className={classes.group}>
          <button
            type="button"
            className={classes.item}
            aria-expanded={opened === more}
            aria-controls="more-places"
            data-here={rest.some(isHere) || undefined}
            onClick={() => setOpened(opened === more ? null : more)}
          >
            <IconMenu size={24} />
            <span className={classes.label}>More</span>
            {opened !== more && <Counted at={rest.flatMap(keysOf)} counts={counts} />}
          </button>
          <div id="more-places" className={classes.items} hidden={opened !== more}>
            {rest.map((e) => group(e, true))}
          </div>
        </div>
      )}
      {form !== 'bar' && (
        <button
          type="button"
          className={`${classes.item} ${classes.width}`}
          aria-label={form === 'sidebar' ? 'Collapse menu' : 'Expand menu'}
          onClick={() => narrowNavigation.set(form === 'sidebar' ? true : null)}
        >
          {form === 'sidebar' ? <IconChevronLeft size={20} /> : <IconChevronRight size={20} />}
          <span className={classes.label}>Collapse menu</span>
        </button>
      )}
    </nav>
  );
};
