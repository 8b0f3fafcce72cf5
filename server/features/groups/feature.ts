import { roleEndpoints, typeEndpoints } from '#contract/api/groups.ts';
import { feature } from '#server/feature.ts';
import { groupGraph } from '#server/features/groups/groups.graph.ts';
import { roleHandlers, typeHandlers } from '#server/features/groups/groups.rest.ts';

export const groups = feature([...roleEndpoints, ...typeEndpoints], (services) => ({ ...roleHandlers(services), ...typeHandlers(services) }), {
  graph: groupGraph,
});
