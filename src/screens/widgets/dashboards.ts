import { can } from '#contract/can.ts';
import { type DashboardId, dashboardIds } from '#contract/dashboard-titles.ts';
import type { AuthUser } from '#contract/entities/user.ts';
import { needOf } from '#contract/site-map.ts';

/** The dashboards of people who look after others. */
export type OfficeDashboard = Exclude<DashboardId, 'learner-dashboard'>;

/** The dashboards that somebody may open. */
export const dashboardsFor = (user: AuthUser): OfficeDashboard[] =>
  dashboardIds.filter((id): id is OfficeDashboard => id !== 'learner-dashboard' && can(user, needOf(id)));
