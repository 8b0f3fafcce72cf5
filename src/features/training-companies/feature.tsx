import type { Feature } from '#src/lib/feature.ts';

const prices = () => import('#src/features/training-companies/prices.page.tsx');
export const trainingCompaniesFeature: Feature = {
  pages: {
    'entities-one-training-provider-settings': () => import('#src/features/training-companies/provider-settings.page.tsx'),
    'entities-one-delegate-settings': () => import('#src/features/training-companies/delegate-settings.page.tsx'),
    'entities-one-training-clients': () => import('#src/features/training-companies/clients.page.tsx'),
    'entities-one-training-providers': () => import('#src/features/training-companies/providers.page.tsx'),
    trainers: () => import('#src/features/training-companies/trainer-list.page.tsx'),
    'trainers-by-id': () => import('#src/features/training-companies/trainer.page.tsx'),
    'training-prices': async () => ({ Component: (await prices()).List }),
    'training-prices-by-id': async () => ({ Component: (await prices()).One }),
  },
  titles: {
    'entities-one-training-provider-settings': 'Training company',
    'entities-one-delegate-settings': 'Delegates',
    'entities-one-training-clients': 'Training clients',
    'entities-one-training-providers': 'Training providers',
    trainers: 'Trainers',
    'trainers-by-id': 'Trainer',
    'training-prices': 'Price list',
    'training-prices-by-id': 'Price',
  },
  inGroup: { Learning: ['trainers'] },
  lists: ['trainers', 'training-prices'],
};
