import type { Feature } from '#src/lib/feature.ts';

export const contentCreatorFeature: Feature = {
  pages: {
    'content-creator': () => import('#src/features/content-creator/content-creator.page.tsx'),
    'content-creator-content-by-type': () => import('#src/features/content-creator/content-list.page.tsx'),
    'content-creator-content-scorm-create': () => import('#src/features/content-creator/scorm-create.page.tsx'),
    'content-creator-content-scorm-update-by-id': () => import('#src/features/content-creator/scorm-update.page.tsx'),
    'content-creator-h5ps': () => import('#src/features/content-creator/h5p-list.page.tsx'),
    'content-creator-h5ps-create': () => import('#src/features/content-creator/h5p-create.page.tsx'),
    'content-creator-h5ps-update-by-id': () => import('#src/features/content-creator/h5p-update.page.tsx'),
  },
  titles: {
    'content-creator': 'Content',
    'content-creator-content-by-type': 'SCORM courses',
    'content-creator-content-scorm-create': 'Add a SCORM course',
    'content-creator-content-scorm-update-by-id': 'SCORM course',
    'content-creator-h5ps': 'H5P activities',
    'content-creator-h5ps-create': 'Add an activity',
    'content-creator-h5ps-update-by-id': 'Activity',
  },
};
