import type { Feature } from '#src/lib/feature.ts';

export const learningFeature: Feature = {
  pages: {
    'learner-events': () => import('#src/features/learning/learner-events.page.tsx'),
    'attempt-by-attemptid': () => import('#src/features/learning/attempt.page.tsx'),
  },
  titles: {
    'learner-events': 'Today',
    'attempt-by-attemptid': 'Course',
  },
};
