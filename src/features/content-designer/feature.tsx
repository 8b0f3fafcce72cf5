import type { Feature } from '#src/lib/feature.ts';

export const contentDesignerFeature: Feature = {
  pages: {
    'content-designer': () => import('#src/features/content-designer/designer-list.page.tsx'),
    'content-designer-create': () => import('#src/features/content-designer/design-create.page.tsx'),
    'content-designer-by-id': () => import('#src/features/content-designer/designer.page.tsx'),
  },
  titles: {
    'content-designer': 'Content designer',
    'content-designer-create': 'Design a content',
    'content-designer-by-id': 'Designed content',
  },
};
