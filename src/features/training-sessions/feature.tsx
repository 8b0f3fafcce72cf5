import type { Feature } from '#src/lib/feature.ts';

export const trainingSessionsFeature: Feature = {
  pages: {
    'your-bookings': () => import('#src/features/training-sessions/your-bookings.page.tsx'),
    'check-in-by-id': () => import('#src/features/training-sessions/check-in.page.tsx'),
    'training-sessions': () => import('#src/features/training-sessions/session-list.page.tsx'),
    'training-sessions-create': () => import('#src/features/training-sessions/session-create.page.tsx'),
    'training-sessions-update-by-id': () => import('#src/features/training-sessions/session-update.page.tsx'),
    'training-sessions-by-id': () => import('#src/features/training-sessions/register.page.tsx'),
  },
  titles: {
    'your-bookings': 'Your bookings',
    'check-in-by-id': 'Check in',
    'training-sessions': 'Registers',
    'training-sessions-create': 'Plan a session',
    'training-sessions-by-id': 'Register',
    'training-sessions-update-by-id': 'Edit',
  },
  lists: ['training-sessions'],
};
