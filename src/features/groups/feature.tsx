import type { Feature } from '#src/lib/feature.ts';

/** Opened from the page of the organisation. */
export const groupsFeature: Feature = {
  pages: {
    'entities-one-roles': () => import('#src/features/groups/role-list.page.tsx'),
    'entities-one-types': () => import('#src/features/groups/type-list.page.tsx'),
  },
  titles: {
    'entities-one-roles': 'Job roles',
    'entities-one-types': 'User types',
  },
};
