import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Competence } from '#contract/entities/care-certificate.ts';
import { OverviewRow, SampledRecord, sampleDays, sampleShares } from '#contract/entities/care-overview.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** Overview for people who approve care certificates. Our addition. */
const common = { ours: true, access: ['care_certificate.approve'], offline: 'online-only' } as const;

export const careOverview = endpoint({
  ...{ ...common, id: 'careOverview', method: 'GET', path: '/care-certificates/overview', errors: ['unauthenticated', 'forbidden'] },
  response: z.object({ people: z.array(OverviewRow), more: z.boolean(), samples: z.array(SampledRecord) }),
  summary:
    'Lists up to 300 certificates that are not yet approved, by name: the outlook against twelve weeks, reasons for delay and the standards with indirect supervision; also lists the records sampled for quality review.',
});
export const sampleRecords = endpoint({
  ...{
    ...common,
    id: 'sampleRecords',
    method: 'POST',
    path: '/care-samples',
    errors: ['invalid_input', 'unauthenticated', 'forbidden', 'csrf_mismatch'],
  },
  body: z.object({
    share: z.number().check(z.refine((n) => (sampleShares as readonly number[]).includes(n), 'Choose one of the listed shares.')),
    days: z.number().check(z.refine((n) => (sampleDays as readonly number[]).includes(n), 'Choose one of the listed periods.')),
  }),
  response: z.object({ chosen: Count, of: Count, samples: z.array(SampledRecord) }),
  summary: 'Samples a share of recent records at random for quality review, excluding the caller’s own and records sampled before.',
});
export const checkSample = endpoint({
  ...{ ...common, id: 'checkSample', method: 'PATCH', path: '/care-samples/{id}', params: z.object({ id: Id }), response: SampledRecord },
  body: z.object({ agrees: z.boolean(), note: z.string().check(z.trim(), z.maxLength(2000)) }),
  errors: ['invalid_input', 'not_found', 'unauthenticated', 'forbidden', 'csrf_mismatch'],
  summary: 'Records whether the caller agrees with the assessor’s decision on a sampled record.',
});
const ofPerson = { params: z.object({ id: Id }), response: z.array(Competence) };
export const competenceOf = endpoint({
  ...{ id: 'competenceOf', method: 'GET', path: '/users/{id}/competence', ours: true, ...ofPerson, errors: ['not_found', 'unauthenticated'] },
  ...{ access: 'signed-in', offline: 'cached' },
  summary:
    'Lists the standards in which a person is competent to assess others: the caller’s own or, with permission care_certificate.approve, those of people the caller can see.',
});
export const noteCompetence = endpoint({
  ...{ ...common, ...ofPerson, id: 'noteCompetence', method: 'POST', path: '/users/{id}/competence' },
  body: z
    .object({
      competence: z.array(Competence).check(z.maxLength(40)),
      /** Must be set explicitly when the list is empty: the person may assess every standard. */
      anything: z._default(z.boolean(), false),
    })
    .check(
      z.refine(({ competence, anything }) => anything === (competence.length === 0), {
        error: 'Choose the standards they may assess. If they may assess none, remove their permission to record observations instead.',
        path: ['competence'],
      }),
    ),
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Replaces the list of standards in which a person is competent. An empty list with `anything` lets them assess every standard; an empty list alone is refused, so that leaving boxes empty does not allow everything. Not available for the caller’s own competence.',
});
export const careOverviewEndpoints = [careOverview, sampleRecords, checkSample, competenceOf, noteCompetence] as const;
