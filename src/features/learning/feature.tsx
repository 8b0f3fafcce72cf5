import { dashboardTitles } from '#contract/dashboard-titles.ts';
import type { Feature } from '#src/lib/feature.ts';

export const learningFeature: Feature = {
  pages: {
    'learner-events': () => import('#src/features/learning/learner-events.page.tsx'),
    'learner-dashboard': () => import('#src/features/learning/learner-dashboard.page.tsx'),
    'attempt-by-attemptid': () => import('#src/features/learning/attempt.page.tsx'),
    'cattempt-by-attemptid': () => import('#src/features/learning/cattempt.page.tsx'),
  },
  titles: {
    'learner-events': 'Today',
    'learner-dashboard': dashboardTitles['learner-dashboard'],
    'attempt-by-attemptid': 'Course',
    'cattempt-by-attemptid': 'Course',
  },
};
