import type { Feature } from '#src/lib/feature.ts';

export const marketplaceFeature: Feature = {
  pages: {
    marketplace: () => import('#src/features/marketplace/marketplace.page.tsx'),
    'marketplace-by-id': () => import('#src/features/marketplace/item.page.tsx'),
  },
  titles: {
    marketplace: 'Marketplace',
    'marketplace-by-id': 'Marketplace item',
  },
  inGroup: { Ordering: ['marketplace'] },
};
