import { complianceReportEndpoints } from '#contract/api/compliance-report.ts';
import { feature } from '#server/feature.ts';
import { complianceReportHandlers } from '#server/features/compliance-report/compliance-report.rest.ts';
import { complianceSource } from '#server/features/compliance-report/compliance.report.ts';
import { monthsOf } from '#server/features/compliance-report/months.service.ts';

export const complianceReport = feature(complianceReportEndpoints, complianceReportHandlers, {
  reports: { compliance: complianceSource },
  jobs: (services) => ({ compliance: monthsOf(services).job }),
});
