import { brandingEndpoints } from '#contract/api/branding.ts';
import { feature } from '#server/feature.ts';
import { brandingHandlers } from '#server/features/branding/branding.rest.ts';

export const branding = feature(brandingEndpoints, brandingHandlers);
