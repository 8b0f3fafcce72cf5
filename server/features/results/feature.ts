import { resultEndpoints } from '#contract/api/results.ts';
import { feature } from '#server/feature.ts';
import { resultsGraph } from '#server/features/results/results.graph.ts';
import { resultHandlers } from '#server/features/results/results.rest.ts';

export const results = feature(resultEndpoints, resultHandlers, { graph: resultsGraph });
