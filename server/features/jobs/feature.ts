import { jobEndpoints } from '#contract/api/jobs.ts';
import { feature } from '#server/feature.ts';
import { jobHandlers } from '#server/features/jobs/jobs.rest.ts';

export const jobs = feature(jobEndpoints, jobHandlers);
