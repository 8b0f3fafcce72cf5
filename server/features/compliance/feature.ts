import { complianceEndpoints } from '#contract/api/compliance.ts';
import { feature } from '#server/feature.ts';
import { complianceHandlers } from '#server/features/compliance/compliance.rest.ts';

export const compliance = feature(complianceEndpoints, complianceHandlers);
