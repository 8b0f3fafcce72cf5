import type { Feature } from '#src/lib/feature.ts';
import { dashboardTitles } from '#src/screens/widgets/dashboards.ts';

export const dashboardsFeature: Feature = {
  pages: {
    'manager-dashboard': () => import('#src/features/dashboards/manager.page.tsx'),
    'manager-dashboard-people': () => import('#src/features/dashboards/people.page.tsx'),
    'management-dashboard': () => import('#src/features/dashboards/management.page.tsx'),
    'management-area': () => import('#src/features/dashboards/area.page.tsx'),
    'active-users': () => import('#src/features/dashboards/active-users.page.tsx'),
  },
  titles: { ...dashboardTitles, 'manager-dashboard-people': 'People who need something' },
  inGroup: { Dashboards: ['manager-dashboard', 'management-dashboard', 'management-area', 'active-users'] },
};
