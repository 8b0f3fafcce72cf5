import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { Id } from '#contract/entities/fields.ts';
import { HistoricalCertificate, HistoricalCertificateFields, NewHistoricalCertificate } from '#contract/entities/historical-certificate.ts';

/** Certificates achieved elsewhere. The specification defines screens and permissions; the calls are ours. */
const kept = { ours: true, access: ['care_certificate.historical'], offline: 'online-only' } as const;
const one = { params: z.object({ id: Id }), response: HistoricalCertificate } as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;

export const listHistorical = endpoint({
  ...{ ...kept, id: 'listHistorical', method: 'GET', path: '/historical-care-certificates', response: z.array(HistoricalCertificate) },
  ...{ query: z.object({ ...pageQuery, ...sortQuery(sorts.historical) }), errors: ['unauthenticated', 'forbidden'] },
  summary: 'Lists care certificates achieved elsewhere, by name, in pages.',
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
  summary: 'Returns a care certificate achieved elsewhere.',
});
export const addHistorical = endpoint({
  ...{ ...kept, id: 'addHistorical', method: 'POST', path: '/historical-care-certificates', response: HistoricalCertificate, status: 201 },
  ...{ body: NewHistoricalCertificate, errors: writeErrors },
  summary: 'Records a care certificate achieved elsewhere. A person can have only one.',
});
export const updateHistorical = endpoint({
  ...{
    ...kept,
    ...one,
    id: 'updateHistorical',
    method: 'PATCH',
    path: '/historical-care-certificates/{id}',
    body: HistoricalCertificateFields,
    errors: writeErrors,
  },
  summary: 'Changes the record of a care certificate achieved elsewhere.',
});
export const removeHistorical = endpoint({
  ...{
    ...kept,
    id: 'removeHistorical',
    method: 'DELETE',
    path: '/historical-care-certificates/{id}',
    params: z.object({ id: Id }),
    status: 204,
    errors: writeErrors,
  },
  summary: 'Deletes the record of a care certificate achieved elsewhere. It remains in the audit log.',
});

export const historicalCertificateEndpoints = [listHistorical, getHistorical, addHistorical, updateHistorical, removeHistorical] as const;
