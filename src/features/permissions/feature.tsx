import type { Feature } from '#src/lib/feature.ts';

/** Opened from the page of the organisation. */
export const permissionsFeature: Feature = {
  pages: {
    'entities-one-permissions': () => import('#src/features/permissions/entity-permissions.page.tsx'),
    'entities-one-types-permissions': () => import('#src/features/permissions/type-permissions.page.tsx'),
    'users-by-uuid-permissions': () => import('#src/features/permissions/user-permissions.page.tsx'),
  },
  titles: {
    'users-by-uuid-permissions': 'Permissions',
    'entities-one-permissions': 'Permissions of everybody',
    'entities-one-types-permissions': 'Permissions of user types',
  },
};
