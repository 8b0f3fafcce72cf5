import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { careCertificateReport } from '#contract/reports/care-certificate.ts';
import { certificateReport } from '#contract/reports/certificate.ts';
import { complianceRowsReport } from '#contract/reports/compliance.ts';
import { matrixReport } from '#contract/reports/matrix.ts';
import { ReportFilter } from '#contract/reports/filter.ts';
import { reportCalls } from '#contract/reports/report.ts';
import { resultsReport } from '#contract/reports/results.ts';
import { roleReport } from '#contract/reports/role.ts';
import { staffReport } from '#contract/reports/staff.ts';
import {
  evaluationReport,
  noShowsReport,
  sessionUseReport,
  trainingMonthsReport,
  trainingSpendReport,
  upcomingTrainingReport,
} from '#contract/reports/training.ts';

/** All reports. The server does not compile until it provides the rows of each. */
export const reports = [
  careCertificateReport,
  matrixReport,
  resultsReport,
  roleReport,
  staffReport,
  certificateReport,
  complianceRowsReport,
  sessionUseReport,
  noShowsReport,
  upcomingTrainingReport,
  trainingSpendReport,
  evaluationReport,
  trainingMonthsReport,
] as const;
/** The report types of `/report`. Those other than `certificate` and `matrix` are ours. */
export const reportTypes = ['certificate', 'matrix', 'results', 'role', 'staff'] as const;
const anyReport = endpoint({
  ...{ id: 'any-report', method: 'POST', path: '/report', offline: 'online-only', response: z.array(z.looseObject({ id: z.string() })) },
  access: ['report.matrix', 'report.compliance', 'report.results', 'certificate.user'],
  query: z.object({ ...pageQuery, sort: z.optional(z.string().check(z.maxLength(40))) }),
  body: z.extend(ReportFilter, { report_type: z._default(z.enum(reportTypes), 'certificate') }),
  errors: ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch', 'report_too_large'],
  summary:
    'The report that `report_type` names, by the permissions of that report: certificates, or with matrix the people of the matrix with their figures. A page at a time: the next by sending the same to the link.',
});

export const reportEndpoints = [
  ...reportCalls(careCertificateReport),
  ...reportCalls(matrixReport),
  ...reportCalls(resultsReport),
  ...reportCalls(roleReport),
  ...reportCalls(staffReport),
  ...reportCalls(certificateReport),
  ...reportCalls(complianceRowsReport),
  ...reportCalls(sessionUseReport),
  ...reportCalls(noShowsReport),
  ...reportCalls(upcomingTrainingReport),
  ...reportCalls(trainingSpendReport),
  ...reportCalls(evaluationReport),
  ...reportCalls(trainingMonthsReport),
  anyReport,
] as const;
