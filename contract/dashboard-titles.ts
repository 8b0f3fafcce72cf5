/** The titles of the dashboards, by route. */
export const dashboardTitles = {
  'learner-dashboard': 'My dashboard',
  'manager-dashboard': 'Manager dashboard',
  'management-dashboard': 'Management dashboard',
  'management-area': 'Management area',
  'active-users': 'Active users',
} as const;
/** The question that each answers, for people who look after others: the titles alone are hard to tell apart. */
export const dashboardQuestions = {
  'manager-dashboard': 'Who needs you today?',
  'management-dashboard': 'Is the group in order?',
  'management-area': 'Which services are in order?',
  'active-users': 'Who signs in, and when?',
} as const;
export type DashboardId = keyof typeof dashboardTitles;
export const dashboardIds = Object.keys(dashboardTitles) as DashboardId[];
