import type { Feature } from '#src/lib/feature.ts';

export const reportsFeature: Feature = {
  pages: {
    'reports-results': () => import('#src/features/reports/results.page.tsx'),
    'reports-role': () => import('#src/features/reports/role.page.tsx'),
    'reports-staff': () => import('#src/features/reports/staff.page.tsx'),
    'reports-certificate': () => import('#src/features/reports/certificate.page.tsx'),
  },
  titles: {
    'reports-results': 'Results report',
    'reports-role': 'Job role report',
    'reports-staff': 'Staff report',
    'reports-certificate': 'Certificate report',
  },
  inGroup: { Reports: ['reports-results', 'reports-role', 'reports-staff', 'reports-certificate'] },
};
