import type { Feature } from '#src/lib/feature.ts';

export const contentCreatorFeature: Feature = {
  pages: {
    'content-creator': () => import('#src/features/content-creator/content-creator.page.tsx'),
    'content-creator-content-by-type': () => import('#src/features/content-creator/content-list.page.tsx'),
    'content-creator-content-scorm-create': async () => ({ Component: (await import('#src/features/content-creator/scorm-form.tsx')).Create }),
    'content-creator-content-scorm-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/scorm-form.tsx')).Update }),
    'content-creator-h5ps': () => import('#src/features/content-creator/h5p-list.page.tsx'),
    'content-creator-h5ps-create': async () => ({ Component: (await import('#src/features/content-creator/h5p-form.tsx')).Create }),
    'content-creator-h5ps-update-by-id': async () => ({ Component: (await import('#src/features/content-creator/h5p-form.tsx')).Update }),
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
