import type { Feature } from '#src/lib/feature.ts';

/** Opened from the job roles of an organisation. */
export const complianceFeature: Feature = {
  pages: {
    'entities-one-role-by-role-courses': () => import('#src/features/compliance/role-courses.page.tsx'),
    'entities-one-update-role-by-role-course-by-course-compliance': () => import('#src/features/compliance/compliance.page.tsx'),
  },
  titles: {
    'entities-one-role-by-role-courses': 'Courses of a job role',
    'entities-one-update-role-by-role-course-by-course-compliance': 'Rule for a course',
  },
};
