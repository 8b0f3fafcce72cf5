import type { Feature } from '#src/lib/feature.ts';

/** Opened from the lists of the records it imports. */
export const importerFeature: Feature = {
  pages: {
    'importer-logs': () => import('#src/features/importer/import-list.page.tsx'),
    'importer-create': () => import('#src/features/importer/import-create.page.tsx'),
    'importer-logs-one': () => import('#src/features/importer/import-detail.page.tsx'),
  },
  titles: {
    'importer-logs': 'Imports',
    'importer-logs-one': 'Import',
    'importer-create': 'Import a table',
  },
  lists: ['importer-logs'],
};
