import { bulkEventEndpoints } from '#contract/api/bulk-events.ts';
import { userEndpoints } from '#contract/api/users.ts';
import { feature } from '#server/feature.ts';
import { bulkEventHandlers } from '#server/features/users/bulk-events.rest.ts';
import { userGraph } from '#server/features/users/users.graph.ts';
import { userHandlers } from '#server/features/users/users.rest.ts';
import { welcomesJob } from '#server/features/users/welcome.service.ts';

export const users = feature(
  [...bulkEventEndpoints, ...userEndpoints],
  (services) => ({ ...bulkEventHandlers(services), ...userHandlers(services) }),
  { graph: userGraph, jobs: (services) => ({ welcomes: welcomesJob(services) }) },
);
