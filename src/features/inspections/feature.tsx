import type { Feature } from '#src/lib/feature.ts';

export const inspectionsFeature: Feature = {
  pages: {
    'reports-inspections': () => import('#src/features/inspections/inspection-list.page.tsx'),
    'reports-inspections-create': () => import('#src/features/inspections/inspection-create.page.tsx'),
    'reports-inspections-by-id': () => import('#src/features/inspections/inspection.page.tsx'),
    'verify-inspection': () => import('#src/features/inspections/verify.page.tsx'),
  },
  titles: {
    'reports-inspections': 'Inspection packs',
    'reports-inspections-create': 'Freeze an inspection pack',
    'reports-inspections-by-id': 'Inspection pack',
  },
  inGroup: { Reports: ['reports-inspections'] },
};
