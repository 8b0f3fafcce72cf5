import type { Feature } from '#src/lib/feature.ts';

const historical = () => import('#src/features/care-certificates/historical.page.tsx');
export const careCertificatesFeature: Feature = {
  pages: {
    'care-certificate': () => import('#src/features/care-certificates/certificate-list.page.tsx'),
    'care-certificate-by-uuid': () => import('#src/features/care-certificates/certificate.page.tsx'),
    'care-certificate-historical': async () => ({ Component: (await historical()).List }),
    'care-certificate-historical-update-by-uuid': async () => ({ Component: (await historical()).One }),
    'reports-care-certificate': () => import('#src/features/care-certificates/report.page.tsx'),
    'users-by-uuid-competence': () => import('#src/features/care-certificates/competence.page.tsx'),
    'care-certificate-overview': () => import('#src/features/care-certificates/overview.page.tsx'),
    'care-certificate-record': () => import('#src/features/care-certificates/record.page.tsx'),
    'care-certificate-sign': () => import('#src/features/care-certificates/sign.page.tsx'),
  },
  titles: {
    'care-certificate': (brand) => brand.certificateGroupMenuName,
    'care-certificate-by-uuid': (brand) => brand.certificateGroupMenuName,
    'care-certificate-record': 'Record an observation',
    'care-certificate-sign': 'Sign',
    'care-certificate-overview': 'Overview',
    'care-certificate-historical': 'From elsewhere',
    'care-certificate-historical-update-by-uuid': 'From elsewhere',
    'reports-care-certificate': (brand) => `${brand.certificateGroupMenuName} report`,
    'users-by-uuid-competence': 'Competence to assess',
  },
  inGroup: { Reports: ['reports-care-certificate'] },
  lists: ['care-certificate'],
};
