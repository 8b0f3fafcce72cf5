import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { CertificateRow } from '#contract/entities/care-certificate.ts';
import { Id } from '#contract/entities/fields.ts';
import { HistoricalCertificate, HistoricalCertificateFields } from '#contract/entities/historical-certificate.ts';

/** Certificates from elsewhere, and the report. The specification names screens, permissions and filters; the calls are ours. */
const kept = { ours: true, access: ['care_certificate.historical'], offline: 'online-only' } as const;
const one = { params: z.object({ id: Id }), response: HistoricalCertificate } as const;
const changed = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;

export const listHistorical = endpoint({
  ...{ ...kept, id: 'listHistorical', method: 'GET', path: '/historical-care-certificates', response: z.array(HistoricalCertificate) },
  ...{ query: z.object(pageQuery), errors: ['unauthenticated', 'forbidden'] },
  summary: 'Care certificates that people brought with them, by name, a page at a time.',
});
export const getHistorical = endpoint({
  ...{
    ...kept,
    ...one,
    id: 'getHistorical',
    method: 'GET',
    path: '/historical-care-certificates/{id}',
    errors: ['not_found', 'unauthenticated', 'forbidden'],
  },
  summary: 'One care certificate that somebody brought with them.',
});
export const addHistorical = endpoint({
  ...{ ...kept, id: 'addHistorical', method: 'POST', path: '/historical-care-certificates', response: HistoricalCertificate, status: 201 },
  ...{ body: z.object({ ...HistoricalCertificateFields.shape, user_id: Id }), errors: changed },
  summary: 'Notes that somebody has achieved their care certificate elsewhere. A person has one at most.',
});
export const updateHistorical = endpoint({
  ...{
    ...kept,
    ...one,
    id: 'updateHistorical',
    method: 'PATCH',
    path: '/historical-care-certificates/{id}',
    body: HistoricalCertificateFields,
    errors: changed,
  },
  summary: 'Puts right what is noted of a care certificate from elsewhere.',
});
export const removeHistorical = endpoint({
  ...{
    ...kept,
    id: 'removeHistorical',
    method: 'DELETE',
    path: '/historical-care-certificates/{id}',
    params: z.object({ id: Id }),
    status: 204,
    errors: changed,
  },
  summary: 'Takes away what is noted of a care certificate from elsewhere. The audit log keeps it.',
});

/** Which certificates are in the report. Source: the four booleans of the specification's certificates filter. */
export const CareReportFilter = z.object({
  includeApproved: z.boolean(),
  includeAwaitingApproval: z.boolean(),
  includeOutstanding: z.boolean(),
  includeWorkingTowards: z.boolean(),
});
export type CareReportFilter = z.infer<typeof CareReportFilter>;
export const careReport = endpoint({
  ...{ id: 'careReport', method: 'POST', path: '/reports/care-certificate', ours: true, access: ['care_certificate.report'], offline: 'online-only' },
  ...{ query: z.object(pageQuery), body: CareReportFilter, response: z.array(CertificateRow) },
  errors: ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch'],
  summary:
    'The care certificates of the people one may see: approved, waiting for approval, outstanding (nothing recorded yet) and worked towards, as chosen; a page at a time, the next by sending the same to the link.',
});
export const careReportFile = endpoint({
  ...{
    id: 'careReportFile',
    method: 'POST',
    path: '/reports/care-certificate/file',
    ours: true,
    access: ['care_certificate.report'],
    offline: 'online-only',
  },
  ...{ body: CareReportFilter, file: 'text/csv', errors: ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch'] },
  summary: 'The same report whole, as a table for spreadsheets (CSV).',
});
export const careReportEndpoints = [
  listHistorical,
  getHistorical,
  addHistorical,
  updateHistorical,
  removeHistorical,
  careReport,
  careReportFile,
] as const;
