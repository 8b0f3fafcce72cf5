import { auditEndpoints } from '#contract/api/audit.ts';
import { feature } from '#server/feature.ts';
import { auditHandlers } from '#server/features/audit/audit.rest.ts';

export const audit = feature(auditEndpoints, auditHandlers);
