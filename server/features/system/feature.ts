import { systemEndpoints } from '#contract/api/system.ts';
import { feature } from '#server/feature.ts';
import { systemGraph } from '#server/features/system/system.graph.ts';
import { systemHandlers } from '#server/features/system/system.rest.ts';

export const system = feature(systemEndpoints, systemHandlers, { graph: systemGraph });
