import { careCertificateEndpoints } from '#contract/api/care-certificates.ts';
import { careOverviewEndpoints } from '#contract/api/care-overview.ts';
import { historicalCertificateEndpoints } from '#contract/api/historical-certificates.ts';
import { feature } from '#server/feature.ts';
import { careCertificateSource } from '#server/features/care-certificates/care-certificate.report.ts';
import { certificateHandlers } from '#server/features/care-certificates/certificates.rest.ts';
import { historicalCertificateHandlers } from '#server/features/care-certificates/historical-certificates.rest.ts';
import { overviewHandlers } from '#server/features/care-certificates/overview.rest.ts';
import { certificateQueued, evidenceQueued } from '#server/features/care-certificates/queued.ts';

export const careCertificates = feature(
  [...careCertificateEndpoints, ...careOverviewEndpoints, ...historicalCertificateEndpoints],
  (services) => ({ ...certificateHandlers(services), ...overviewHandlers(services), ...historicalCertificateHandlers(services) }),
  {
    reports: { 'care-certificate': careCertificateSource },
    queued: (services) => ({ certificate: certificateQueued(services), evidence: evidenceQueued(services) }),
  },
);
