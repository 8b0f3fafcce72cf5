import { entityWords } from '#src/access/entity-words.ts';
import type { Feature } from '#src/lib/feature.ts';

export const entitiesFeature: Feature = {
  pages: {
    entities: () => import('#src/features/entities/entity-list.page.tsx'),
    'entities-create': () => import('#src/features/entities/entity-create.page.tsx'),
    'entities-one': () => import('#src/features/entities/entity-detail.page.tsx'),
    'entities-one-update': () => import('#src/features/entities/entity-update.page.tsx'),
    'entities-one-password-requirements': () => import('#src/features/entities/password-requirements.page.tsx'),
  },
  titles: {
    entities: (brand) => brand.entitiesAltName,
    'entities-create': (brand) => `Add ${entityWords(brand).anOne}`,
    'entities-one': (brand) => brand.entityAltName,
    'entities-one-update': 'Details',
    'entities-one-password-requirements': 'Passwords',
  },
  lists: ['entities'],
};
