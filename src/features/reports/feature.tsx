import type { Feature } from '#src/lib/feature.ts';

export const reportsFeature: Feature = {
  pages: {
    'reports-results': () => import('#src/features/reports/results.page.tsx'),
    'reports-role': () => import('#src/features/reports/role.page.tsx'),
    'reports-staff': () => import('#src/features/reports/staff.page.tsx'),
    'reports-certificate': () => import('#src/features/reports/certificate.page.tsx'),
    'reports-training-sessions': () => import('#src/features/reports/training-sessions.page.tsx'),
    'reports-no-shows': () => import('#src/features/reports/no-shows.page.tsx'),
    'reports-upcoming-training': () => import('#src/features/reports/upcoming-training.page.tsx'),
    'reports-training-evaluation': () => import('#src/features/reports/training-evaluation.page.tsx'),
    'reports-training-months': () => import('#src/features/reports/training-months.page.tsx'),
    'reports-training-spend': () => import('#src/features/reports/training-spend.page.tsx'),
  },
  titles: {
    'reports-results': 'Results report',
    'reports-role': 'Job role report',
    'reports-staff': 'Staff report',
    'reports-certificate': 'Certificate report',
    'reports-training-sessions': 'Training sessions: utilisation',
    'reports-no-shows': 'No-shows',
    'reports-upcoming-training': 'Upcoming training',
    'reports-training-evaluation': 'Training evaluation',
    'reports-training-months': 'Training by month',
    'reports-training-spend': 'Training spend',
  },
  inGroup: {
    Reports: [
      'reports-results',
      'reports-role',
      'reports-staff',
      'reports-certificate',
      'reports-training-sessions',
      'reports-no-shows',
      'reports-upcoming-training',
      'reports-training-evaluation',
      'reports-training-months',
      'reports-training-spend',
    ],
  },
};
