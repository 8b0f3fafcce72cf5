import type { Feature } from '#src/lib/feature.ts';

export const accountFeature: Feature = {
  pages: {
    login: () => import('#src/features/account/login.page.tsx'),
    'register-by-plan': () => import('#src/features/account/register.page.tsx'),
    'forgot-password': () => import('#src/features/account/forgot-password.page.tsx'),
    'reset-password-by-token': () => import('#src/features/account/reset-password.page.tsx'),
    'verify-email-by-token': () => import('#src/features/account/verify-email.page.tsx'),
    'request-verify-email': () => import('#src/features/account/request-verify-email.page.tsx'),
    'sign-in-ways': () => import('#src/features/account/sign-in-ways.page.tsx'),
    'update-password': () => import('#src/features/account/update-password.page.tsx'),
  },
  titles: {
    'update-password': 'Change password',
    'sign-in-ways': 'How I sign in',
  },
  before: {
    'verify-email-by-token': (params) => import('#src/features/account/verify-email.page.tsx').then((page) => page.before(params)),
  },
};
