import * as z from 'zod/mini';
import { endpoint } from '#contract/api/endpoint.ts';
import { Id } from '#contract/entities/fields.ts';
import { Job } from '#contract/entities/job.ts';

const one = z.object({ id: Id });
const changing = ['invalid_input', 'not_found', 'forbidden', 'unauthenticated', 'csrf_mismatch'] as const;

export const listJobs = endpoint({
  id: 'listJobs',
  method: 'GET',
  path: '/jobs',
  ours: true,
  summary: 'Tasks in progress and the last that ended: one’s own, and those of one’s organisations with the permission of their kind.',
  response: z.array(Job),
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const jobEvents = endpoint({
  id: 'jobEvents',
  method: 'GET',
  path: '/jobs/events',
  ours: true,
  summary:
    'The same list as server-sent events: `jobs` with the whole list whenever it changes, a comment every 15 s, `end` when the session has ended.',
  file: 'text/event-stream',
  errors: ['unauthenticated'],
  access: 'signed-in',
  offline: 'online-only',
});
export const cancelJob = endpoint({
  id: 'cancelJob',
  method: 'POST',
  path: '/jobs/{id}/cancel',
  ours: true,
  summary: 'Stops a task after the step it is doing now. What has been done stays.',
  params: one,
  response: Job,
  errors: changing,
  access: 'signed-in',
  offline: 'online-only',
});
export const retryJob = endpoint({
  id: 'retryJob',
  method: 'POST',
  path: '/jobs/{id}/retry',
  ours: true,
  summary: 'Starts a task that failed or was stopped again, in the name of the caller; what has been done is not done twice.',
  params: one,
  response: Job,
  errors: changing,
  access: 'signed-in',
  offline: 'online-only',
});

export const jobEndpoints = [listJobs, jobEvents, cancelJob, retryJob] as const;
