import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Competence } from '#contract/entities/care-certificate.ts';
import { OverviewRow, SampledRecord, sampleDays, sampleShares } from '#contract/entities/care-overview.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** What whoever approves care certificates looks at. Ours. */
const common = { ours: true, access: ['care_certificate.approve'], offline: 'online-only' } as const;

export const careOverview = endpoint({
  ...{ ...common, id: 'careOverview', method: 'GET', path: '/care-certificates/overview', errors: ['unauthenticated', 'forbidden'] },
  response: z.object({ people: z.array(OverviewRow), more: z.boolean(), samples: z.array(SampledRecord) }),
  summary:
    'The certificates that are not approved yet, at most 300, by name: how each gets on against twelve weeks, why it does not, and in which standards the person is out of line of sight; with the records that were chosen to be looked at again.',
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
    share: z.number().check(z.refine((n) => (sampleShares as readonly number[]).includes(n), 'Choose one of the shares.')),
    days: z.number().check(z.refine((n) => (sampleDays as readonly number[]).includes(n), 'Choose how far back.')),
  }),
  response: z.object({ chosen: Count, of: Count, samples: z.array(SampledRecord) }),
  summary: 'Chooses a share of the records of the last days at random, to be looked at again: none of one’s own, none that was chosen before.',
});
export const checkSample = endpoint({
  ...{ ...common, id: 'checkSample', method: 'PATCH', path: '/care-samples/{id}', params: z.object({ id: Id }), response: SampledRecord },
  body: z.object({ agrees: z.boolean(), note: z.string().check(z.trim(), z.maxLength(2000)) }),
  errors: ['invalid_input', 'not_found', 'unauthenticated', 'forbidden', 'csrf_mismatch'],
  summary: 'Says of a chosen record whether one would have decided as its assessor did.',
});
const ofPerson = { params: z.object({ id: Id }), response: z.array(Competence) };
export const competenceOf = endpoint({
  ...{ id: 'competenceOf', method: 'GET', path: '/users/{id}/competence', ours: true, ...ofPerson, errors: ['not_found', 'unauthenticated'] },
  ...{ access: 'signed-in', offline: 'cached' },
  summary:
    'In which standards a person is competent to assess others: one’s own, or with permission care_certificate.approve that of those one may see.',
});
export const noteCompetence = endpoint({
  ...{ ...common, ...ofPerson, id: 'noteCompetence', method: 'POST', path: '/users/{id}/competence' },
  body: z.object({
    competence: z.array(Competence).check(z.maxLength(40)),
    /** Said on purpose where nothing is noted: they may assess every standard. */
    anything: z.optional(z.boolean()),
  }),
  errors: ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'],
  summary:
    'Notes in which standards a person is competent, in place of what was noted before. None, with `anything`: they may assess every standard; an empty list alone is refused, so that nobody is given everything by leaving boxes empty. Never one’s own.',
});
export const careOverviewEndpoints = [careOverview, sampleRecords, checkSample, competenceOf, noteCompetence] as const;
