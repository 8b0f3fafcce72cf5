import type { Feature } from '#src/lib/feature.ts';

/** Opened from the page it is about. */
export const auditFeature: Feature = {
  pages: { 'audit-log': () => import('#src/features/audit/audit-log.page.tsx') },
  titles: {
    'audit-log': 'Audit log',
  },
};
