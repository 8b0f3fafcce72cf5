import { careCertificateReport } from '#contract/reports/care-certificate.ts';
import { matrixReport } from '#contract/reports/matrix.ts';
import { reportCalls } from '#contract/reports/report.ts';

/** All reports. The server does not compile until it provides the rows of each. */
export const reports = [careCertificateReport, matrixReport] as const;
export const reportEndpoints = [...reportCalls(careCertificateReport), ...reportCalls(matrixReport)] as const;
