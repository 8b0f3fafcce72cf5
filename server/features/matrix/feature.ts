import { matrixEndpoints } from '#contract/api/matrices.ts';
import { feature } from '#server/feature.ts';
import { matrixGraph } from '#server/features/matrix/matrix.graph.ts';
import { matrixSource } from '#server/features/matrix/matrix.report.ts';
import { matrixHandlers, matrixSocket } from '#server/features/matrix/socket.ts';

export const matrix = feature(matrixEndpoints, matrixHandlers, { graph: matrixGraph, socket: matrixSocket, reports: { matrix: matrixSource } });
