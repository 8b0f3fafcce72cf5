import type { Feature } from '#src/lib/feature.ts';

export const resultsFeature: Feature = {
  pages: {
    'results-exempt': () => import('#src/features/results/exempt-list.page.tsx'),
  },
  titles: {
    'results-exempt': 'Exemptions',
  },
  inGroup: { 'Training records': ['results-exempt'] },
};
