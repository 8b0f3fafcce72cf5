import { feature } from '#server/feature.ts';
import { pathwayGraph } from '#server/features/pathways/pathways.graph.ts';

export const pathways = feature([], () => ({}), { graph: pathwayGraph });
