import type { Feature } from '#src/lib/feature.ts';

export const reportPresetsFeature: Feature = {
  pages: { 'reports-presets': () => import('#src/features/report-presets/presets.page.tsx') },
  titles: { 'reports-presets': 'Saved views' },
  inGroup: { Reports: ['reports-presets'] },
};
