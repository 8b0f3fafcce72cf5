import type { Feature } from '#src/lib/feature.ts';

export const complianceReportFeature: Feature = {
  pages: {
    'reports-compliance': () => import('#src/features/compliance-report/compliance-report.page.tsx'),
    'reports-compliance-legacy': () => import('#src/features/compliance-report/compliance-legacy.page.tsx'),
  },
  titles: { 'reports-compliance': 'Compliance report', 'reports-compliance-legacy': 'Compliance report as a table' },
  inGroup: { Reports: ['reports-compliance'] },
};
