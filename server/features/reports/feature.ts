import { reportsEndpoints } from '#contract/api/reports.ts';
import { feature } from '#server/feature.ts';
import { certificateSource } from '#server/features/reports/certificate.report.ts';
import { reportsHandlers } from '#server/features/reports/reports.rest.ts';
import { resultsSource } from '#server/features/reports/results.report.ts';
import { roleSource, staffSource } from '#server/features/reports/standings.report.ts';

export const reports = feature(reportsEndpoints, reportsHandlers, {
  reports: { results: resultsSource, role: roleSource, staff: staffSource, certificate: certificateSource },
});
