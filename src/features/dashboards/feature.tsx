import { dashboardTitles } from '#contract/dashboard-titles.ts';
import type { Feature } from '#src/lib/feature.ts';

const { 'learner-dashboard': _learners, ...officeTitles } = dashboardTitles;

export const dashboardsFeature: Feature = {
  pages: {
    'manager-dashboard': () => import('#src/features/dashboards/manager.page.tsx'),
    'manager-dashboard-people': () => import('#src/features/dashboards/people.page.tsx'),
    'management-dashboard': () => import('#src/features/dashboards/management.page.tsx'),
    'management-area': () => import('#src/features/dashboards/area.page.tsx'),
    'active-users': () => import('#src/features/dashboards/active-users.page.tsx'),
  },
  titles: { ...officeTitles, 'manager-dashboard-people': 'People who need something' },
  inGroup: { Dashboards: ['manager-dashboard', 'management-dashboard', 'management-area', 'active-users'] },
};
