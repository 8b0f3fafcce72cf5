import { resultEndpoints } from '#contract/api/results.ts';
import { submissionEndpoints } from '#contract/api/submissions.ts';
import { feature } from '#server/feature.ts';
import { digestJob } from '#server/features/results/decisions.service.ts';
import { submissionQueued } from '#server/features/results/queued.ts';
import { manyCertificatesOf } from '#server/features/results/many-certificates.service.ts';
import { redateJob } from '#server/features/results/redating.service.ts';
import { resultsGraph } from '#server/features/results/results.graph.ts';
import { resultHandlers } from '#server/features/results/results.rest.ts';
import { submissionHandlers } from '#server/features/results/submissions.rest.ts';

export const results = feature(
  [...resultEndpoints, ...submissionEndpoints],
  (services) => ({ ...resultHandlers(services), ...submissionHandlers(services) }),
  {
    graph: resultsGraph,
    queued: (services) => ({ submission: submissionQueued(services) }),
    jobs: (services) => ({ certificates: manyCertificatesOf(services).job, decisions: digestJob(services), redate: redateJob(services) }),
  },
);
