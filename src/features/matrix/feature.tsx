import type { Feature } from '#src/lib/feature.ts';

export const matrixFeature: Feature = {
  pages: {
    'reports-matrix': () => import('#src/features/matrix/matrix.page.tsx'),
    'reports-matrix-legacy': () => import('#src/features/matrix/matrix-legacy.page.tsx'),
  },
  titles: { 'reports-matrix': 'Training matrix', 'reports-matrix-legacy': 'Training matrix as a table' },
  inGroup: { Reports: ['reports-matrix'] },
};
