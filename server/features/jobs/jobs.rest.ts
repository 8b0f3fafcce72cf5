import type { jobEndpoints } from '#contract/api/jobs.ts';
import { createJobStreams } from '#server/features/jobs/job-streams.ts';
import { jobsOf } from '#server/features/jobs/jobs.service.ts';
import type { HandlersOf } from '#server/http/register-endpoints.ts';
import type { Services } from '#server/services.ts';

export const jobHandlers = (services: Services): HandlersOf<typeof jobEndpoints> => {
  const jobs = jobsOf(services);
  const streams = createJobStreams(services, jobs.list);
  return {
    listJobs: async ({ actor }) => ({ data: await jobs.list(actor) }),
    jobEvents: async ({ request, actor }) => ({
      file: streams.follow(request, actor.user.uuid),
      type: 'text/event-stream; charset=utf-8',
      // So that proxies pass each event on at once.
      headers: { 'X-Accel-Buffering': 'no' },
    }),
    cancelJob: async ({ params, actor }) => ({ data: await jobs.cancel(actor, params.id) }),
    retryJob: async ({ params, ...by }) => ({ data: await jobs.retry(by, params.id) }),
  };
};
