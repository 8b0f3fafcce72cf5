import { feature } from '#server/feature.ts';
import { matrixGraph } from '#server/features/matrix/matrix.graph.ts';
import { matrixSource } from '#server/features/matrix/matrix.report.ts';
import { matrixSocket } from '#server/features/matrix/socket.ts';

export const matrix = feature([], () => ({}), { graph: matrixGraph, socket: matrixSocket, reports: { matrix: matrixSource } });
