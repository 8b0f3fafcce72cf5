import { assignmentEndpoints } from '#contract/api/assignments.ts';
import { feature } from '#server/feature.ts';
import { assignmentHandlers } from '#server/features/assignments/assignments.rest.ts';

export const assignments = feature(assignmentEndpoints, assignmentHandlers);
