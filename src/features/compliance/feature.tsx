import type { Feature } from '#src/lib/feature.ts';

export const complianceFeature: Feature = {
  pages: {
    forecast: () => import('#src/features/compliance/forecast.page.tsx'),
    'entities-one-courses-by-course-rules': () => import('#src/features/compliance/course-rules.page.tsx'),
    'entities-one-role-by-role-courses': () => import('#src/features/compliance/role-courses.page.tsx'),
    'entities-one-update-role-by-role-course-by-course-compliance': () => import('#src/features/compliance/compliance.page.tsx'),
  },
  titles: {
    forecast: 'Forecast',
    'entities-one-courses-by-course-rules': 'Rules of a course',
    'entities-one-role-by-role-courses': 'Courses of a job role',
    'entities-one-update-role-by-role-course-by-course-compliance': 'Rule for a course',
  },
  inGroup: { Reports: ['forecast'] },
};
