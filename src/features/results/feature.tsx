import type { Feature } from '#src/lib/feature.ts';

const create = () => import('#src/features/results/create-result.page.tsx');
const correct = () => import('#src/features/results/correct-result.page.tsx');
export const resultsFeature: Feature = {
  pages: {
    'results-historical-create': async () => ({ Component: (await create()).Training }),
    'results-historical-update-by-id': correct,
    'results-historical-submit': () => import('#src/features/results/submit-certificate.page.tsx'),
    'results-exempt': () => import('#src/features/results/exempt-list.page.tsx'),
    'results-exempt-create': async () => ({ Component: (await create()).Exemption }),
    'results-exempt-update-by-id': correct,
    'results-pending-by-type': () => import('#src/features/results/pending.page.tsx'),
    'results-by-id': () => import('#src/features/results/result.page.tsx'),
    'verify-certificate': () => import('#src/features/results/verify.page.tsx'),
    'verify-certificate-by-number': () => import('#src/features/results/verify.page.tsx'),
  },
  titles: {
    'results-historical-create': 'Record training',
    'results-historical-update-by-id': 'Correct a result',
    'results-historical-submit': 'Add a certificate',
    'results-exempt': 'Exemptions',
    'results-pending-by-type': 'Pending results',
    'results-by-id': 'Result',
    'results-exempt-create': 'Add an exemption',
    'results-exempt-update-by-id': 'Correct an exemption',
  },
  inGroup: { 'Training records': ['results-pending-by-type', 'results-historical-create', 'results-exempt'] },
};
