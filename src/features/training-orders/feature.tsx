import type { Feature } from '#src/lib/feature.ts';

export const trainingOrdersFeature: Feature = {
  pages: {
    'training-orders': () => import('#src/features/training-orders/order-list.page.tsx'),
    'training-orders-by-id': () => import('#src/features/training-orders/order.page.tsx'),
  },
  titles: {
    'training-orders': 'Training orders',
    'training-orders-by-id': 'Training order',
  },
  inGroup: { Ordering: ['training-orders'] },
};
