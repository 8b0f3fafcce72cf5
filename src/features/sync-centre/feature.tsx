import type { Feature } from '#src/lib/feature.ts';

export const syncCentreFeature: Feature = {
  pages: { devices: () => import('#src/features/sync-centre/devices.page.tsx') },
  titles: {
    devices: 'Devices',
  },
};
