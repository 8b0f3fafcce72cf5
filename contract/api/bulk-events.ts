import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { pageQuery } from '#contract/api/paging.ts';
import { BulkEvent, BulkPerson, bulkFields, bulkLimits, Evidence, evidenceLimits } from '#contract/entities/bulk-event.ts';
import { Id } from '#contract/entities/fields.ts';

const one = z.object({ id: Id });
const whole = z.object({ event: BulkEvent, people: z.array(BulkPerson) });
const online = { access: ['user.bulk_attempts'], offline: 'online-only', ours: true } as const;
const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;

export const recordBulkEvent = endpoint({
  ...{ id: 'recordBulkEvent', method: 'POST', path: '/users/bulk-add-events', status: 201, errors: [...changing, 'rev_mismatch'], ...online },
  summary: `Records one completed event for some people, ${bulkLimits.atOnce} at most in a call. The same id with other people adds them; somebody is never recorded twice under one id. Answers for each of them whether it was recorded.`,
  body: z.object({
    id: Id,
    ...bulkFields,
    user_ids: z
      .array(Id)
      .check(z.minLength(1, 'Choose at least one person.'), z.maxLength(bulkLimits.atOnce, `Choose ${bulkLimits.atOnce} at most.`)),
  }),
  response: whole,
});
export const uploadEvidence = endpoint({
  ...{ id: 'uploadEvidence', method: 'POST', path: '/users/evidence', status: 201, response: Evidence, ...online },
  ...{
    errors: [...changing, 'body_too_large', 'unsupported_media'],
    upload: { types: ['application/octet-stream'], limitBytes: evidenceLimits.bytes },
  },
  query: z.object({ file_name: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)) }),
  summary: 'Keeps a file that proves training: a PDF, or a picture, which is drawn anew without what a camera adds to it.',
});
export const bulkEvidence = endpoint({
  ...{ id: 'bulkEvidence', method: 'GET', path: '/users/bulk-add-events/{id}/evidence', params: one, file: 'application/octet-stream', ...online },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated'], summary: 'The file that proves an event.' },
});
export const listBulkEvents = endpoint({
  ...{ id: 'listBulkEvents', method: 'GET', path: '/users/bulk-add-events', query: z.object(pageQuery), ...online },
  ...{ response: z.array(BulkEvent), errors: ['invalid_input', 'forbidden', 'unauthenticated'] },
  summary: 'Events that were recorded for many people, the last first.',
});
export const getBulkEvent = endpoint({
  ...{ id: 'getBulkEvent', method: 'GET', path: '/users/bulk-add-events/{id}', params: one, response: whole, ...online },
  ...{ errors: ['not_found', 'forbidden', 'unauthenticated'], summary: 'One of them, with its people.' },
});
export const undoBulkEvent = endpoint({
  ...{ id: 'undoBulkEvent', method: 'POST', path: '/users/bulk-add-events/{id}/undo', params: one, response: whole, errors: changing, ...online },
  summary: 'Takes an event back for everybody it was recorded for. That it was recorded stays in the history.',
});

export const bulkEventEndpoints = [uploadEvidence, bulkEvidence, recordBulkEvent, listBulkEvents, getBulkEvent, undoBulkEvent] as const;
