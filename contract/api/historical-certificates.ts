import { resource } from '#contract/api/resource.ts';
import { HistoricalCertificate, HistoricalCertificateFields, NewHistoricalCertificate } from '#contract/entities/historical-certificate.ts';

/** Certificates achieved elsewhere; a person can have only one. The specification defines screens and permissions; the calls are ours. */
export const historicalCertificateEndpoints = resource({
  ids: ['Historical', 'Historical'],
  path: '/historical-care-certificates',
  words: { one: 'a care certificate achieved elsewhere', many: 'care certificates achieved elsewhere' },
  ...{ row: HistoricalCertificate, fields: HistoricalCertificateFields, create: NewHistoricalCertificate, sorts: ['name', 'achieved_on'] },
  ...{ read: ['care_certificate.historical'], write: ['care_certificate.historical'] },
});
