import type { Feature } from '#src/lib/feature.ts';

export const pathwaysFeature: Feature = {
  pages: {
    pathways: () => import('#src/features/pathways/pathway-list.page.tsx'),
    'pathways-create': () => import('#src/features/pathways/pathway-create.page.tsx'),
    'pathways-update-by-id': () => import('#src/features/pathways/pathway-update.page.tsx'),
    'pathways-by-id': () => import('#src/features/pathways/pathway-detail.page.tsx'),
    'entities-one-role-by-role-pathways': () => import('#src/features/pathways/role-pathways.page.tsx'),
  },
  titles: {
    'entities-one-role-by-role-pathways': 'Pathways of a job role',
    pathways: 'Pathways',
    'pathways-create': 'Create a pathway',
    'pathways-by-id': 'Pathway',
    'pathways-update-by-id': 'Edit',
  },
  lists: ['pathways'],
};
