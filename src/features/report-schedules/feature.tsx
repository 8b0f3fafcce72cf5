import type { Feature } from '#src/lib/feature.ts';

export const reportSchedulesFeature: Feature = {
  pages: {
    'reports-schedules': () => import('#src/features/report-schedules/schedules.page.tsx'),
    'reports-schedules-by-id': () => import('#src/features/report-schedules/schedule.page.tsx'),
    'reports-deliveries-by-id': () => import('#src/features/report-schedules/delivery.page.tsx'),
  },
  titles: { 'reports-schedules': 'Report schedules', 'reports-schedules-by-id': 'Report schedule', 'reports-deliveries-by-id': 'A report for you' },
  inGroup: { Reports: ['reports-schedules'] },
};
