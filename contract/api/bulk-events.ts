import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery, sortQuery } from '#contract/api/paging.ts';
import { sorts } from '#contract/api/sorts.ts';
import { BulkEvent, BulkPerson, bulkFields, bulkLimits, Evidence, evidenceLimits } from '#contract/entities/bulk-event.ts';
import { Id } from '#contract/entities/fields.ts';

const one = z.object({ id: Id });
const whole = z.object({ event: BulkEvent, people: z.array(BulkPerson) });
const online = { access: ['user.bulk_attempts'], offline: 'online-only', ours: true } as const;
const writeErrors = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;

export const recordBulkEvent = endpoint({
  ...{ id: 'recordBulkEvent', method: 'POST', path: '/users/bulk-add-events', status: 201, errors: [...writeErrors, 'rev_mismatch'], ...online },
  summary: `Records one completed event for up to ${bulkLimits.atOnce} people per call. Repeating the id with other people adds them; a person is never recorded twice under one id. The response states for each person whether it was recorded.`,
  body: z.object({
    id: Id,
    ...bulkFields,
    user_ids: z
      .array(Id)
      .check(z.minLength(1, 'Choose at least one person.'), z.maxLength(bulkLimits.atOnce, `Choose no more than ${bulkLimits.atOnce}.`)),
  }),
  response: whole,
});
export const uploadEvidence = endpoint({
  ...{
    id: 'uploadEvidence',
    method: 'POST',
    path: '/users/evidence',
    status: 201,
    response: Evidence,
    ...online,
    access: ['user.bulk_attempts', 'record.create', 'record.update'],
  },
  ...{
    errors: [...writeErrors, 'body_too_large', 'unsupported_media'],
    upload: { types: ['application/octet-stream'], limitBytes: evidenceLimits.bytes },
  },
  query: z.object({ file_name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)) }),
  summary: 'Stores a file as evidence of training: a PDF, or a picture, which is re-encoded without camera metadata.',
});
export const bulkEvidence = endpoint({
  ...{ id: 'bulkEvidence', method: 'GET', path: '/users/bulk-add-events/{id}/evidence', params: one, file: 'application/octet-stream', ...online },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated'], summary: 'Returns the evidence file of an event.' },
});
export const listBulkEvents = endpoint({
  ...{
    id: 'listBulkEvents',
    method: 'GET',
    path: '/users/bulk-add-events',
    query: z.object({ ...pageQuery, ...sortQuery(sorts.bulkEvents) }),
    ...online,
  },
  ...{ response: z.array(BulkEvent), errors: ['invalid_input', 'forbidden', 'unauthenticated'] },
  summary: 'Lists events recorded for several people, most recent first.',
});
export const getBulkEvent = endpoint({
  ...{ id: 'getBulkEvent', method: 'GET', path: '/users/bulk-add-events/{id}', params: one, response: whole, ...online },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated'], summary: 'Returns an event recorded for several people, with its people.' },
});
export const undoBulkEvent = endpoint({
  ...{ id: 'undoBulkEvent', method: 'POST', path: '/users/bulk-add-events/{id}/undo', params: one, response: whole, errors: writeErrors, ...online },
  summary: 'Undoes an event for everyone it was recorded for. It remains in the history.',
});

export const bulkEventEndpoints = [uploadEvidence, bulkEvidence, recordBulkEvent, listBulkEvents, getBulkEvent, undoBulkEvent] as const;
