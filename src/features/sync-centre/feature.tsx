import type { Feature } from '#src/lib/feature.ts';
import { IconTablet } from '#src/ui/icons.tsx';

export const syncCentreFeature: Feature = {
  pages: { devices: () => import('#src/features/sync-centre/devices.page.tsx') },
  nav: [{ route: 'devices', label: 'Tablets', icon: IconTablet, need: 24 }],
};
