import type { Feature } from '#src/lib/feature.ts';

const pages = () => import('#src/features/venues/venues.page.tsx');
export const venuesFeature: Feature = {
  pages: {
    venues: async () => ({ Component: (await pages()).List }),
    'venues-by-id': async () => ({ Component: (await pages()).One }),
  },
  titles: {
    venues: 'Venues',
    'venues-by-id': 'Venue',
  },
  inGroup: { Learning: ['venues'] },
  lists: ['venues'],
};
