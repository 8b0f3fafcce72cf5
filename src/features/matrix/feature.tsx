import type { Feature } from '#src/lib/feature.ts';

export const matrixFeature: Feature = {
  pages: { 'reports-matrix': () => import('#src/features/matrix/matrix.page.tsx') },
  titles: { 'reports-matrix': 'Training matrix' },
  inGroup: { Reports: ['reports-matrix'] },
};
