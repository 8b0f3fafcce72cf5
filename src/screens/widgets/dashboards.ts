import { can } from '#contract/can.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { needOf } from '#contract/site-map.ts';

/** The dashboards for who looks after others, by their route, and what they are called. */
export const dashboardTitles = {
  'manager-dashboard': 'Manager dashboard',
  'management-dashboard': 'Management dashboard',
  'management-area': 'Management area',
  'active-users': 'Active users',
} as const;
export type DashboardRoute = keyof typeof dashboardTitles;

/** Those that somebody may open. */
export const dashboardsFor = (user: AuthUser): DashboardRoute[] =>
  (Object.keys(dashboardTitles) as DashboardRoute[]).filter((route) => can(user, needOf(route)));
