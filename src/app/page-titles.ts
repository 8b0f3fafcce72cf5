import type { Whitelabel } from '#contract/entities/whitelabel.ts';
import type { RouteId } from '#contract/site-map.ts';
import { features } from '#src/app/features.ts';
import type { Title } from '#src/lib/feature.ts';

/** The title of each page in navigation, breadcrumbs and window. A detail page has its heading instead, as soon as it is loaded. */
export const pageTitles: Partial<Record<RouteId, Title>> = Object.assign(
  { 'entities-one-settings': 'Settings' },
  ...features.map((f) => f.titles ?? {}),
);

export const titleOf = (id: RouteId, brand: Whitelabel, path = ''): string => {
  const title = pageTitles[id];
  return typeof title === 'function' ? title(brand, path) : (title ?? '');
};

/** The pages of an organisation's settings, in the order of the list. */
export const settingsPlaces = [
  { route: 'entities-one-update', about: 'Name, address, training rules and notifications' },
  { route: 'entities-one-branding', about: 'Logo, colours and words' },
  { route: 'entities-one-certificate-branding', about: 'What certificates say, and who signs them' },
  { route: 'entities-one-roles', about: 'What people work as, and the courses that go with it' },
  { route: 'entities-one-types', about: 'Groups of people who may do the same' },
  { route: 'entities-one-types-permissions', about: 'What each user type may do' },
  { route: 'entities-one-permissions', about: 'What everybody may do' },
  { route: 'entities-one-tags', about: 'Labels to find people by' },
  { route: 'entities-one-password-requirements', about: 'How long and how mixed passwords are, and when they expire' },
  { route: 'entities-one-training-provider-settings', about: 'How bookings are taken, and what is written to delegates' },
  { route: 'entities-one-delegate-settings', about: 'Accepting and giving up places, and how many come to a session' },
  { route: 'entities-one-training-clients', about: 'Other organisations that may book your training' },
  { route: 'entities-one-training-providers', about: 'Training companies with which you may book' },
  { route: 'training-prices', about: 'What your training costs' },
  { route: 'importer-logs', about: 'People, training and courses from a table' },
  { route: 'tasks-in-progress', about: 'What runs in the background, and its progress' },
  { route: 'audit-log', about: 'Who changed what, and when' },
] as const satisfies readonly { route: RouteId; about: string }[];
