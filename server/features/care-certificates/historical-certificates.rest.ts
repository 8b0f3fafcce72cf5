import { historicalCertificateEndpoints } from '#contract/api/historical-certificates.ts';
import { historicalCertificatesOf } from '#server/features/care-certificates/historical-certificates.service.ts';
import { resourceHandlers } from '#server/http/resource.ts';
import type { Services } from '#server/services.ts';

export const historicalCertificateHandlers = (services: Services) =>
  resourceHandlers(historicalCertificateEndpoints, historicalCertificatesOf(services));
