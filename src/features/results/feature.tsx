import type { Feature } from '#src/lib/feature.ts';

export const resultsFeature: Feature = {
  pages: {
    'results-exempt': () => import('#src/features/results/exempt-list.page.tsx'),
    'results-pending-by-type': () => import('#src/features/results/pending.page.tsx'),
    'results-by-id': () => import('#src/features/results/result.page.tsx'),
    'verify-certificate': () => import('#src/features/results/verify.page.tsx'),
    'verify-certificate-by-number': () => import('#src/features/results/verify.page.tsx'),
  },
  titles: {
    'results-exempt': 'Exemptions',
    'results-pending-by-type': 'Pending results',
    'results-by-id': 'Result',
  },
  inGroup: { 'Training records': ['results-pending-by-type', 'results-exempt'] },
};
