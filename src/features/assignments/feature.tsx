import type { Feature } from '#src/lib/feature.ts';

/** Opened from the page of the organisation. */
export const assignmentsFeature: Feature = {
  pages: {
    'entities-one-courses': () => import('#src/features/assignments/courses.page.tsx'),
    'entities-one-course-categories': () => import('#src/features/assignments/categories.page.tsx'),
    'entities-one-tags': () => import('#src/features/assignments/tags.page.tsx'),
  },
  titles: {
    'entities-one-course-categories': 'Course categories',
    'entities-one-courses': 'Courses',
    'entities-one-tags': 'Tags',
  },
};
