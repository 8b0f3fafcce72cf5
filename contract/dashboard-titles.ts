/** The dashboards, by their route, and what they are called. */
export const dashboardTitles = {
  'learner-dashboard': 'My dashboard',
  'manager-dashboard': 'Manager dashboard',
  'management-dashboard': 'Management dashboard',
  'management-area': 'Management area',
  'active-users': 'Active users',
} as const;
export type DashboardId = keyof typeof dashboardTitles;
export const dashboardIds = Object.keys(dashboardTitles) as DashboardId[];
