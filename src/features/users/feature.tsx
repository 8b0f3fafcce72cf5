import type { Feature } from '#src/lib/feature.ts';

export const usersFeature: Feature = {
  pages: {
    users: () => import('#src/features/users/user-list.page.tsx'),
    'users-bulk-add-events': () => import('#src/features/users/bulk-add.page.tsx'),
    'users-bulk-add-events-history': () => import('#src/features/users/bulk-history.page.tsx'),
    'users-create': () => import('#src/features/users/user-create.page.tsx'),
    'users-update-by-uuid': () => import('#src/features/users/user-update.page.tsx'),
    'users-by-uuid': () => import('#src/features/users/user-detail.page.tsx'),
  },
  titles: {
    users: 'People',
    'users-create': 'Add a person',
    'users-bulk-add-events': 'Record group training',
    'users-bulk-add-events-history': 'History',
    'users-by-uuid': 'Person',
    'users-update-by-uuid': 'Edit',
  },
  lists: ['users'],
};
