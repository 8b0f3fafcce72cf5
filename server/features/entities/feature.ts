import { entityEndpoints } from '#contract/api/entities.ts';
import { feature } from '#server/feature.ts';
import { entityGraph } from '#server/features/entities/entities.graph.ts';
import { entityHandlers } from '#server/features/entities/entities.rest.ts';
import { scoreJob } from '#server/features/entities/scores.ts';

export const entities = feature(entityEndpoints, entityHandlers, {
  graph: entityGraph,
  jobs: (services) => ({ score: scoreJob(services) }),
});
