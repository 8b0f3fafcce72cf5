import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { OverviewRow, SampledRecord, sampleDays, sampleShares } from '#contract/entities/care-overview.ts';
import { Count, Id } from '#contract/entities/fields.ts';

/** What whoever approves care certificates looks at. Ours. */
const common = { ours: true, access: [93], offline: 'online-only' } as const;

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
export const careOverviewEndpoints = [careOverview, sampleRecords, checkSample] as const;
