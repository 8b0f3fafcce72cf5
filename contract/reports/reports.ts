import { careCertificateReport } from '#contract/reports/care-certificate.ts';
import { reportCalls } from '#contract/reports/report.ts';

/** Every report: a row here, and the server does not compile until it says where the rows come from. */
export const reports = [careCertificateReport] as const;
export const reportEndpoints = [...reportCalls(careCertificateReport)] as const;
