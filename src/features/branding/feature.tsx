import type { Feature } from '#src/lib/feature.ts';

/** Opened from the organisation it is about. */
export const brandingFeature: Feature = {
  pages: {
    'entities-one-branding': () => import('#src/features/branding/branding.page.tsx'),
    'entities-one-certificate-branding': () => import('#src/features/branding/certificate-branding.page.tsx'),
  },
  titles: {
    'entities-one-branding': 'Branding',
    'entities-one-certificate-branding': 'Certificates',
  },
};
