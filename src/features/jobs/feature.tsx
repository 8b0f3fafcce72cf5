import type { Feature } from '#src/lib/feature.ts';

/** Opened from the imports. */
export const jobsFeature: Feature = {
  pages: { 'tasks-in-progress': () => import('#src/features/jobs/tasks.page.tsx') },
  titles: {
    'tasks-in-progress': 'Tasks in progress',
  },
};
