import { reportsEndpoints } from '#contract/api/reports.ts';
import { feature } from '#server/feature.ts';
import { reportsHandlers } from '#server/features/reports/reports.rest.ts';

export const reports = feature(reportsEndpoints, reportsHandlers, {});
