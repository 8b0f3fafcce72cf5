import { dashboardQuestions } from '#contract/dashboard-titles.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import { pathTo, type RouteId } from '#contract/site-map.ts';
import { kindOf, type PersonKind } from '#src/access/person-kind.ts';
import { titleOf } from '#src/app/page-titles.ts';
import { features } from '#src/app/features.ts';
import { mayEnter } from '#src/app/may-enter.ts';
import { pages } from '#src/app/pages.ts';
import type { NavGroupName } from '#src/lib/feature.ts';

/** Icons by name, so that readers of the list need not load them. */
export type NavIcon =
  | 'basket'
  | 'book'
  | 'building'
  | 'certificate'
  | 'chart'
  | 'clock'
  | 'dashboard'
  | 'history'
  | 'tag'
  | 'calendar'
  | 'home'
  | 'mail'
  | 'people'
  | 'pathway'
  | 'record'
  | 'register'
  | 'settings'
  | 'device';
export type NavLinkItem = { key: RouteId; label: string; icon: NavIcon; to: string; hint: string | null };
export type NavGroup = { key: string; label: string; icon: NavIcon; items: NavLinkItem[] };
export type NavEntry = NavLinkItem | NavGroup;

const icons: Partial<Record<RouteId, NavIcon>> = {
  'learner-events': 'home',
  users: 'people',
  'users-by-uuid': 'record',
  'care-certificate': 'certificate',
  'training-sessions': 'register',
  marketplace: 'tag',
  'training-orders': 'basket',
  'your-bookings': 'calendar',
  'manage-bookings': 'calendar',
  messages: 'mail',
  entities: 'building',
  'entities-one-settings': 'settings',
  pathways: 'pathway',
  'reports-care-certificate': 'chart',
  forecast: 'clock',
  'reports-matrix': 'chart',
  'reports-results': 'history',
  'reports-role': 'chart',
  'reports-staff': 'people',
  'reports-certificate': 'certificate',
  'reports-training-sessions': 'chart',
  'reports-no-shows': 'people',
  'reports-upcoming-training': 'calendar',
  'reports-training-evaluation': 'chart',
  'reports-training-months': 'calendar',
  'reports-training-spend': 'basket',
  'manager-dashboard': 'home',
  'learner-dashboard': 'home',
  'management-dashboard': 'chart',
  'management-area': 'building',
  'active-users': 'people',
  'reports-compliance': 'chart',
  'reports-presets': 'tag',
  'reports-schedules': 'clock',
  devices: 'device',
  'results-pending-by-type': 'clock',
  'results-historical-create': 'register',
  'results-exempt': 'tag',
};
/** The labels of entries that differ from their page's title. */
const labels: Partial<Record<RouteId, string>> = { 'users-by-uuid': 'My record' };

/** The questions that entries answer, if their labels alone are easily confused. */
const hints: Partial<Record<RouteId, string>> = dashboardQuestions;

type Group = { label: string; icon: NavIcon; routes: readonly RouteId[] };
const ownGroup: Group = { label: 'My learning', icon: 'record', routes: ['users-by-uuid', 'your-bookings', 'pathways'] };
const group = (label: NavGroupName, icon: NavIcon, first: readonly RouteId[] = []): Group => ({
  ...{ label, icon, routes: [...first, ...features.flatMap((f) => f.inGroup?.[label] ?? [])] },
});
const learning = group('Learning', 'book', ['entities-one-courses', 'content-creator', 'content-designer', 'pathways']);
const ordering = group('Ordering', 'basket');
const records = group('Training records', 'history');
const dashboards = group('Dashboards', 'dashboard');
const reports = group('Reports', 'chart');
const office = [
  'users',
  learning,
  'entities',
  'care-certificate',
  'training-sessions',
  'manage-bookings',
  ordering,
  records,
  'messages',
  dashboards,
  reports,
  'devices',
  'entities-one-settings',
  'users-by-uuid',
  'your-bookings',
] as const;

/** The entries for each kind of person, most needed first: a phone shows four and the rest under *More*. */
const order: Record<PersonKind, readonly (RouteId | Group)[]> = {
  learner: [
    'learner-events',
    { label: 'My record', icon: 'record', routes: ['users-by-uuid', 'your-bookings', 'learner-dashboard', 'pathways', 'care-certificate'] },
    'training-sessions',
    'messages',
    'devices',
  ],
  trainer: ['learner-events', 'care-certificate', 'training-sessions', 'messages', 'users', 'manage-bookings', ownGroup, 'devices'],
  manager: [
    'learner-events',
    'users',
    'care-certificate',
    'messages',
    'training-sessions',
    'manage-bookings',
    ordering,
    records,
    dashboards,
    reports,
    ownGroup,
    'devices',
  ],
  administrator: ['learner-events', ...office],
  super: ['learner-events', 'entities', ...office.filter((item) => item !== 'entities')],
};

/** A person's main navigation: groups of the pages that they may open. A group with a single page is a link. */
export const navigationOf = (user: AuthUser, brand: Whitelabel, slug: string): NavEntry[] => {
  const kind = kindOf(user);
  const link = (route: RouteId): NavLinkItem[] => {
    if (!pages[route] || !mayEnter(user, route)) return [];
    const isHome = route === 'learner-events' && kind !== 'learner' && kind !== 'trainer';
    return [
      {
        key: route,
        label: isHome ? 'Home' : (labels[route] ?? titleOf(route, brand)),
        icon: icons[route] ?? 'book',
        to: pathTo(route, { slug, uuid: user.uuid, type: 'all' }),
        hint: hints[route] ?? null,
      },
    ];
  };
  return order[kind].flatMap((entry): NavEntry[] => {
    if (typeof entry === 'string') return link(entry);
    const items = entry.routes.flatMap(link);
    const { label, icon } = entry;
    return items.length > 1 ? [{ key: label, label, icon, items }] : items.map((item) => ({ ...item, label, icon }));
  });
};
